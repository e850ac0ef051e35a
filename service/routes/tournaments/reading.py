"""What anybody can read of a tournament: lists, entrants, rounds, standings, explanations, statistics, the log."""

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from flask import Response, request

from service import accounts, documents, streams
from service.api import Routes, world
from service.credentials import Identity
from service.errors import NotThere
from service.routes.reading import after_of, wanted
from service.routes.tournaments.common import held_by, words_of
from service.schemas import reading as log_schemas
from service.schemas import tournaments as schemas
from service.streams import FORMS, Form, Room
from service.tournaments import archive as archives
from service.tournaments import documents as told
from service.tournaments import explaining, listing, sheets
from service.tournaments.desk import Held
from service.tournaments.documents import Words, computed
from service.tournaments.listing import Cursor
from service.tournaments.live import TournamentSource
from service.transfer import document, live, tagged

routes = Routes("tournament reading", "Reading tournaments: rounds, standings, explanations, archives")
ALL: Final = "/v1/tournaments"
ONE: Final = "/v1/tournaments/<uuid:tournament>"
CSV: Final = "text/csv"
Body = dict[str, Any]
Asker = Identity | None


@routes.on("GET", ALL, query=schemas.TournamentQuery, answers=schemas.TournamentList, readers=True)
def tournaments(query: Body, asker: Asker) -> Response:
    """The newest tournaments, or those that fit."""
    limit = query.pop("limit")
    with world().stores.pool.connection() as connection:
        rows = listing.find(connection, query, None if asker is None else asker.id, limit + 1)
        names = accounts.names(connection, {row["host"] for row in rows})
    shown = rows[:limit]
    after = Cursor(shown[-1]["created"], shown[-1]["id"]).text() if len(rows) > limit else None
    answer = document({"tournaments": [told.row(row, Words(names, {})) for row in shown], "next": after})
    if after is not None:
        asked = [(name, value) for name, value in request.args.items(multi=True) if name != "after"]
        answer.headers["Link"] = f'<{request.path}?{urlencode([*asked, ("after", after)])}>; rel="next"'
    return answer


@routes.on("GET", ONE, answers=schemas.TournamentDocument, readers=True, refuses=(404,))
def tournament(tournament: UUID, asker: Asker) -> Response:
    """A tournament with its regulations, and how far it has come."""
    held = held_by(tournament, asker)
    return tagged(("tournament", held.head), lambda: document(told.summary(held, words_of(held))))


@routes.on("GET", f"{ONE}/entrants", answers=schemas.EntrantsDocument, readers=True, refuses=(404,))
def entrants(tournament: UUID, asker: Asker) -> Response:
    """Everybody who entered, and who was invited."""
    held = held_by(tournament, asker)
    return tagged(("entrants", held.head), lambda: document(told.entrants(held, words_of(held))))


@routes.on("GET", f"{ONE}/rounds", answers=schemas.RoundsDocument, readers=True, refuses=(404,))
def rounds(tournament: UUID, asker: Asker) -> Response:
    """All rounds so far, with their tables."""
    held = held_by(tournament, asker)

    def build() -> Response:
        known = words_of(held)
        return document(computed(held, rounds=[told.round_document(held, one, known) for one in held.known.rounds]))

    return tagged(("rounds", held.head), build)


@routes.on(
    "GET",
    f"{ONE}/rounds/<int:number>",
    answers=schemas.RoundDocument,
    readers=True,
    refuses=(404,),
    streams=(CSV,),
)
def round_(tournament: UUID, number: int, asker: Asker) -> Response:
    """A round with its tables; by `Accept: text/csv` the pairing sheet."""
    held = held_by(tournament, asker)
    current = _round(held, number)
    if _wants_csv():
        return tagged(
            ("sheet", held.head, number), lambda: _csv(sheets.round_sheet(held.known, current, words_of(held)))
        )
    return tagged(("round", held.head, number), lambda: document(told.round_document(held, current, words_of(held))))


@routes.on("GET", f"{ONE}/rounds/<int:number>/pairing", answers=schemas.PairingDocument, readers=True, refuses=(404,))
def pairing(tournament: UUID, number: int, asker: Asker) -> Response:
    """Why a round is paired as it is: computed again from the recorded version and seed, with its reasons."""
    held = held_by(tournament, asker)
    current = _round(held, number)

    def build() -> Response:
        then = world().desk.at(tournament, current.inputs)
        found = explaining.paired_again(then, current)
        return document(explaining.told_pairing(held, number, current.attempt, found, words_of(held)))

    return tagged(("pairing", held.head, number), build)


@routes.on(
    "GET",
    f"{ONE}/standings",
    query=schemas.StageQuery,
    answers=schemas.StandingsDocument,
    readers=True,
    refuses=(404,),
    streams=(CSV,),
)
def standings(tournament: UUID, query: Body, asker: Asker) -> Response:
    """The standings of a stage, and the version they were computed at; by `Accept: text/csv` as a sheet."""
    held = held_by(tournament, asker)
    stage = _stage(held, query["stage"])
    if _wants_csv():
        return tagged(
            ("ranks", held.head, stage), lambda: _csv(sheets.standings_sheet(held.known, stage, words_of(held)))
        )
    return tagged(
        ("standings", held.head, stage), lambda: document(explaining.told_standings(held, stage, words_of(held)))
    )


