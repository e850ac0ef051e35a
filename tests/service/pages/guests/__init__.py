"""Tests of the pages for visitors without an account."""
