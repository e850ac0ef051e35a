"""Facts: the primitive changes of a position, in the past tense. Each changes the position and knows no rules."""
