"""How fast things are, measured beside something fixed, since absolute figures move with the machine."""
