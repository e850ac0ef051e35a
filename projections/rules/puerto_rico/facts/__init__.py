"""Facts, in the past tense: only they change a position."""
