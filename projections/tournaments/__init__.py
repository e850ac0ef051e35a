"""Tournaments as pure functions: who meets whom, where, why, and who stands where; all from values that name events."""
