"""Spice Road as text: notation, labels, refusals, the board in words."""
