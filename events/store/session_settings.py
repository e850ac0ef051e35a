"""Settings of a session on the server: what the connection string says of them counts before the defaults."""

import re
from collections.abc import Mapping
from typing import Final

from psycopg import Connection

SERVER_SIDE: Final[Mapping[str, str]] = {  # of the network: the parameter of a connection string -> the setting
    "keepalives_idle": "tcp_keepalives_idle",
    "keepalives_interval": "tcp_keepalives_interval",
    "keepalives_count": "tcp_keepalives_count",
    "tcp_user_timeout": "tcp_user_timeout",
}
OPTION: Final = re.compile(r"(?:-c\s*|--)([\w.-]+)\s*=")  # in the parameter `options`
SET: Final = """
SELECT count(set_config(name, value, false)) FROM unnest(%s::text[], %s::text[]) AS wanted (name, value)
"""


def set_always(connection: Connection, settings: Mapping[str, str]) -> None:
    """Sets what the session relies on."""
    connection.execute(SET, (list(settings), list(settings.values())))


def set_defaults(connection: Connection, settings: Mapping[str, str]) -> None:
    """Sets what `options` of the connection string leaves open."""
    given = {name.replace("-", "_").lower() for name in OPTION.findall(connection.info.options)}
    left = {name: value for name, value in settings.items() if name not in given}
    if left:
        set_always(connection, left)


def network_settings(connection: Connection, defaults: Mapping[str, int]) -> Mapping[str, str]:
    """Returns for the server's side what the connection string says of the client's side of the network."""
    said = {**defaults, **connection.info.get_parameters()}
    return {setting: str(said[parameter]) for parameter, setting in SERVER_SIDE.items()}
