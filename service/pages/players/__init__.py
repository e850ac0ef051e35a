"""Pages of players: accounts, profiles, tokens, webhooks, ratings."""
