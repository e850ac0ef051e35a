"""Requests that are answered from a standby."""
