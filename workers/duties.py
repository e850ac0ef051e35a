"""What keepers do, one row per duty."""

from workers.keeper import Duty

DUTIES: tuple[Duty, ...] = ()
