"""Reads the settings from environment variables into one frozen value; checks them at the start."""

import dataclasses
import difflib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from events.sealing.master_keys import MasterKeys
from projections.rules.compiled import VARIABLE as COMPILED_RULES
from service.core.errors import BadSettings
from service.database_settings import DatabaseSettings
from service.key_settings import (
    ALL_SECRETS,
    SMTP_PASSWORD,
    is_given,
    log_signing_seeds,
    master_keys,
    smtp_password,
)
from service.mail.server_address import SmtpServer, optional_smtp_server, sender_address
from service.setting_parsers import (
    address,
    addresses,
    one_of,
    optional_path,
    optional_wake_address,
    place_of_files,
    redis_address,
    setting,
    text,
    whole_number,
)
from service.talk_settings import TalkSettings

PREFIX = "CABILDO_"
OF_OTHERS = (  # read by tests, commands and imports
    *("CABILDO_FAILPOINTS", "CABILDO_PYTHON", "CABILDO_CHROMIUM", "CABILDO_ALL_PAGES", "CABILDO_SCRIPTS"),
    *("CABILDO_TOKEN", COMPILED_RULES),
)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Settings(DatabaseSettings, TalkSettings):
    """The settings of a process of the service."""

    redis_url: str = setting("REDIS_URL", redis_address, "Redis 6 or newer, or its Sentinels; unset: an embedded Redis")
    wake_redis_url: str = setting(
        "CABILDO_WAKE_REDIS_URL",
        optional_wake_address,
        "a Redis for the wake-ups of streams alone, or a Redis Cluster: redis+cluster://HOST:PORT,HOST:PORT; "
        "unset: REDIS_URL",
        "",
    )
    data_dir: Path = setting("CABILDO_DATA_DIR", Path, "where files of the service live", ".cabildo")
    host: str = setting("CABILDO_HOST", text, "the address the web server listens on", "127.0.0.1")
    port: int = setting("CABILDO_PORT", whole_number(0, 65535), "its port", "8080")
    metrics_host: str = setting("CABILDO_METRICS_HOST", text, "the address that serves /metrics, alone", "127.0.0.1")
    metrics_port: int = setting("CABILDO_METRICS_PORT", whole_number(0, 65535), "its port; 0: any free one", "0")
    public_url: str = setting(
        "CABILDO_PUBLIC_URL", address("http", "https"), "how the world reaches the service", "http://127.0.0.1:8080"
    )
    workers: int = setting(
        "CABILDO_WORKERS", whole_number(1, 256), "web processes of a node, and as many workers for each queue", "2"
    )
    web_threads: int = setting(
        "CABILDO_WEB_THREADS",
        whole_number(2, 16_384),
        "threads of each web process at most, each for one request; streams take none",
        "200",
    )
    streams: int = setting(
        "CABILDO_STREAMS",
        whole_number(1, 10**6),
        "streams that may be open at the same time, in all web processes; one connection in six is kept from them",
        "20000",
    )
    streams_per_address: int = setting(
        "CABILDO_STREAMS_PER_ADDRESS",
        whole_number(1, 10**6),
        "streams of one address, or of one IPv6 network of 64 bits",
        "200",
    )
    streams_per_account: int = setting(
        "CABILDO_STREAMS_PER_ACCOUNT", whole_number(1, 10**6), "streams of one player", "50"
    )
    grace_seconds: int = setting(
        "CABILDO_GRACE_SECONDS", whole_number(1, 3600), "how long running requests may finish after SIGTERM", "30"
    )
    keeper_grace: int = setting(
        "CABILDO_KEEPER_GRACE",
        whole_number(2, 3600),
        "seconds without a keeper, after which players' clocks stand still until one works",
        "15",
    )
    max_body_bytes: int = setting(
        "CABILDO_MAX_BODY_BYTES", whole_number(1024, 2**30), "the largest request body that is read", "4194304"
    )
    receive_seconds: int = setting(
        "CABILDO_RECEIVE_SECONDS",
        whole_number(1, 600),
        "how long the header of a request may take to arrive, and how long its body",
        "10",
    )
    requests_per_minute: int = setting(
        "CABILDO_REQUESTS_PER_MINUTE",
        whole_number(1, 10**9),
        "what an address, an account or a token may spend in a minute; a read costs 1",
        "12000",
    )
    registrations_per_hour: int = setting(
        "CABILDO_REGISTRATIONS_PER_HOUR",
        whole_number(0, 10**9),
        "accounts that an address may register in an hour before it has to wait for each",
        "20",
    )
    logins_per_minute: int = setting(
        "CABILDO_LOGINS_PER_MINUTE", whole_number(1, 10**9), "how often an address may try to log in in a minute", "60"
    )
    open_table_days: int = setting(
        "CABILDO_OPEN_TABLE_DAYS",
        whole_number(1, 3_650),
        "days without a change after which an open table is removed; its host is told beforehand",
        "14",
    )
    most_games: int = setting(
        "CABILDO_MOST_GAMES",
        whole_number(1, 10**6),
        "games of an account that run or wait for players; quotas count an account with its bots",
        "100",
    )
    most_open_tables: int = setting(
        "CABILDO_MOST_OPEN_TABLES", whole_number(1, 10**6), "tables of an account that wait for players", "50"
    )
    most_bot_seats: int = setting("CABILDO_MOST_BOT_SEATS", whole_number(0, 10**6), "house bots in these games", "200")
    most_studies: int = setting("CABILDO_MOST_STUDIES", whole_number(1, 10**6), "studies that an account made", "500")
    most_webhooks: int = setting("CABILDO_MOST_WEBHOOKS", whole_number(0, 10**4), "webhooks of an account", "20")
    most_tokens: int = setting("CABILDO_MOST_TOKENS", whole_number(2, 10**4), "tokens of an account", "100")
    most_bots: int = setting("CABILDO_MOST_BOTS", whole_number(0, 10**4), "accounts of bots of an account", "50")
    most_programs: int = setting("CABILDO_MOST_PROGRAMS", whole_number(0, 10**4), "programs of an account", "20")
    reports_per_day: int = setting(
        "CABILDO_REPORTS_PER_DAY",
        whole_number(0, 10**6),
        "things that an account with its bots may report to the administrators in a day",
        "20",
    )
    webhooks: str = setting(
        "CABILDO_WEBHOOKS",
        one_of("public", "anywhere"),
        "which addresses webhooks may have: https that everybody can reach, or any",
        "public",
    )
    question_seconds: int = setting(
        "CABILDO_QUESTION_SECONDS", whole_number(0, 3600), "how long one analysis or one import may take", "10"
    )
    verify_seconds: int = setting(
        "CABILDO_VERIFY_SECONDS", whole_number(0, 3600), "how long the service verifies one upload", "60"
    )
    trusted_proxies: int = setting(
        "CABILDO_TRUSTED_PROXIES",
        whole_number(0, 16),
        "proxies in front of the web server whose X-Forwarded-For and -Proto are believed",
        "0",
    )
    bot_moves: int = setting(
        "CABILDO_BOT_MOVES", whole_number(1, 10_000), "moves of bots in one turn before other games go on", "10"
    )
    search_steps: int = setting(
        "CABILDO_SEARCH_STEPS", whole_number(0, 5000), "what bots that search may think for a move; 0: as measured", "0"
    )
    search_seconds: int = setting(
        "CABILDO_SEARCH_SECONDS", whole_number(0, 20), "how long they may think for a move; 0: as their steps take", "0"
    )
    log_policy: Path | None = setting(
        "CABILDO_LOG_POLICY", optional_path, "a C2SP policy file that names witnesses and their quorum; unset: none", ""
    )
    backup_stamp: Path | None = setting(
        "CABILDO_BACKUP_STAMP",
        optional_path,
        "a file that your backup job touches when it has succeeded; health checks tell its age; unset: not checked",
        "",
    )
    log_peers: tuple[str, ...] = setting(
        "CABILDO_LOG_PEERS",
        addresses("http", "https"),
        "addresses of the public log at the other nodes that run a keeper, between spaces: http://node-b:8080/log; "
        "a keeper asks them before it signs for a database that it does not know",
        "",
    )
    log_store: str = setting(
        "CABILDO_LOG_STORE",
        place_of_files,
        "where all keepers publish and all web nodes read the public log: a shared directory, or s3://BUCKET/PREFIX; "
        "unset: the folder `public/log` of each node's own CABILDO_DATA_DIR",
        "",
    )
    archive_store: str = setting(
        "CABILDO_ARCHIVE_STORE",
        place_of_files,
        "where all keepers archive published events, in the same form; must not be public; "
        "unset: the folder `archive` of CABILDO_DATA_DIR",
        "",
    )
    samples: str = setting(
        "CABILDO_SAMPLES",
        one_of("on", "off"),
        "whether `cabildo up` lays out games of bots on an empty database, "
        "and an unhurried bot plays one after the other for those who watch",
        "on",
    )
    compiled: str = setting(
        "CABILDO_COMPILED",
        one_of("on", "off"),
        "whether `cabildo up` compiles the rules in the background where a C compiler is, and its processes take them",
        "on",
    )
    log_level: str = setting(
        "CABILDO_LOG_LEVEL", one_of("debug", "info", "warning", "error"), "what is worth a line in the log", "info"
    )
    log_format: str = setting(
        "CABILDO_LOG_FORMAT", one_of("json", "text"), "one JSON object a line, or text for people", "json"
    )
    smtp_server: SmtpServer | None = setting(
        "CABILDO_SMTP",
        optional_smtp_server,
        "the server that takes mails to players, smtp+starttls://USER@HOST:PORT or smtps://USER@HOST:PORT; "
        "unset: no mail",
        "",
    )
    mail_from: str = setting(
        "CABILDO_MAIL_FROM", sender_address, "the sender of mails, as in Cabildo <no-reply@example.org>", ""
    )
    master_keys: MasterKeys

    @property
    def calls_anywhere(self) -> bool:
        """Whether webhooks may have any address."""
        return self.webhooks == "anywhere"

    def __repr__(self) -> str:
        return f"Settings(data_dir={str(self.data_dir)!r})"  # the addresses may hold passwords


