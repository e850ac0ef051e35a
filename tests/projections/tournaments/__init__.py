"""Tests of tournaments as pure functions."""
