"""Routes of games, a module per subject."""
