"""How long a visitor waits for a page, and what it weighs."""
