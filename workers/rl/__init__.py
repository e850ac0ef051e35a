"""The games as environments for learning: PettingZoo over the engine, an extra of its own (`cabildo-server[rl]`)."""
