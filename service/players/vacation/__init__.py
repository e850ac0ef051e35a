"""Days away: a player declares them, and the clocks of the player's slow games stand meanwhile."""
