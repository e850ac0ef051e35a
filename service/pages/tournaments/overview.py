"""Pages of a tournament: overview, rounds, standings, cross-table and statistics, explained and printable."""

from functools import partial
from typing import Any, Final, NamedTuple
from uuid import UUID

from flask import Blueprint, Response, render_template, request

from projections.tournaments import inputs
from projections.tournaments.documents import rounded_text
from projections.tournaments.record import FINISHED, OPEN, PAIRED, RUNNING, STARTED, Sitting, TournamentRecord
from projections.tournaments.standings import statistics
from projections.tournaments.values import Pairing, StandingsLine
from service.core.errors import NotThere
from service.games.shared_deals import opened_to
from service.i18n import phrases
from service.pages.games.board_labels import setting
from service.pages.games.game_lists import TITLES
from service.pages.site.visitor import reader
from service.pages.tournaments import regulation_forms
from service.pages.tournaments.enter import wishing
from service.pages.tournaments.reasons import Naming, criterion, part_words, scheme, sentences
from service.players.identity import player_id
from service.players.queries import names_of
from service.tournaments import documents, explanations, listing, sheets
from service.tournaments.documents import Document, TournamentNames
from service.tournaments.entries import admits_late
from service.tournaments.queries import tournament_names, visible_tournament
from service.tournaments.repository import TournamentState
from service.web.responses import csv_response, request_language
from service.web.routing import container

MINUTE: Final = 60
MOST: Final = 50  # tournaments in a list
FIRST: Final = 3  # ranks on the overview of a finished tournament
pages = Blueprint("tournament_pages", __name__)


class Board:
    """A tournament as its pages show it to a visitor."""

    def __init__(self, state: TournamentState) -> None:
        self.held = state
        self.known: TournamentNames = tournament_names(container(), state, request_language())
        self.record = self.held.known
        self.people: dict[str, Document] = self.known.entrants(self.record)
        self.name = Naming(request_language(), self.people)

    def stage(self) -> int:
        """Returns the stage of the query, or the newest; raises NotThere."""
        asked = request.args.get("stage", str(len(self.record.stages)))
        if not asked.isdecimal() or not 1 <= int(asked) <= len(self.record.stages):
            raise NotThere("stage", asked)
        return int(asked)

    def rounds(self, stage: int) -> list[int]:
        """Returns the tournament's numbers of a stage's rounds."""
        return [one.number for one in self.record.rounds_of(stage)]

    def ruled(self, ruling: Document) -> str:
        """Returns a ruling as a sentence of the log."""
        about = dict(ruling["about"])
        for name in ("entrant", "by"):
            if name in about:
                about[name] = self.name(self.record.entry(about[name]).player)
        if "seconds" in about:
            about["minutes"] = f"{about['seconds'] / MINUTE:g}"
        return phrases.phrase(request_language(), f"desk.did_{ruling['ruling']}", **about)

    def page(self, template: str, **more: Any) -> str:
        """Renders a template with the variables that all pages of the tournament share."""
        words = request_language()
        return render_template(
            template,
            about=documents.summary(self.held, self.known),
            record=self.record,
            people=self.people,
            name=self.name,
            shown=rounded_text,
            criterion=partial(criterion, words),
            scheme=partial(scheme, words),
            sentences=partial(sentences, words, self.name),
            part_words=partial(part_words, words, self.name),
            stages=[inputs.stage_of(self.record, number + 1) for number in range(self._declared())],
            titles=TITLES,
            **more,
        )

    def _declared(self) -> int:
        return len(self.record.regulations["stages"])


def board_of(tournament: UUID) -> Board:
    """Returns a tournament that the visitor may see; raises NotThere."""
    return Board(visible_tournament(container(), tournament, player_id(reader())))


@pages.get("/tournaments")
def tournaments() -> str:
    """Lists the tournaments that the reader may see, newest first."""
    asked = dict.fromkeys(("status", "game", "player")) | {"after": request.args.get("after")}
    with container().stores.pool.connection() as connection:
        page = listing.find(connection, asked, player_id(reader()), MOST)
        names = names_of(connection, {row["host"] for row in page.rows})
    found = [documents.row(row, TournamentNames(names, {})) for row in page.rows]
    return render_template("tournaments.html", found=found, more=page.next, titles=TITLES)


