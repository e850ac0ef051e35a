"""The e-mail address of an account: stored sealed, confirmed by a code, found by a keyed hash."""
