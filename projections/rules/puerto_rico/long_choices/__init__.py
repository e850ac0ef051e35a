"""Choices with too many forms to list: lazy collections of moves."""
