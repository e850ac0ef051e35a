"""What runs by itself: bot turns and the keeper."""
