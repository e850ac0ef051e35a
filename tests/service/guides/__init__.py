"""Tests of the guided games."""
