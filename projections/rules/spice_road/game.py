"""Century: Spice Road behind the Game protocol; gathers the tables of the actions."""

import random
from collections.abc import Mapping, Sequence

from events.json_types import Json, JsonObject
from projections.rules.constants import as_document, constants
from projections.rules.dealer import Dealer
from projections.rules.errors import GameIsOver, IllegalMove
from projections.rules.fact_recorder import FactRecorder
from projections.rules.move_writer import ListedMoveWriter, MoveWriter
from projections.rules.options import Options
from projections.rules.protocol import Fact, Outcome
from projections.rules.spice_road import aims, cards, cubes, rulings, scoring, setup
from projections.rules.spice_road import choices as legal
from projections.rules.spice_road.actions import turn
from projections.rules.spice_road.apply import apply
from projections.rules.spice_road.deeds import CHECKS, DEEDS
from projections.rules.spice_road.fact_recorder import QuietRecorder
from projections.rules.spice_road.moves import Drop, Move
from projections.rules.spice_road.state import document, sample_hidden, stored_facts, view
from projections.rules.spice_road.state.position import Position
from projections.rules.spice_road.text import board, notation, wording
from projections.rules.spice_road.text.notation_examples import EXAMPLES
from projections.rules.spice_road.text.refusals import sentences


class SpiceRoad:
    """The rules of one version of the game."""

    name = "spice_road"
    seats = rulings.SEATS
    choices = rulings.CHOICES
    examples = EXAMPLES
    decisions = document.DECISIONS
    landmarks = frozenset(("merchant_card_taken", "point_card_claimed"))

    def __init__(self, version: str = rulings.NEWEST) -> None:
        self.rules = version

    @property
    def tables(self) -> Mapping[str, Json]:
        """Every number, name and row that these rules read."""
        fixed = {"fixed": as_document(rulings.VERSIONS[self.rules])}
        return constants(cards, "STARTING", "MERCHANT", "POINT") | constants(cubes, "SPICES", "RAISED") | fixed

    def read_options(self, given: JsonObject, seats: int) -> Options:
        """All options by the reference's names, defaults filled in; refuses with BadOptions."""
        return rulings.read_options(given, seats)

    def secrets(self, options: Options) -> Mapping[str, str]:
        """Facts that only the seat they name may know: none but the first hand, for cards are taken in the open."""
        return {"hand_dealt": ""} if options["hand_visibility"] == "owner_only" else {}

    def set_up(self, options: Options, seats: int, dealer: Dealer, recorder: FactRecorder[Position]) -> Position:
        """The position before the first turn."""
        position = self.blank(options, seats)
        setup.deal(position, dealer, recorder)
        return position

    def blank(self, options: Options, seats: int) -> Position:
        """Both decks face down, nothing dealt yet."""
        return setup.blank(rulings.rulings(self.rules, options, seats), seats)

    def recorder(self, *, recording: bool) -> FactRecorder[Position]:
        """A recorder of this game; nothing reacts to its facts."""
        return QuietRecorder(recording=recording)

    def copy(self, position: Position) -> Position:
        """An independent copy; cheap."""
        return position.copy()

    def actor(self, position: Position) -> int | None:
        """The seat to act; None when the game is over."""
        return None if position.over else position.turn

    def decision(self, position: Position) -> str | None:
        """`action` or `caravan_limit`; None when the game is over."""
        return document.decision(position)

    def spans(self, position: Position, _seat: int) -> Mapping[str, int]:
        """The stretches of the game that run now, each with its number; the same for all seats."""
        before_the_last = {} if position.final_round else {"last_round": 0}
        return {"round": position.round, **before_the_last}

    def aim(self, position: Position, move: Move) -> str | None:
        """The card in a row that a move is about; None for other moves, empty when no card lies there."""
        return aims.aim(position, move)

    def aimed(self, position: Position, move: Move, card: str) -> Move | None:
        """The same move at the place where its card lies now; None when it lies there no more."""
        return aims.aimed(position, move, card)

    def legal(self, position: Position) -> legal.Choices:
        """The moves of the seat to act."""
        return legal.legal(position)

    def writer(self, position: Position) -> MoveWriter:
        """Writes one of these moves word by word."""
        return ListedMoveWriter((notation.notation(move), move) for move in legal.legal(position))

    def play(self, position: Position, move: Move, dealer: Dealer, recorder: FactRecorder[Position]) -> None:
        """Make a listed move; the turn passes on unless the caravan holds too much."""
        listed = self.canonical(position, move)
        if listed is not move and listed != move:
            raise turn.refused(move, "not_as_listed", "R-10")
        DEEDS[type(move)](position, move, dealer, recorder)
        turn.finish(position, recorder)

    def canonical(self, position: Position, move: Move) -> Move:
        """The listed move that does the same; refuses with IllegalMove, saying why in a sentence."""
        check = CHECKS.get(type(move))
        if check is None:
            words = sentences("unknown_move")
            raise IllegalMove(repr(move), "unknown_move", "4", words["en"], words)
        if position.over:
            words = sentences("game_over")
            raise GameIsOver(notation.notation(move), "game_over", "8", words["en"], words)
        if (type(move) is Drop) is not (position.excess > 0):
            raise _out_of_place(position, move)
        return check(position, move)

    def apply(self, position: Position, fact: Fact) -> None:
        """Change the position as the fact says; knows no rules, draws nothing."""
        apply(position, fact)

    def outcome(self, position: Position) -> Outcome | None:
        """The result; None while the game runs."""
        return scoring.outcome(position)

    def scores(self, position: Position) -> Sequence[JsonObject]:
        """Each seat's points now, item by item."""
        scores = (scoring.score(position, seat) for seat in range(position.seats))
        return [{**score._asdict(), "total": score.total} for score in scores]

    def points_by_kind(self, position: Position, seat: int) -> Mapping[str, int]:
        """Returns the parts of a seat's points by kind."""
        point_cards, gold, silver, cubes = scoring.score(position, seat)[1:]
        return {"point_cards": point_cards, "gold": gold, "silver": silver, "cubes": cubes}

    def parse(self, text: str) -> Move:
        """Read a move in any accepted spelling; refuses with UnreadableMove."""
        return notation.parse(text)

    def notation(self, move: Move) -> str:
        """The canonical text of a move."""
        return notation.notation(move)

    def encode(self, fact: Fact) -> Json:
        """A fact as an event stores it: its name, then its fields."""
        return stored_facts.encode(fact)

    def decode(self, stored: Json) -> Fact:
        """The fact that was stored."""
        return stored_facts.decode(stored)

    def document(self, position: Position) -> JsonObject:
        """The whole position as plain JSON with names."""
        return document.document(position)

    def restore(self, given: JsonObject) -> Position:
        """The position of a document, edited or not; refuses the impossible with ImpossiblePosition."""
        return document.restore(given)

    def view(self, position: Position, seat: int | None) -> JsonObject:
        """The document as a seat (None: a spectator) may see it; with the paths it hides."""
        return view.view(position, seat)

    def suppose(self, view: JsonObject, source: random.Random) -> JsonObject:
        """A document that a view could be of."""
        return sample_hidden.suppose(view, source)

    def board(self, position: Position, seat: int | None, language: str = "en", *, whole: bool = False) -> str:
        """A plain-text board for terminals and screen readers; `whole` hides nothing."""
        return board.board(position, seat, language, whole=whole)

    def label(self, position: Position, move: Move, language: str = "en") -> str:
        """Returns a move as an order to the player."""
        return wording.order(position, move, language)

    def report(self, position: Position, move: Move, language: str = "en") -> str:
        """Returns a move played from a position in the past tense, without its player."""
        return wording.report(position, move, language)

    def effect(self, position: Position, move: Move, language: str = "en") -> str:
        """Returns the gains and costs of the move in a few words."""
        return wording.effect(position, move, language)


def _out_of_place(position: Position, move: Move) -> IllegalMove:
    if position.excess:
        return turn.refused(move, "caravan_too_full", "R-22", excess=position.excess)
    return turn.refused(move, "caravan_not_full", "6")
