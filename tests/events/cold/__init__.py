"""Tests of cold storage."""
