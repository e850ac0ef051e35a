"""Moderation: what administrators do, and the record of it."""
