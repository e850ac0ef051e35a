"""The evaluation of Puerto Rico: the worth of a board, and the ranking of moves in each phase."""
