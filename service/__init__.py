"""How people and programs reach Cabildo."""
