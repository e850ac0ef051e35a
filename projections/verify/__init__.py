"""Verifies bundles and archives without a server."""
