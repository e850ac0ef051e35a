"""One module per phase; none of them names a building."""
