"""Ratings: the model, its inputs and its read model."""
