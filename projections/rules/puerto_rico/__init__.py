"""Puerto Rico: the base game, the two-player game, and the expansions New Buildings and Nobles."""
