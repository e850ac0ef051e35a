"""What is stored of a player's games, tournaments, studies, analyses, ratings and notifications."""

from typing import Final, LiteralString

from service.games.shared_deals import OPEN_TO_ASKER
from service.players.export.acts import own_acts
from service.players.export.kind import ExportKind, by_query

ACTS: Final = "acts"
RATING_CHANGES: Final[LiteralString] = (
    """
SELECT c.game, c.pool, c.stream, c.seq, c.at, c.place, c.players, c.mu_before, c.sigma_before, c.mu, c.sigma
FROM rating_changes AS c JOIN games AS g ON g.id = c.stream WHERE c.player = %(asker)s AND """
    + OPEN_TO_ASKER
    + " ORDER BY c.idx"
)
GAMES: Final[LiteralString] = (
    """
SELECT id, game, status, host IS NOT DISTINCT FROM %(asker)s AS hosts,
    aborted_by IS NOT DISTINCT FROM %(asker)s AS aborted,
    ARRAY(SELECT chair FROM places WHERE places.id = g.id AND places.player = %(asker)s ORDER BY chair) AS chairs,
    ARRAY(SELECT chair FROM kept_seats AS kept WHERE kept.id = g.id AND kept.player = %(asker)s ORDER BY chair)
        AS kept_chairs,
    options, rated, visibility, CASE WHEN """  # noqa: S608 - constants alone
    + OPEN_TO_ASKER
    + """ THEN result END AS result, tournament, rematch_of, created, changed
FROM games AS g WHERE id IN (
    SELECT id FROM places WHERE player = %(asker)s
    UNION SELECT id FROM kept_seats WHERE player = %(asker)s
    UNION SELECT id FROM games WHERE host = %(asker)s
    UNION SELECT id FROM games WHERE aborted_by = %(asker)s
) ORDER BY created, id"""
)
ACTIVITY_KINDS: Final[tuple[ExportKind, ...]] = (
    ExportKind(
        "vacations",
        "Days away, of two years.",
        {"since": "When they began.", "until": "When they ended or end."},
        by_query("SELECT since, until FROM vacations WHERE player = %(player)s ORDER BY since"),
    ),
    ExportKind(
        "programmed_answers",
        "Answers that the player left for own seats.",
        {
            "game": "The game, at /games/ID.",
            "seat": "The seat, from 0.",
            "decision": "The kind of decision; null: any.",
            "move": "The move.",
            "ends": "What ends it.",
            "created": "When it was left.",
            "played": "How often it was played.",
        },
        by_query("""
            SELECT game, seat, decision, move, until AS ends, created, played
            FROM programmed_answers WHERE player = %(player)s ORDER BY created, id
        """),
    ),
    ExportKind(
        "ratings",
        "Ratings, in thousandths as they are computed.",
        {
            "game": "The game.",
            "pool": "Players or programs.",
            "mu": "The estimate.",
            "sigma": "Its uncertainty.",
            "games": "The number of rated games.",
        },
        by_query("SELECT game, pool, mu, sigma, games FROM ratings WHERE player = %(asker)s ORDER BY game, pool"),
    ),
    ExportKind(
        "rating_changes",
        "Every change of a rating, but of tables that are closed to the player until their deal ends.",
        {
            "game": "The game.",
            "pool": "Players or programs.",
            "stream": "The game that was rated, at /games/ID.",
            "seq": "The number of its last event.",
            "at": "When it ended.",
            "place": "The place among those who were rated.",
            "players": "How many were rated.",
            "mu_before": "The estimate before.",
            "sigma_before": "Its uncertainty before.",
            "mu": "The estimate after.",
            "sigma": "Its uncertainty after.",
        },
        by_query(RATING_CHANGES),
    ),
    ExportKind(
        "games",
        "Games that the player hosts, has a seat in, is invited to or aborted. Whole games are at"
        " /v1/games/ID/bundle, moves in notation at /v1/games/ID/replay.",
        {
            "id": "The id of the game.",
            "game": "Which game is played.",
            "status": "open, running, finished or aborted.",
            "hosts": "Whether the player hosts it.",
            "aborted": "Whether the player aborted it.",
            "chairs": "The player's own chairs, from 0 in the order of the table.",
            "kept_chairs": "Chairs that are kept for the player.",
            "options": "The options of the game.",
            "rated": "Whether it is rated.",
            "visibility": "Who may see it.",
            "result": "The result; null while it runs, or while its table is closed to the player.",
            "tournament": "The tournament that it belongs to.",
            "rematch_of": "The game that it repeats.",
            "created": "When it was made.",
            "changed": "When it last changed.",
        },
        by_query(GAMES),
    ),
    ExportKind(
        "records",
        "Written records of games that the player imported: names, place and comments beside the moves.",
        {
            "id": "The game.",
            "headers": "The headers of the record.",
            "below": "Comments after the last move.",
            "notes": "Comments at moves: the number of the event, the lines above it, the comment beside it.",
        },
        by_query("""
            SELECT id, headers, below, coalesce((
                SELECT json_agg(json_build_object('seq', seq, 'above', above, 'beside', beside) ORDER BY seq)
                FROM transcript_notes AS notes WHERE notes.id = transcripts.id
            ), '[]') AS notes
            FROM transcripts WHERE id IN (SELECT id FROM games WHERE host = %(asker)s) ORDER BY id
        """),
    ),
    ExportKind(
        "tournaments",
        "Tournaments that the player hosts or entered.",
        {
            "id": "The id of the tournament.",
            "title": "Its title.",
            "game": "Which game is played.",
            "status": "How far it is.",
            "hosts": "Whether the player hosts it.",
            "entrants": "The player's numbers among the entrants.",
            "withdrawn": "The numbers under which the player withdrew.",
            "created": "When it was made.",
            "changed": "When it last changed.",
        },
        by_query("""
            SELECT id, text_of(id, title) AS title, game, status,
                host = %(asker)s AS hosts,
                ARRAY(SELECT number FROM entries AS own WHERE own.id = tournaments.id AND player = %(asker)s
                    ORDER BY number) AS entrants,
                ARRAY(SELECT number FROM entries AS own WHERE own.id = tournaments.id AND player = %(asker)s AND gone
                    ORDER BY number) AS withdrawn,
                created, changed
            FROM tournaments
            WHERE host = %(asker)s OR id IN (SELECT id FROM entries WHERE player = %(asker)s) ORDER BY created, id
        """),
    ),
    ExportKind(
        "studies",
        "Studies that the player made or is a member of. Their texts by the player are in acts.json.",
        {
            "id": "The id of the study.",
            "title": "Its title; null after it was deleted.",
            "role": "The player's role; null: no member any more.",
            "made": "Whether the player made it.",
            "visibility": "Who may see it; null after it was deleted.",
            "created": "When it was made.",
            "changed": "When it last changed.",
        },
        by_query("""
            SELECT own.study AS id, text_of(own.study, s.title) AS title,
                (SELECT role FROM study_members WHERE stream = own.study AND player = %(asker)s) AS role,
                EXISTS (SELECT FROM study_makers AS m WHERE m.study = own.study AND maker = %(player)s) AS made,
                s.visibility, s.created, s.changed
            FROM (
                SELECT study FROM study_makers WHERE maker = %(player)s
                UNION SELECT stream FROM study_members WHERE player = %(asker)s
            ) AS own LEFT JOIN studies AS s ON s.stream = own.study ORDER BY own.study
        """),
    ),
    ExportKind(
        "analyses",
        "Analyses of games that the player asked for. Their figures are at /v1/analyses/ID.",
        {
            "id": "The id of the analysis.",
            "game": "The game.",
            "level": "The level of the bot.",
            "version": "The version of the level.",
            "steps": "How long it thinks about each decision.",
            "seed": "The seed of its choices.",
            "status": "How far it is.",
            "total": "The number of decisions.",
            "created": "When it was asked for.",
            "changed": "When it last changed.",
        },
        by_query("""
            SELECT id, game, level, version, steps, seed, status, total, created, changed
            FROM analyses WHERE asker = %(asker)s ORDER BY created, id
        """),
    ),
    ExportKind(
        "notifications",
        "What the player was told: your turn, a game started, a game ended, a seat kept.",
        {
            "number": "The number of the notification.",
            "what": "What was told.",
            "stream": "The game.",
            "seq": "The number of its event.",
        },
        by_query("SELECT number, what, stream, seq FROM news WHERE player = %(asker)s ORDER BY number"),
    ),
    ExportKind(
        ACTS,
        "Everything that the player did in games, tournaments and studies, with the texts written there: moves, offers,"
        " comments, annotations, rulings. Of a game that runs, it holds what the player may see.",
        {
            "in": "game, tournament or study.",
            "stream": "Its id.",
            "seq": "The number of the event there.",
            "kind": "The kind of event, as the reference lists them.",
            "at": "When it was done.",
            "hash": "The hash of the event, which the public log holds.",
            "data": "The data of the event; null while the table is closed to the player.",
            "texts": "The texts that the data names by hash; erased ones are missing.",
        },
        own_acts,
    ),
)
