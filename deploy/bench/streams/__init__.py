"""Measures live streams: the delay of an event to all watchers, and what the watchers cost."""
