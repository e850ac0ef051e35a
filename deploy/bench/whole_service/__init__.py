"""Measurements of the whole service: its start, its lists among very many games."""
