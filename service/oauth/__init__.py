"""OAuth 2.1: players allow programs of other people to act for them, with the tokens of the service."""
