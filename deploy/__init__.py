"""Operation of Cabildo: the two commands, the command line, the benchmarks; README.md and docs/ are the guides."""
