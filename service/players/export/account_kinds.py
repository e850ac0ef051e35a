"""What is stored of an account itself: no secrets, which the database does not hold in clear anyway."""

from collections.abc import Generator
from typing import Final
from uuid import UUID

from service.container import Container
from service.core.clock import iso_time
from service.players.email.storage import email_of
from service.players.export.kind import ExportKind, PlacedRow, by_query


def _quotas(here: Container, player: UUID, after: str) -> Generator[PlacedRow]:
    with here.stores.pool.connection() as connection:
        used = here.quotas.used(connection, player)
    for number, (name, use) in enumerate(used.items(), 1):
        if number > int(after or 0):
            yield PlacedRow(str(number), {"name": name, "used": use.used, "limit": use.limit})


def _email_addresses(here: Container, player: UUID, after: str) -> Generator[PlacedRow]:
    with here.stores.pool.connection() as connection:
        stored = email_of(connection, here.vault, 0, player)
    for number, one in enumerate(filter(None, stored), 1):
        if number > int(after or 0):
            times = {"created": iso_time(one.created), "confirmed": iso_time(one.confirmed)}
            yield PlacedRow(str(number), {"address": one.address, "language": one.language, **times})


ACCOUNT_KINDS: Final[tuple[ExportKind, ...]] = (
    ExportKind(
        "account",
        "The account.",
        {
            "id": "The id by which games and logs name the player.",
            "name": "The name.",
            "created": "When the account was registered.",
            "has_password": "Whether a password is set; only its hash is stored.",
            "bot": "Whether the account is that of a bot.",
            "owner": "The player who owns the bot.",
            "engine": "The engine of the bot.",
            "manifest": "What the owner says of the bot: author, source, budget, hardware.",
            "key": "The public key that signs moves.",
            "guest": "Whether the account ends when it is not used: it was made with one click.",
        },
        by_query("""
            SELECT id, name, created, password IS NOT NULL AS has_password, bot, owner, engine,
                manifest, key, guest
            FROM players WHERE id = %(player)s ORDER BY id
        """),
    ),
    ExportKind(
        "quotas",
        "How much of each quota the account and its bots use.",
        {"name": "The quota.", "used": "How much is used.", "limit": "How much may be used."},
        _quotas,
    ),
    ExportKind(
        "bots",
        "The bots of the account. A bot's own games are in the export that its own token asks for.",
        {
            "id": "The id of the bot.",
            "name": "Its name; null after its erasure.",
            "engine": "Name and version of its engine.",
            "manifest": "Its author, source, budget and hardware.",
            "created": "When it was registered.",
            "key": "The public key that signs its moves.",
        },
        by_query(
            "SELECT id, name, engine, manifest, created, key FROM players"
            " WHERE owner = %(player)s AND bot ORDER BY created, id"
        ),
    ),
    ExportKind(
        "people_at_screen",
        "The people whom the account has given seats at its own screen.",
        {"id": "The id by which games name the person.", "name": "The name.", "created": "When the name was given."},
        by_query("SELECT id, name, created FROM players WHERE owner = %(player)s AND NOT bot ORDER BY created, id"),
    ),
    ExportKind(
        "tokens",
        "Tokens; their secrets are not stored.",
        {
            "id": "The id of the token.",
            "label": "Its label.",
            "scopes": "Its scopes.",
            "created": "When it was made.",
            "expires": "When it expires; null: never.",
            "used": "The last use, to the minute.",
            "program": "The program that holds it; null: it was issued to you.",
            "refresh_until": "Until when the program may renew it; null: it may not.",
        },
        by_query("""
            SELECT id, label, scopes, created, expires, used, program, refresh_until
            FROM tokens WHERE player = %(player)s ORDER BY created, id
        """),
    ),
    ExportKind(
        "programs",
        "Programs that the account registered to ask players for tokens.",
        {
            "id": "The id of the program.",
            "name": "Its name.",
            "site": "A page about it.",
            "redirects": "Where browsers may be sent with a code.",
            "created": "When it was registered.",
        },
        by_query(
            "SELECT id, name, site, redirects, created FROM programs WHERE maker = %(player)s ORDER BY created, id"
        ),
    ),
    ExportKind(
        "sessions",
        "Browsers that are logged in; their secrets are not stored.",
        {
            "id": "The id of the session.",
            "created": "When the browser logged in.",
            "expires": "When the session ends.",
            "used": "The last use, to the minute.",
            "confirmed": "When the password was last given again.",
            "agent": "Browser and system.",
            "address": "The address at the login; of IPv6 the network.",
        },
        by_query("""
            SELECT id, created, expires, used, nullif(confirmed, 0) AS confirmed, agent, address
            FROM sessions WHERE player = %(player)s ORDER BY created, id
        """),
    ),
    ExportKind(
        "email_addresses",
        "The e-mail address, and one that waits for its code; stored encrypted.",
        {
            "address": "The address.",
            "language": "The language of mails to it.",
            "created": "When it was stored.",
            "confirmed": "When the code of the mail was entered; null: not yet.",
        },
        _email_addresses,
    ),
    ExportKind(
        "settings",
        "Own settings that differ from the usual ones.",
        {"settings": "The settings, as `GET /v1/me/settings` tells them.", "changed": "When they were last changed."},
        by_query("SELECT settings, changed FROM player_settings WHERE player = %(player)s ORDER BY changed"),
    ),
    ExportKind(
        "push_subscriptions",
        "Browsers that take notices; their addresses leave the database in no form.",
        {"created": "When the browser was stored.", "language": "The language of its notices."},
        by_query("SELECT created, language FROM push_subscriptions WHERE player = %(player)s ORDER BY created, id"),
    ),
    ExportKind(
        "second_factor",
        "The second factor of logins; its secret leaves the database in no form.",
        {"created": "When it was begun.", "confirmed": "When it was switched on; null: not yet."},
        by_query("SELECT created, confirmed FROM second_factors WHERE player = %(player)s ORDER BY created"),
    ),
    ExportKind(
        "begun_logins",
        "Logins that wait for the code of the second factor.",
        {"created": "When the login began.", "expires": "When it is given up."},
        by_query("SELECT created, expires FROM begun_logins WHERE player = %(player)s ORDER BY created, hash"),
    ),
    ExportKind(
        "recovery_codes",
        "Recovery codes that were not used; the codes themselves are not stored.",
        {"created": "When the code was made.", "expires": "When it expires; null: never."},
        by_query("SELECT created, expires FROM recovery_codes WHERE player = %(player)s ORDER BY created, hash"),
    ),
    ExportKind(
        "webhooks",
        "Webhooks, without the secrets that sign their messages.",
        {
            "id": "The id of the webhook.",
            "url": "Its address.",
            "tournament": "The tournament that it follows; null: the player's own games.",
            "game": "The game that it follows; null: the player's own games.",
            "created": "When it was made.",
            "expires": "When it ends with the token that made it; null: never.",
            "delivered": "When a message last arrived.",
            "failed": "When a message last failed.",
            "error": "Why it failed.",
            "due": "When the next attempt is due.",
            "attempts": "Failures since the last arrival.",
            "failing": "When the first of them was.",
            "waiting": "Messages that wait.",
            "dropped": "Messages that were given up.",
            "off": "When the service switched it off.",
            "off_because": "Why.",
        },
        by_query("""
            SELECT id, url, tournament, game, created, expires, delivered, failed, error, due, attempts, failing,
                waiting, dropped, off, off_because
            FROM webhooks WHERE player = %(player)s ORDER BY created, id
        """),
    ),
    ExportKind(
        "webhook_messages",
        "Messages that wait for the receiver of a webhook.",
        {
            "hook": "The webhook.",
            "number": "The number of the message.",
            "what": "What it tells.",
            "stream": "The game or tournament that it is about.",
            "seq": "The number of the event there.",
        },
        by_query("""
            SELECT hook, number, what, stream, seq FROM deliveries
            WHERE hook IN (SELECT id FROM webhooks WHERE player = %(player)s) ORDER BY hook, number
        """),
    ),
    ExportKind(
        "reports",
        "What the player reported to the administrators.",
        {
            "id": "The id of the report.",
            "about": "The kind of thing.",
            "thing": "The player, game, study or tournament.",
            "number": "The number of the chapter, comment or event there; 0: the thing itself.",
            "kind": "What is wrong with it.",
            "words": "The words of the player.",
            "created": "When it was reported.",
            "settled": "When an administrator settled it.",
        },
        by_query("""
            SELECT id, about, thing, number, kind, words, created, settled FROM reports
            WHERE reporter = %(player)s ORDER BY created, id
        """),
    ),
    ExportKind(
        "talk",
        "What the player wrote at tables and in tournaments, without what was erased.",
        {
            "stream": "The game or tournament.",
            "number": "The number of the message there.",
            "room": "players, spectators or tournament.",
            "version": "The number of the newest event that the player saw.",
            "at": "When it was written.",
            "text": "The text.",
        },
        by_query("""
            SELECT stream, number, room, version, at, text FROM talk_messages
            WHERE player = %(player)s AND text IS NOT NULL ORDER BY at, stream, number
        """),
    ),
    ExportKind(
        "talk_reading",
        "How the player reads table talk.",
        {"covers": "Whether rough words are covered."},
        by_query("SELECT covers FROM talk_readers WHERE player = %(player)s"),
    ),
    ExportKind(
        "talk_mutes",
        "What the player mutes.",
        {"about": "player, game or tournament.", "muted": "Its id."},
        by_query("SELECT about, muted FROM talk_mutes WHERE player = %(player)s ORDER BY about, muted"),
    ),
    ExportKind(
        "talk_read",
        "Up to which message the player has read.",
        {"stream": "The game or tournament.", "number": "The number of the message."},
        by_query("SELECT stream, number FROM talk_read WHERE player = %(player)s ORDER BY stream"),
    ),
    ExportKind(
        "blocks",
        "The last block of the account by an administrator.",
        {"since": "When it began.", "until": "When it ends or has ended.", "reason": "Why."},
        by_query("SELECT since, until, reason FROM blocks WHERE player = %(player)s ORDER BY since"),
    ),
    ExportKind(
        "administrative_acts",
        "What administrators and operators did to the player, and what the player did as an administrator.",
        {
            "number": "The number in the record of such acts.",
            "act": "What was done.",
            "at": "When.",
            "by_player": "Whether the player did it.",
            "subject_kind": "To what kind of thing.",
            "reason": "The reason, of the player's own acts.",
        },
        by_query("""
            SELECT number, act, (told ->> 'at')::bigint AS at, told ->> 'by' = %(asker)s AS by_player,
                told ->> 'kind' AS subject_kind,
                CASE WHEN told ->> 'by' = %(asker)s THEN told ->> 'reason' END AS reason
            FROM administrative_acts, LATERAL (SELECT convert_from(body, 'UTF8')::json AS told) AS read
            WHERE (subject = %(asker)s AND act <> 'reports_settled') OR told ->> 'by' = %(asker)s ORDER BY number
        """),
    ),
    ExportKind(
        "request_keys",
        "Idempotency keys of the last days. The answers kept for them repeat what other files hold.",
        {"key": "The key.", "at": "When it was used."},
        by_query(
            "SELECT name AS key, (extract(epoch FROM at) * 1000000)::bigint AS at FROM answers"
            " WHERE scope = %(asker)s ORDER BY answers.at, name"
        ),
    ),
)
