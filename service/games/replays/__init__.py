"""Replays of games, besides their steps in words."""
