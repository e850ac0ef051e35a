"""The page of the account: a module renders it, the others take its forms."""
