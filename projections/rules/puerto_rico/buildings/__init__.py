"""What the buildings do, a row and at most a short function each."""
