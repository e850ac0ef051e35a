"""Effects of the buildings: a row and at most a short function each."""
