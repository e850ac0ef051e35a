"""The four actions of a turn and the caravan limit: moves, refusals and effects of each."""
