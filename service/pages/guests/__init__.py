"""Pages for visitors without an account: play now, seats for guests, keeping the account."""
