"""Schemas of games, a module per subject."""
