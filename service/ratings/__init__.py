"""Ratings as clients read them."""
