"""Pages by which players allow programs to act for them, and register programs."""
