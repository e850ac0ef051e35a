"""Tests of the rules for readers."""
