"""Edits of a study, a module per kind."""
