"""Games: create, join, play, resign, read, search, import."""
