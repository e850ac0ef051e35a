"""Puerto Rico as text: notation, labels, refusals, the board in words."""
