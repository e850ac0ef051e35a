"""The README of the export of an account: which file holds what, field by field."""

from collections.abc import Iterable
from typing import Final

from service.players.export.kind import ExportKind

README: Final = "README.md"
BEFORE: Final = """\
# Everything stored of one player

Each file is a JSON array with one row in a line. Times are in UTC. `export.json` says when the archive was made, of
which player, and how many rows each file has. When `next` there is not null, more follows: ask for the next part with
this value as `after`. `behind` is the number of events of the whole service that lists did not hold yet: usually a
few; when it is large, after an update of the service, export again later.

Secrets are not included: of passwords, tokens, sessions and recovery codes the service stores only hashes, and the
secrets of webhooks and the unseen cards of running games leave it in no form. Not in the database, and so not here:
failed logins and counted requests of an address, which are forgotten within a day, and the operator's logs.
"""


def readme(kinds: Iterable[ExportKind]) -> str:
    """Returns the README."""
    return "\n".join([BEFORE, *map(kind_section, kinds)])


def kind_section(kind: ExportKind) -> str:
    """Returns the description of a file."""
    rows = "".join(f"| `{name}` | {meaning} |\n" for name, meaning in kind.fields.items())
    return f"## {kind.name}.json\n\n{kind.meaning}\n\n| Field | Meaning |\n|---|---|\n{rows}"
