"""Webhooks: sends signed notifications to addresses of players and hosts, and retries until they arrive."""
