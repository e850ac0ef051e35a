"""What runs by itself: turns of bots, analyses, and the duties of the keeper, a row each in duties.py."""
