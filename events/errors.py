"""The root of every error of ours: an error class means one thing and carries its data."""


class CabildoError(Exception):
    """Something was refused for a reason that has a name."""
