"""Decisions about games: functions that commands call, which write events into a unit of work."""