def load(environ: Mapping[str, str], *, seals: bool = False) -> Settings:
    """Returns all settings, checked, with `seals` the keys of the log too; raises BadSettings with every fault."""
    values: dict[str, Any] = {}
    faults = list(_unknown(environ))
    for field in _documented():
        try:
            values[field.name] = _value(field.metadata, environ)
        except ValueError as fault:
            faults.append(f"{field.metadata['name']} {fault}")
    faults += _mail_faults(values, environ, seals=seals)
    for read in (master_keys, *([log_signing_seeds, smtp_password] if seals else ())):
        try:
            read(environ)
        except BadSettings as refused:
            faults += refused.faults
    if faults:
        raise BadSettings(faults)
    return Settings(master_keys=master_keys(environ), **values)


def _mail_faults(values: Mapping[str, Any], environ: Mapping[str, str], *, seals: bool) -> Iterator[str]:
    server: SmtpServer | None = values.get("smtp_server")
    if server is not None and not values.get("mail_from", "-"):
        yield "CABILDO_MAIL_FROM is not set, but CABILDO_SMTP is"
    if seals and server is not None and server.user is not None and not is_given(SMTP_PASSWORD, environ):
        yield f"set one of {SMTP_PASSWORD} and {SMTP_PASSWORD}_FILE, for CABILDO_SMTP names a user"


def documented_settings() -> list[tuple[str, str, str]]:
    """Name, default and meaning of every setting, for the documentation."""
    rows = [
        (field.metadata["name"], field.metadata["default"] or "", field.metadata["meaning"]) for field in _documented()
    ]
    return rows + [(f"{name} or {name}_FILE", "", meaning) for name, meaning in ALL_SECRETS.items()]


def _documented() -> list["dataclasses.Field[Any]"]:
    return [field for field in dataclasses.fields(Settings) if field.metadata]


def _value(metadata: Mapping[str, Any], environ: Mapping[str, str]) -> Any:
    given = environ.get(metadata["name"]) or metadata["default"]
    if given is None:
        raise ValueError("is not set")
    return metadata["read"](given)


def _unknown(environ: Mapping[str, str]) -> Iterator[str]:
    """Yields a fault for each unknown variable of the service, which would otherwise be ignored."""
    known = [field.metadata["name"] for field in _documented()]
    known += OF_OTHERS
    known += [variable for name in ALL_SECRETS for variable in (name, f"{name}_FILE")]
    for name in environ:
        if name.startswith(PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, 1)
            yield f"{name} is not a setting" + (f"; is {near[0]} meant?" if near else "")
