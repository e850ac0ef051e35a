"""Drills of the client packages, from nothing to a finished game; `deploy/test --clients` runs them."""
