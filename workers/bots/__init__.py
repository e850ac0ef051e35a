"""The bots of the house: each chooses a move from a position and its legal moves, and sees no more than a player."""
