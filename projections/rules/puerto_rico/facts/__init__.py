"""What happens in a game, in the past tense: the only things that change a position."""
