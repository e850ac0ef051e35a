"""The bots of the service: each chooses a move from a position and its legal moves, and sees no more than a player."""

import projections.rules  # noqa: F401  # compiled bots are found by the rules' package
