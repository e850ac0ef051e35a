"""Merkle logs: RFC 6962 hashing and the C2SP formats, as pure functions of bytes."""
