"""Hosting tournaments: what directors and players do, and what follows by itself; knows no Flask."""
