"""What the events mean: boards, scores and every other read model."""
