"""Tests of programmed answers."""
