"""Sign-in for other programs."""
