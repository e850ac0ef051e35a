"""Answers that go on or wait, without a thread."""
