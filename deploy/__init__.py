"""How Cabildo runs: the two commands, the command line, what was measured; README.md and docs/ are the guides."""
