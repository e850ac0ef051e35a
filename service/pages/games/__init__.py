"""Pages of games: lobby, new game, play, verify."""
