"""The table of kinds in the export of an account, in the order in which the archive holds them."""

from typing import Final

from service.players.export.account_kinds import ACCOUNT_KINDS
from service.players.export.activity_kinds import ACTIVITY_KINDS
from service.players.export.kind import ExportKind

KINDS: Final[tuple[ExportKind, ...]] = (*ACCOUNT_KINDS, *ACTIVITY_KINDS)