@pages.get("/tournaments/<uuid:tournament>")
def overview(tournament: UUID) -> str:
    """Renders the regulations, entrants and rounds."""
    board = board_of(tournament)
    told = documents.entrants(board.held, board.known)["entrants"]
    identity, regulations = reader(), board.record.regulations
    with container().stores.pool.connection() as connection:
        given = regulation_forms.form_of(regulations, connection)
    return board.page(
        "tournament.html",
        best=_best(board.record),
        given=given,
        first_fields=regulation_forms.FIRST,
        other_fields=regulation_forms.OTHERS,
        stage_fields=regulation_forms.FURTHER,
        buildings=setting(regulations["game"], request_language()).get("names", {}).get("buildings", {}),
        entrants=told,
        rulings=documents.rulings(board.held, board.known)["rulings"],
        admits=board.record.status == OPEN or admits_late(board.record),
        ruled=board.ruled,
        wishing=None if identity is None else wishing(board.record, identity.id),
        own_table=None if identity is None else own_table(board.record, identity.id),
    )


class OwnTable(NamedTuple):
    """The player's table in the round that players can see; without a table, a bye."""

    round: int
    table: Sitting | None
    opens: bool  # whether the game can be opened


def own_table(record: TournamentRecord, player: str) -> OwnTable | None:
    """Returns the player's table in the round that players can see; None for other visitors or without such a round."""
    entry, current = record.entry_of(player), record.round
    if entry is None or current is None or current.status == PAIRED or record.status != RUNNING:
        return None
    table = next((one for one in current.tables if entry.number in one.paired), None)
    if table is None:
        return OwnTable(current.number, None, opens=False) if entry.number in current.byes else None
    return OwnTable(current.number, table, current.status == STARTED and table.game is not None and table.void is None)


def _best(record: TournamentRecord) -> list[StandingsLine]:
    """Returns the first three ranks of a finished tournament."""
    if record.status != FINISHED or not record.rounds:
        return []
    return [line for line in explanations.standings_of(record, len(record.stages)).lines if line.rank <= FIRST]


@pages.get("/tournaments/<uuid:tournament>/rounds/<int:number>")
def round_(tournament: UUID, number: int) -> str:
    """Renders the tables of a round with results; with `why`, the reasons of the pairing."""
    board = board_of(tournament)
    if not 1 <= number <= len(board.record.rounds):
        raise NotThere("round", number)
    current = board.record.rounds[number - 1]
    told = documents.round_document(board.held, current, board.known)
    because: Pairing | None = None
    if "why" in request.args:
        because = explanations.paired_again(container().tournaments.at(tournament, current.inputs).known, current)
    opened = opened_to(board.record, current, player_id(reader()))
    return board.page("tournament_round.html", round=told, because=because, opened=opened)


@pages.get("/tournaments/<uuid:tournament>/standings")
def standings(tournament: UUID) -> str:
    """Renders the standings of a stage, with links to the reasons of each rank."""
    board = board_of(tournament)
    stage = board.stage()
    return board.page(
        "tournament_standings.html", stage=stage, standings=explanations.standings_of(board.record, stage)
    )


@pages.get("/tournaments/<uuid:tournament>/standings/<int:entrant>")
def rank(tournament: UUID, entrant: int) -> str:
    """Renders the figures behind an entrant's rank down to summands, each with its events."""
    board = board_of(tournament)
    stage = board.stage()
    numbers = inputs.numbers_of(board.record)
    lines = explanations.standings_of(board.record, stage).lines
    line = next((line for line in lines if numbers[line.player] == entrant), None)
    if line is None:
        raise NotThere("entrant in this stage", entrant)
    return board.page("tournament_rank.html", stage=stage, line=line, numbers=board.rounds(stage))


@pages.get("/tournaments/<uuid:tournament>/cross-table")
def cross_table(tournament: UUID) -> str:
    """Renders the results of all entrants by round."""
    board = board_of(tournament)
    stage = board.stage()
    table = explanations.cross_table_of(board.record, stage)
    ranks = {row.player: row.rank for row in table.rows}
    return board.page("tournament_cross.html", stage=stage, table=table, ranks=ranks, numbers=board.rounds(stage))


@pages.get("/tournaments/<uuid:tournament>/<any('standings', 'cross-table', 'statistics'):what>.csv")
def sheet(tournament: UUID, what: str) -> Response:
    """Exports a page as CSV."""
    board = board_of(tournament)
    return csv_response(sheets.OF_STAGE[what](board.record, board.stage(), board.known))


@pages.get("/tournaments/<uuid:tournament>/statistics")
def statistics_(tournament: UUID) -> str:
    """Renders the results by seat and the causes of games' ends."""
    board = board_of(tournament)
    stage = board.stage()
    ends = statistics.ends(inputs.rounds_of(board.record, stage))
    return board.page(
        "tournament_statistics.html", stage=stage, seats=explanations.seats_of(board.record, stage), ends=ends
    )
