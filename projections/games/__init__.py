"""One game's stream: record, fold, replay, clocks, chance, imports."""
