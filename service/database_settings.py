"""The settings that say how a process reaches PostgreSQL."""

import dataclasses
from typing import Self

from service.setting_parsers import address, optional_address, setting, whole_number


@dataclasses.dataclass(frozen=True, kw_only=True)
class DatabaseSettings:
    """How a process reaches PostgreSQL."""

    database_url: str = setting(
        "DATABASE_URL", address("postgresql", "postgres"), "PostgreSQL 15 or newer; unset: an embedded PostgreSQL 18"
    )
    direct_database_url: str = setting(
        "CABILDO_DIRECT_DATABASE_URL",
        optional_address("postgresql", "postgres"),
        "the server itself, for keepers and commands, where DATABASE_URL leads through a pooler such as PgBouncer",
        "",
    )
    read_database_url: str = setting(
        "CABILDO_READ_DATABASE_URL",
        optional_address("postgresql", "postgres"),
        "standbys that answer replays, bundles, lists and search of web servers; unset: none",
        "",
    )
    pool_size: int = setting(
        "CABILDO_POOL_SIZE", whole_number(2, 1000), "PostgreSQL connections of each process at most", "8"
    )
    answer_seconds: int = setting(
        "CABILDO_ANSWER_SECONDS",
        whole_number(2, 3600),
        "how long PostgreSQL may take for a statement or a commit of the web server or a worker",
        "10",
    )
    pool_seconds: int = setting(
        "CABILDO_POOL_SECONDS",
        whole_number(1, 60),
        "how long a request waits for a free PostgreSQL connection of its process",
        "4",
    )

    def direct(self) -> Self:
        """Returns the settings of a keeper or a command, which no pooler may serve."""
        return dataclasses.replace(self, database_url=self.direct_database_url or self.database_url)
