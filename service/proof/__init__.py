"""Bundles, verification, the public log, the witness."""
