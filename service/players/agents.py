"""Names browser and system of a User-Agent header, coarsely, for the list of sessions."""

from typing import Final

# The first mark that occurs decides: browsers name those they descend from, too.
BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Safari/", "Safari"),
)
SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iOS"),
    ("iPad", "iOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def agent_of(header: str) -> str:
    """Returns browser and system, as far as the header names known ones; "" for none."""
    found = (next((name for mark, name in table if mark in header), "") for table in (BROWSERS, SYSTEMS))
    return ", ".join(name for name in found if name)
