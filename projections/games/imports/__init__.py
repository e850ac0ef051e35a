"""Records of games that were played over a table: their text and their check by the rules."""
