"""Pages of a tournament: overview, rounds, standings, cross-table and statistics, explained and printable."""

from typing import Final
from uuid import UUID

from flask import Blueprint, Response, render_template, request

from projections.tournaments import inputs
from projections.tournaments.record import FINISHED, OPEN, TournamentRecord
from projections.tournaments.standings import statistics
from projections.tournaments.values import Pairing, StandingsLine
from service.core.errors import NotThere
from service.games.shared_deals import opened_to
from service.pages.games.board_labels import setting
from service.pages.games.game_lists import TITLES
from service.pages.site.visitor import reader
from service.pages.tournaments import regulation_forms
from service.pages.tournaments.board import board_of
from service.pages.tournaments.own_round import own_table, seat_choice
from service.players.identity import player_id
from service.players.queries import names_of
from service.tournaments import documents, explanations, listing, sheets
from service.tournaments.documents import TournamentNames
from service.tournaments.entries import admits_late
from service.web.responses import csv_response, request_language
from service.web.routing import container

MOST: Final = 50  # tournaments in a list
FIRST: Final = 3  # ranks on the overview of a finished tournament
pages = Blueprint("tournament_pages", __name__)


@pages.get("/tournaments")
def tournaments() -> str:
    """Lists the tournaments that the reader may see, newest first."""
    query = dict.fromkeys(("status", "game", "player")) | {"after": request.args.get("after")}
    with container().stores.pool.connection() as connection:
        page = listing.find(connection, query, player_id(reader()), MOST, request_language())
        names = names_of(connection, {row["host"] for row in page.rows})
    found = [documents.row(row, TournamentNames(names, {})) for row in page.rows]
    return render_template("tournaments.html", found=found, more=page.next, titles=TITLES)


@pages.get("/tournaments/<uuid:tournament>")
def overview(tournament: UUID) -> str:
    """Renders the regulations, entrants and rounds."""
    board = board_of(tournament)
    entrants = documents.entrants(board.state, board.names)["entrants"]
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
        entrants=entrants,
        rulings=documents.rulings(board.state, board.names)["rulings"],
        admits=board.record.status == OPEN or admits_late(board.record),
        ruled=board.ruled,
        seat_choice=None if identity is None else seat_choice(board.record, identity.id),
        own_table=None if identity is None else own_table(board.record, identity.id),
    )


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
    document = documents.round_document(board.state, current, board.names)
    pairing: Pairing | None = None
    if "why" in request.args:
        pairing = explanations.paired_again(container().tournaments.at(tournament, current.inputs).known, current)
    opened = opened_to(board.record, current, player_id(reader()))
    return board.page("tournament_round.html", round=document, pairing=pairing, opened=opened)


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
    return csv_response(sheets.OF_STAGE[what](board.record, board.stage(), board.names))


@pages.get("/tournaments/<uuid:tournament>/statistics")
def statistics_(tournament: UUID) -> str:
    """Renders the results by seat and the causes of games' ends."""
    board = board_of(tournament)
    stage = board.stage()
    ends = statistics.ends(inputs.rounds_of(board.record, stage))
    return board.page(
        "tournament_statistics.html", stage=stage, seats=explanations.seats_of(board.record, stage), ends=ends
    )
