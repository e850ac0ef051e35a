"""What the events mean: the rules of the games, replay, audit, and every read model; a folder for each game."""
