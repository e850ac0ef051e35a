"""Hosts tournaments: the commands of directors and players, and the keeper's scheduler. Independent of Flask."""
