"""Tests of studies as values: their scripts and their texts."""
