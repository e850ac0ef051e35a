"""Runs a game of Puerto Rico: steps, effects of buildings, recorded facts."""
