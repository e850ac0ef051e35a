"""What happened, and the proof of it; knows no game."""
