"""How to play Puerto Rico sensibly: what a board is worth, and each phase in the light of it."""
