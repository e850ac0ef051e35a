"""Health, integrity checks, repairs of derived rows."""
