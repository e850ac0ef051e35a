"""Analyses of finished games, and what-if."""
