"""Pairs rounds: levels, tables, seats, lots."""
