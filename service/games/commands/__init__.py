"""The commands of games: a frozen value for each and the function that executes it, listed in `table`."""
