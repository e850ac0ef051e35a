"""Check of archived months: does this node reach their files?"""

from collections.abc import Iterator
from typing import Final

from events.cold.archive_files import MANIFEST
from events.files.file_store import FilesAway
from events.files.places import open_place
from service.operations.checks.check import CheckResult, HealthSources, failing, ok

NEWEST: Final = "SELECT DISTINCT ON (place) place, folder FROM cold_archives ORDER BY place, number DESC"
ADVICE: Final = "give this node the place that `cabildo months list` names, or tell another one: cabildo months moved"


def check_archives(sources: HealthSources) -> Iterator[CheckResult]:
    """Can the newest archive in each place be read from here?"""
    places = sources.connection.execute(NEWEST).fetchall()
    if not places:
        yield ok("archived months", "no month is archived")
    for place, folder in places:
        try:
            found = open_place(place).read(f"{folder}/{MANIFEST}")
        except FilesAway:
            yield failing("archived months", f"{place} does not answer: its games cannot be read", ADVICE)
            continue
        if found is None:
            yield failing("archived months", f"this node has no files of {place}", ADVICE)
        else:
            yield ok("archived months", f"the files of {place} can be read")
