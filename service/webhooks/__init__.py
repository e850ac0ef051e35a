"""Webhooks: what happens is sent to addresses that players and hosts name, signed, and again until it arrives."""
