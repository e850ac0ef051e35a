"""Every table of the database: where the export of an account holds its rows, and how an erasure treats them.

Tests compare this table with the database: a new table needs a row here.
"""

from typing import Final, LiteralString, NamedTuple

READ_MODEL: Final = "follows from events, which hold ids only"


class TableRule(NamedTuple):
    """How the personal data in a table is exported and erased; with statements for the ids of the erased accounts."""

    exported: tuple[str, ...] = ()  # files of the archive
    not_exported: str = ""  # the reason why no file, or not everything, is exported
    erased: tuple[LiteralString, ...] = ()
    kept: str = ""  # the reason why an erasure deletes nothing
    left_out: str = ""  # columns that no file has under their own name: secrets, other names, what follows from events


def _none(reason: str) -> TableRule:
    """Returns the rule of a table without data of a player."""
    return TableRule(not_exported=reason, kept=reason)


TABLES: Final[dict[str, TableRule]] = {
    # accounts
    "players": TableRule(
        ("account", "bots", "people_at_screen"),
        kept="ids remain; `erasure.ERASE` empties the row",
        left_out="folded forgotten looks password",
    ),
    "tokens": TableRule(
        ("tokens",),
        erased=("DELETE FROM tokens WHERE player = ANY(%s)",),
        left_out="family hash parent player refresh",
    ),
    "programs": TableRule(("programs",), erased=("DELETE FROM programs WHERE maker = ANY(%s)",), left_out="maker"),
    "program_codes": TableRule(
        not_exported="between consent and token, for a minute",
        erased=("DELETE FROM program_codes WHERE player = ANY(%s)",),
    ),
    "device_logins": TableRule(
        not_exported="between consent and token, for ten minutes at most",
        erased=("DELETE FROM device_logins WHERE player = ANY(%s)",),
    ),
    "webhooks": TableRule(
        ("webhooks",), erased=("DELETE FROM webhooks WHERE player = ANY(%s)",), left_out="player secret token told"
    ),
    "deliveries": TableRule(("webhook_messages",), kept="deleted with their webhooks"),
    "webhook_slots": TableRule(not_exported="the claim of a process, for seconds", kept="ends by itself"),
    "sessions": TableRule(
        ("sessions",), erased=("DELETE FROM sessions WHERE player = ANY(%s)",), left_out="csrf hash player"
    ),
    "recovery_codes": TableRule(
        ("recovery_codes",), erased=("DELETE FROM recovery_codes WHERE player = ANY(%s)",), left_out="hash player"
    ),
    "second_factors": TableRule(
        ("second_factor",),
        erased=("DELETE FROM second_factors WHERE player = ANY(%s)",),
        left_out="id last_step player sealed",
    ),
    "begun_logins": TableRule(
        ("begun_logins",),
        erased=("DELETE FROM begun_logins WHERE player = ANY(%s)",),
        left_out="hash password player",
    ),
    "email_addresses": TableRule(
        ("email_addresses",),
        erased=("DELETE FROM email_addresses WHERE player = ANY(%s)",),
        left_out="code expires id looked_up player sealed",
    ),
    "player_settings": TableRule(
        ("settings",), erased=("DELETE FROM player_settings WHERE player = ANY(%s)",), left_out="mailed noticed player"
    ),
    "vacations": TableRule(
        ("vacations",), erased=("DELETE FROM vacations WHERE player = ANY(%s)",), left_out="due player"
    ),
    "notices": TableRule(
        not_exported="follows from notifications, for a week at most",
        erased=("DELETE FROM notices WHERE player = ANY(%s)",),
    ),
    "notices_read": _none("how far the log was read"),
    "push_subscriptions": TableRule(
        ("push_subscriptions",),
        erased=("DELETE FROM push_subscriptions WHERE player = ANY(%s)",),
        left_out="failing_since failures hash id player sealed session",
    ),
    "push_messages": TableRule(not_exported="messages to browsers, for a day", kept="deleted with the browsers"),
    "outgoing_mails": TableRule(
        not_exported="mails to the exported address, for a day at most",
        erased=("DELETE FROM outgoing_mails WHERE player = ANY(%s)",),
    ),
    "recovery_requests": _none("asked by anyone, linked to no account; looked up within seconds"),
    "made_keys": _none("keys of the service"),
    "reports": TableRule(
        ("reports",),
        not_exported="what others report of the player, and notes of administrators",
        erased=(
            "DELETE FROM reports WHERE reporter = ANY(%s)",
            "DELETE FROM reports WHERE about = 'player' AND thing = ANY(%s)",
        ),
        left_out="note outcome reporter",
    ),
    "talks": _none("how many messages a talk has"),
    "talk_messages": TableRule(
        ("talk",),
        erased=(
            """
            WITH gone AS (DELETE FROM talk_messages WHERE player = ANY(%s) RETURNING stream)
            UPDATE talks SET changes = changes + 1 WHERE stream IN (SELECT stream FROM gone)
            """,
        ),
        left_out="account key player",
    ),
    "talk_readers": TableRule(
        ("talk_reading",), erased=("DELETE FROM talk_readers WHERE player = ANY(%s)",), left_out="player"
    ),
    "talk_mutes": TableRule(
        ("talk_mutes",),
        erased=(
            "DELETE FROM talk_mutes WHERE player = ANY(%s)",
            "DELETE FROM talk_mutes WHERE about = 'player' AND muted = ANY(%s)",
        ),
        left_out="player",
    ),
    "talk_read": TableRule(("talk_read",), erased=("DELETE FROM talk_read WHERE player = ANY(%s)",), left_out="player"),
    "administrators": TableRule(
        not_exported="the appointment is in administrative_acts.json",
        erased=("DELETE FROM administrators WHERE player = ANY(%s)",),
    ),
    "administrative_acts": TableRule(
        ("administrative_acts",), kept="acts are never changed; they hold ids", left_out="body hash subject"
    ),
    "blocks": TableRule(("blocks",), erased=("DELETE FROM blocks WHERE player = ANY(%s)",), left_out="by player"),
    "erasures": TableRule(not_exported="accounts that nobody can log in to", kept="deleted when the erasure is done"),
    "reserved_names": _none("hashes of the names of erased accounts, linked to no account"),
    # games
    "games": TableRule(
        ("games",),
        kept="games remain; rows hold ids",
        left_out="aborted_by clock_ends deadline decision engine head host idle_since player seat version",
    ),
    "places": TableRule(("games",), kept="games remain; rows hold ids", left_out="chair hidden over place player"),
    "kept_seats": TableRule(("games",), kept="declined by `leaving`", left_out="chair player"),
    "programmed_answers": TableRule(
        ("programmed_answers",),
        erased=("DELETE FROM programmed_answers WHERE player = ANY(%s)",),
        left_out="card id number player seen since span until",
    ),
    "rematches": _none("ids of games"),
    "boards": _none("follows from the events of a game"),
    "kept_boards": _none("follows from the events of a game"),
    "seeds": _none("secrets of games"),
    "unframed_games": _none("games whose hosts let no other site frame them"),
    "transcripts": TableRule(("records",), kept="the record belongs to its game"),
    "transcript_notes": TableRule(("records",), kept="the record belongs to its game", left_out="above beside seq"),
    # tournaments
    "tournaments": TableRule(
        ("tournaments",),
        kept="tournaments remain; rows hold ids",
        left_out="due ends head host rounds starts version visibility",
    ),
    "entries": TableRule(("tournaments",), kept="tournaments remain; rows hold ids", left_out="gone number player"),
    "games_declared": _none("the games of a tournament"),
    "errands": _none("rulings that wait to be carried into games"),
    # studies, analyses, ratings, notifications
    "study_makers": TableRule(("studies",), kept="studies remain; rows hold ids", left_out="maker study"),
    "studies": TableRule(("studies",), kept="studies remain; rows hold ids", left_out="cloned_from stream version"),
    "study_members": TableRule(("studies",), kept="studies remain; rows hold ids", left_out="player stream"),
    "study_chapters": _none("which games a study is about"),
    "analyses": TableRule(("analyses",), kept="estimates of a game; rows hold ids", left_out="asker"),
    "analysis_figures": TableRule(not_exported="computed from a game; at /v1/analyses/ID", kept="computed from a game"),
    "ratings": TableRule(("ratings",), kept=READ_MODEL, left_out="player"),
    "rating_changes": TableRule(("rating_changes",), kept=READ_MODEL, left_out="idx player"),
    "rating_games": _none(READ_MODEL),
    "rating_seats": TableRule(not_exported="the chairs in games.json", kept=READ_MODEL),
    "rating_inputs": TableRule(not_exported="published; its own rows are in rating_changes.json", kept=READ_MODEL),
    "news": TableRule(("notifications",), kept=READ_MODEL, left_out="player"),
    "news_seats": TableRule(not_exported="the chairs in games.json", kept=READ_MODEL),
    "actors": TableRule(("acts",), kept=READ_MODEL, left_out="player"),
    "streams": _none(READ_MODEL),
    "happened": _none(READ_MODEL),
    # events
    "events": TableRule(("acts",), kept="events are never changed; they hold ids", left_out="body"),
    "texts": TableRule(
        ("acts",),
        kept="texts remain in their games, studies and tournaments, whose owners erase them",
        left_out="salt text",
    ),
    "hidden_texts": TableRule(
        not_exported="marks of administrators; they name a bot by its id",
        erased=("DELETE FROM hidden_texts WHERE about = 'engine' AND stream = ANY(%s)",),
    ),
    "answers": TableRule(
        ("request_keys",),
        not_exported="the answers repeat other files; those of others, which may name the player, last some days",
        erased=("DELETE FROM answers WHERE scope = ANY(%s::uuid[]::text[])",),
        left_out="answer name request scope stream",
    ),
    "cold_archives": _none("places of archived games"),
    "cold_files": _none("hashes of files"),
    "cold_streams": _none("numbers and hashes of events"),
    "outbox": _none("numbers and hashes of events"),
    "log": _none("numbers and hashes of events"),
    "checkpoints": _none("the public log"),
    "cosignatures": _none("the public log"),
    "origins": _none("the public log"),
    "branches": _none("the public log"),
    "publications": _none("the public log"),
    "gates": _none("the public log"),
    # operation
    "migrations": _none("the schema of the database"),
    "master_keys": _none("names of the keys that seal secrets"),
    "projections": _none("how far read models are"),
    "projection_tables": _none("how far read models are"),
    "stuck_streams": _none("what the keeper could not do"),
    "heartbeat": _none("when the service was at work"),
    "outages": _none("when the service was away"),
}
ERASED: Final[tuple[LiteralString, ...]] = tuple(statement for rule in TABLES.values() for statement in rule.erased)
