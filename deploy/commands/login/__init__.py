"""Login of players on the command line."""
