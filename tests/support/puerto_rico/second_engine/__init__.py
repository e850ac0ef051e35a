"""A second engine of Puerto Rico with expansions and options, from the rules reference alone; no product code.

`Engine` follows a game: it says who decides what, and changes its own books by the move and the recorded draws.
"""
