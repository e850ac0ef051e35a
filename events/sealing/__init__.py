"""Encryption of stored secrets under the master key, and the replacement of that key."""
