"""Quotas: how many games, tables, bots, studies, webhooks, tokens and programs an account with its bots may have."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final, NamedTuple
from uuid import UUID

import psycopg
from psycopg import Connection

from events.messages import Message
from events.store.statements import Statement
from service.core.errors import QuotaReached
from service.settings import Settings

GAMES: Final = "games"  # that run or wait for players
OPEN_TABLES: Final = "open_tables"
BOT_SEATS: Final = "bot_seats"  # of house bots in those games
STUDIES: Final = "studies"
WEBHOOKS: Final = "webhooks"
TOKENS: Final = "tokens"
BOTS: Final = "bots"  # accounts
PROGRAMS: Final = "programs"  # that ask others for tokens
NOUNS: Final[Mapping[str, Message]] = {
    GAMES: Message("games that run or wait for players"),
    OPEN_TABLES: Message("tables that wait for players"),
    BOT_SEATS: Message("seats of bots at its tables"),
    STUDIES: Message("studies"),
    WEBHOOKS: Message("webhooks"),
    TOKENS: Message("tokens"),
    BOTS: Message("accounts of bots"),
    PROGRAMS: Message("registered programs"),
}
USED: Final = "SELECT what, used FROM quotas_used(%s)"
CHECK: Final = "SELECT check_quotas(%s, %s, %s)"
BEYOND: Final = "CAB02"  # the SQLSTATE of check_quotas


class QuotaUse(NamedTuple):
    """How much of a quota an account uses."""

    used: int
    limit: int


class Quotas:
    """The quotas of the settings."""

    def __init__(self, settings: Settings) -> None:
        self._limits: Mapping[str, int] = {
            GAMES: settings.most_games,
            OPEN_TABLES: settings.most_open_tables,
            BOT_SEATS: settings.most_bot_seats,
            STUDIES: settings.most_studies,
            WEBHOOKS: settings.most_webhooks,
            TOKENS: settings.most_tokens,
            BOTS: settings.most_bots,
            PROGRAMS: settings.most_programs,
        }

    def check(self, account: UUID | str, *names: str) -> Statement:
        """Returns the statement that refuses its transaction when the account has more than it may.

        It follows the statements that add: `refusals` turns the error of the database into QuotaReached.
        """
        return Statement(CHECK, (account, list(names), [self._limits[name] for name in names]))

    def used(self, connection: Connection, account: UUID) -> Mapping[str, QuotaUse]:
        """Returns use and limit of each quota."""
        counted: dict[str, int] = dict(connection.execute(USED, (account,)).fetchall())
        return {name: QuotaUse(counted[name], limit) for name, limit in self._limits.items()}

    @contextmanager
    def refusals(self) -> Iterator[None]:
        """Raises QuotaReached for a transaction that a check has refused."""
        try:
            yield
        except psycopg.DatabaseError as problem:
            if problem.sqlstate != BEYOND:
                raise
            name = problem.diag.message_primary or ""
            raise QuotaReached(name, NOUNS[name], self._limits[name]) from problem