@routes.on(
    "GET",
    f"{ONE}/standings/<int:entrant>",
    query=schemas.StageQuery,
    answers=schemas.RankDocument,
    readers=True,
    refuses=(404,),
)
def rank(tournament: UUID, entrant: int, query: Body, asker: Asker) -> Response:
    """Why somebody stands where they stand, down to the events that each summand rests on."""
    held = held_by(tournament, asker)
    stage = _stage(held, query["stage"])
    return tagged(
        ("rank", held.head, stage, entrant),
        lambda: document(explaining.told_rank(held, stage, entrant, words_of(held))),
    )


@routes.on(
    "GET",
    f"{ONE}/cross-table",
    query=schemas.StageQuery,
    answers=schemas.CrossTable,
    readers=True,
    refuses=(404,),
    streams=(CSV,),
)
def cross_table(tournament: UUID, query: Body, asker: Asker) -> Response:
    """Who had what in which round; by `Accept: text/csv` as a sheet."""
    held = held_by(tournament, asker)
    stage = _stage(held, query["stage"])
    if _wants_csv():
        return tagged(
            ("crossed", held.head, stage), lambda: _csv(sheets.cross_sheet(held.known, stage, words_of(held)))
        )
    return tagged(
        ("cross", held.head, stage), lambda: document(explaining.told_cross_table(held, stage, words_of(held)))
    )


@routes.on(
    "GET",
    f"{ONE}/statistics",
    query=schemas.StageQuery,
    answers=schemas.Statistics,
    readers=True,
    refuses=(404,),
    streams=(CSV,),
)
def statistics(tournament: UUID, query: Body, asker: Asker) -> Response:
    """How the seats did in a stage, and what ended the games; by `Accept: text/csv` as a sheet."""
    held = held_by(tournament, asker)
    stage = _stage(held, query["stage"])
    if _wants_csv():
        return tagged(("counted", held.head, stage), lambda: _csv(sheets.statistics_sheet(held.known, stage)))
    return tagged(("statistics", held.head, stage), lambda: document(explaining.told_statistics(held, stage)))


@routes.on(
    "GET",
    f"{ONE}/events",
    query=log_schemas.LogQuery,
    answers=log_schemas.LogPage,
    readers=True,
    refuses=(404,),
    streams=tuple(FORMS),
)
def events(tournament: UUID, query: Body, asker: Asker) -> Response:
    """The log of the tournament itself: a page, a long poll or, by `Accept`, a stream as it happens."""
    held_by(tournament, asker)
    form, after = FORMS.get(wanted("application/json", *FORMS)), after_of(query["after"])
    if form is not None:
        return live(_lines(tournament, after, form), form.media_type)
    with world().feeds.on(tournament) as feed:
        streams.awaited(TournamentSource(feed), after, query["wait"], world().feeds.closing)
    found = list(world().shelf.book.read(tournament, after, query["limit"]))
    page = [documents.event_document(event) for event in found]
    return document({"events": page, "next": found[-1].seq if found else after})


def _lines(tournament: UUID, after: int, form: Form) -> Iterator[bytes]:
    """The stream; what it needs of the request is taken before the first line is asked for."""
    feeds, room = world().feeds, Room(request.environ.get("gunicorn.socket"))

    def lines() -> Iterator[bytes]:
        with feeds.on(tournament) as feed:
            yield from streams.stream(TournamentSource(feed), after, form, room, feeds.closing)

    return lines()


@routes.on("GET", f"{ONE}/archive", readers=True, refuses=(404, 409), streams=("application/zip",))
def archive(tournament: UUID, asker: Asker) -> Response:
    """Everything an outsider needs to verify a tournament that is over: `cabildo verify FILE`."""
    held = held_by(tournament, asker)
    with world().stores.pool.connection() as connection:
        packed = archives.archive(connection, world().settings, held)
    name = f'attachment; filename="{tournament}.zip"'
    return Response(packed, content_type="application/zip", headers={"Content-Disposition": name})


def _round(held: Held, number: int) -> Any:
    if not 1 <= number <= len(held.known.rounds):
        raise NotThere("round", number)
    return held.known.rounds[number - 1]


def _stage(held: Held, asked: int | None) -> int:
    """The stage that is asked about, or the newest; refuses with NotThere."""
    stages = len(held.known.stages)
    if asked is None and not stages:
        raise NotThere("stage yet, for none has begun:", held.id)
    stage = asked or stages
    if not 1 <= stage <= stages:
        raise NotThere("stage", stage)
    return stage


def _wants_csv() -> bool:
    return request.accept_mimetypes.best_match(("application/json", CSV)) == CSV


def _csv(text: str) -> Response:
    return Response(text, content_type=f"{CSV}; charset=utf-8")
