"""Own settings of a player: how pages look, sound and ask, when and how the player is told of what happens."""
