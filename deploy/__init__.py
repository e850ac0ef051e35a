"""How Cabildo runs."""
