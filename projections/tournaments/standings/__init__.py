"""Ranks entrants: scoring, criteria, statistics."""
