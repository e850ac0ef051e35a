"""Checks of a bundle: each function yields unproved claims and raises CheckFailed at the first error."""
