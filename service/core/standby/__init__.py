"""Reads from standbys: the pool that leads there, and who has to read from the primary after a write."""
