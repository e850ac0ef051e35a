"""The commands of players: a frozen value for each and the function that executes it, listed in `command_table`."""
