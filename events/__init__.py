"""Events, their canonical bytes and hashes, the stores that keep them, and the public log; knows no game."""
