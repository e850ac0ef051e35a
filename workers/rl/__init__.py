"""The games as environments for learning: PettingZoo over the engine, the extra `rl`."""
