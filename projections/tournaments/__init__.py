"""Tournaments as pure functions: pairings, standings and their reasons, computed from values that name events."""
