"""The second factor of a login: codes by time (TOTP, RFC 6238), for which recovery codes stand in."""
