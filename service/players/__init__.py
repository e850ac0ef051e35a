"""Accounts, tokens and sessions."""
