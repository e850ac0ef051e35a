"""Studies: annotations of games in chapters, at events of a game and along variations."""
