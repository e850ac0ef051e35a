"""Schemas of tournaments."""
