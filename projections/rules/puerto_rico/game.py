"""Puerto Rico as the Game protocol sees it; everything is done elsewhere."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from events.json_types import Json, JsonObject
from projections.rules.constants import as_document, constants
from projections.rules.dealer import Dealer
from projections.rules.errors import BadFact
from projections.rules.fact_recorder import FactRecorder
from projections.rules.move_collection import Moves
from projections.rules.move_writer import ListedMoveWriter, MoveWriter
from projections.rules.options import Options
from projections.rules.protocol import Fact, Outcome
from projections.rules.puerto_rico import rulings, scoring, setup, tables
from projections.rules.puerto_rico.buildings import printed as buildings
from projections.rules.puerto_rico.engine import flow
from projections.rules.puerto_rico.engine.apply import apply_fact
from projections.rules.puerto_rico.engine.fact_recorder import ReactingRecorder
from projections.rules.puerto_rico.kinds import OVER
from projections.rules.puerto_rico.long_choices.placement_writer import PlacementWriter
from projections.rules.puerto_rico.long_choices.placements import Placements
from projections.rules.puerto_rico.moves import Move, Recall
from projections.rules.puerto_rico.plan import DECISIONS
from projections.rules.puerto_rico.rulings import EVERY_CHOICE, NEWEST, read_options, rulings_of
from projections.rules.puerto_rico.state import document as documents
from projections.rules.puerto_rico.state import restore as restoring
from projections.rules.puerto_rico.state import sample_hidden, stored_facts, view
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.state.spans import spans_of
from projections.rules.puerto_rico.tables import SEATS
from projections.rules.puerto_rico.text import board, move_parser, notation, wording
from projections.rules.puerto_rico.text.notation_examples import EXAMPLES
from projections.rules.puerto_rico.text.refusals import refusal


class PuertoRico:
    """The rules of one version of Puerto Rico."""

    name = "puerto_rico"
    seats = SEATS
    choices = EVERY_CHOICE
    examples = EXAMPLES
    decisions = tuple(dict.fromkeys(DECISIONS.values()))
    landmarks = frozenset(("role_taken", "building_bought", "building_drafted", "tile_taken", "good_sold"))

    def __init__(self, version: str = NEWEST) -> None:
        self.rules = version

    @property
    def tables(self) -> Mapping[str, Json]:
        """Every number, name and row that these rules read."""
        fixed = {"fixed": as_document(rulings.VERSIONS[self.rules])}
        return constants(tables, *tables.READ_BY_THE_RULES) | constants(buildings, "KINDS") | fixed

    def read_options(self, given: JsonObject, seats: int) -> Options:
        """All options by the reference's names, defaults filled in; refuses with BadOptions."""
        return read_options(given, seats)

    def secrets(self, options: Options) -> Mapping[str, str]:
        """Facts that only the seat they name may know, and the facts that reveal them (R-24, R-26)."""
        faces = {"tile_drawn": "drawn_tile_placed"} if options["forest_face"] == "owner_only" else {}
        placements = {"placement_sealed": "people_placed"} if options["mayor_placement"] == "simultaneous" else {}
        return faces | placements

    def set_up(self, options: Options, seats: int, dealer: Dealer, recorder: FactRecorder[Position]) -> Position:
        """The position before the first decision."""
        assert isinstance(recorder, ReactingRecorder)
        position = self.blank(options, seats)
        setup.add_chance(position, dealer, recorder)
        flow.proceed(position, dealer, recorder)
        return position

    def blank(self, options: Options, seats: int) -> Position:
        """The table with everything that needs no chance."""
        return setup.blank_position(rulings_of(self.rules, options, seats), seats)

    def recorder(self, *, recording: bool) -> ReactingRecorder:
        """A recorder whose facts the buildings hear."""
        return ReactingRecorder(recording=recording)

    def copy(self, position: Position) -> Position:
        """An independent copy."""
        return position.copy()

    def actor(self, position: Position) -> int | None:
        """The seat to act; None when the game is over."""
        return None if position.phase == OVER else position.actor

    def decision(self, position: Position) -> str | None:
        """The decision point; None when the game is over."""
        return None if position.phase == OVER else DECISIONS[position.step]

    def spans(self, position: Position, seat: int) -> Mapping[str, int]:
        """The stretches of the game that run now, each with its number."""
        return spans_of(position, seat)

    def aim(self, _position: Position, _move: Move) -> str | None:
        """None: every move tells all."""
        return None

    def aimed(self, _position: Position, move: Move, _card: str) -> Move | None:
        """The same move."""
        return move

    def legal(self, position: Position) -> Moves[Move]:
        """The moves of the seat to act; none when the game is over."""
        if position.offer is None:
            position.offer = flow.open_moves(position)
        return position.offer

    def writer(self, position: Position) -> MoveWriter:
        """Writes one of these moves word by word, a placement place by place."""
        moves = self.legal(position)
        if isinstance(moves, Placements):
            return PlacementWriter(moves)
        return ListedMoveWriter((notation.write(move), move) for move in moves)

    def play(self, position: Position, move: Move, dealer: Dealer, recorder: FactRecorder[Position]) -> None:
        """Make a legal move and all that follows by itself; refuses with IllegalMove."""
        if move not in self.legal(position):
            raise refusal(position, move)
        assert isinstance(recorder, ReactingRecorder)
        position.offer = None
        flow.execute(position, position.actor, position.step, move, dealer, recorder)
        flow.proceed(position, dealer, recorder, again=isinstance(move, Recall))

    def canonical(self, position: Position, move: Move) -> Move:
        """The listed move that does the same; refuses with IllegalMove, saying why in a sentence."""
        if move not in self.legal(position):
            raise refusal(position, move)
        return move

    def apply(self, position: Position, fact: Fact) -> None:
        """Change the position as a recorded fact says; raises BadFact if it cannot be applied."""
        position.offer = None
        try:
            apply_fact(position, fact)
        except (IndexError, KeyError, TypeError, ValueError) as wrong:
            raise BadFact(fact, "it cannot happen here") from wrong

    def outcome(self, position: Position) -> Outcome | None:
        """The result; None while the game runs."""
        return scoring.outcome(position) if position.phase == OVER else None

    def scores(self, position: Position) -> Sequence[JsonObject]:
        """Each seat's points now, item by item."""
        return [scoring.score(position, seat) for seat in range(position.seats)]

    def points_by_kind(self, position: Position, seat: int) -> Mapping[str, int]:
        """Returns the parts of a seat's points by kind."""
        return scoring.points_by_kind(position, seat)

    def parse(self, text: str) -> Move:
        """Read a move in any accepted spelling; refuses with UnreadableMove."""
        return move_parser.read(text)

    def notation(self, move: Move) -> str:
        """The canonical text of a move."""
        return notation.write(move)

    def encode(self, fact: Any) -> Json:
        """A fact as an event stores it."""
        return stored_facts.encode(fact)

    def decode(self, stored: Json) -> Fact:
        """The fact that was stored."""
        return stored_facts.decode(stored)

    def document(self, position: Position) -> JsonObject:
        """The whole position as plain JSON with names."""
        return documents.document(position)

    def restore(self, document: JsonObject) -> Position:
        """The position of a document; refuses the impossible with ImpossiblePosition."""
        return restoring.restore(document, self.rules)

    def view(self, position: Position, seat: int | None) -> JsonObject:
        """The document as a seat (None: a spectator) may see it."""
        return view.view(position, seat)

    def suppose(self, view: JsonObject, source: random.Random) -> JsonObject:
        """A document that a view could be of."""
        return sample_hidden.suppose(view, source)

    def board(self, position: Position, seat: int | None, language: str = "en", *, whole: bool = False) -> str:
        """A plain-text board for terminals and screen readers; `whole` hides nothing."""
        document = self.document(position) if whole else self.view(position, seat)
        return board.board(document, position.rulings.costs, seat, language)

    def label(self, position: Position, move: Move, language: str = "en") -> str:
        """Returns a move as an order to the player."""
        return wording.order(position, move, language)

    def report(self, position: Position, move: Move, language: str = "en") -> str:
        """Returns a move played from a position in the past tense, without its player."""
        return wording.report(position, move, language)

    def effect(self, position: Position, move: Move, language: str = "en") -> str:
        """Returns the gains and costs of the move in a few words; empty when there are none."""
        return wording.effect(position, move, language)
