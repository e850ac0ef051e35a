"""The archive of everything stored of a player: what is in it, and how it is written."""
