"""The Game protocol; code outside a game's folder knows no other interface."""

import random
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, NewType, Protocol, TypeAlias, TypeVar

from events.json_types import Json, JsonObject
from projections.rules.dealer import Dealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.move_collection import Moves
from projections.rules.move_forms import MoveForm
from projections.rules.move_writer import MoveWriter
from projections.rules.options import GameOption, Options

P = TypeVar("P")
M = TypeVar("M")

Fact = tuple[object, ...]


class Outcome(NamedTuple):
    """Points, tie-break and places (1 is best, shared when tied) by seat."""

    points: tuple[int, ...]
    tie_break: tuple[int, ...]
    places: tuple[int, ...]


class Game(Protocol[P, M]):
    """The rules of one game. Every method depends on its arguments alone."""

    name: str
    seats: range
    rules: str  # the version recorded in every event of a new game

    @property
    def choices(self) -> Mapping[str, GameOption]:
        """Every option by the reference's name."""

    def secrets(self, options: Options) -> Mapping[str, str]:
        """Facts that only the seat they name may know while a game with these options runs.

        Beside each stands the fact that makes it known to all when the same event tells it.
        """

    @property
    def tables(self) -> Mapping[str, Json]:
        """Every number, name and row that these rules read."""

    @property
    def decisions(self) -> tuple[str, ...]:
        """Every decision point of the game."""

    @property
    def landmarks(self) -> frozenset[str]:
        """Facts that players search games by; each names its seat and then its subject."""

    @property
    def examples(self) -> Sequence[MoveForm]:
        """Moves in canonical notation, every form of them, by the decision at which they are made."""

    def read_options(self, given: JsonObject, seats: int) -> Options:
        """All options by the reference's names, defaults filled in; refuses with BadOptions."""

    def set_up(self, options: Options, seats: int, dealer: Dealer, recorder: FactRecorder[P]) -> P:
        """The position before the first decision, reached through recorded facts."""

    def blank(self, options: Options, seats: int) -> P:
        """The position that the facts of the first event are applied to when a log is replayed."""

    def recorder(self, *, recording: bool) -> FactRecorder[P]:
        """A recorder of this game."""

    def copy(self, position: P) -> P:
        """An independent copy; cheap."""

    def actor(self, position: P) -> int | None:
        """The seat to act; None when the game is over."""

    def decision(self, position: P) -> str | None:
        """The reference's decision point, such as D-ROLE; None when the game is over."""

    def spans(self, position: P, seat: int) -> Mapping[str, int]:
        """The stretches of the game that run now, as this seat counts them, each with its number.

        A stretch has ended when it has another number: `phase`, `round`, up to the seat's `own_choice` or `last_round`.
        """

    def aim(self, position: P, move: M) -> str | None:
        """The card that a move is about, where its text tells a place only; None where it tells all.

        Empty when no card lies at that place.
        """

    def aimed(self, position: P, move: M, card: str) -> M | None:
        """The same move at the place where its card lies now; None when it lies nowhere."""

    def legal(self, position: P) -> Moves[M]:
        """The moves of the seat to act."""

    def writer(self, position: P) -> MoveWriter:
        """Writes one of these moves word by word."""

    def play(self, position: P, move: M, dealer: Dealer, recorder: FactRecorder[P]) -> None:
        """Make a legal move and all that follows by itself, up to the next decision; refuses with IllegalMove."""

    def canonical(self, position: P, move: M) -> M:
        """The listed move that does the same; refuses with IllegalMove, saying why in a sentence."""

    def apply(self, position: P, fact: Fact) -> None:
        """Change the position as the fact says; knows no rules, draws nothing."""

    def outcome(self, position: P) -> Outcome | None:
        """The result; None while the game runs."""

    def scores(self, position: P) -> Sequence[JsonObject]:
        """Each seat's points now, item by item, as they would be counted if the game ended here."""

    def points_by_kind(self, position: P, seat: int) -> Mapping[str, int]:
        """Returns the parts of a seat's points by kind; a part of one building is named `bonus.guild_hall`.

        The parts sum up to the total of `scores`.
        """

    def parse(self, text: str) -> M:
        """Read a move in any accepted spelling; refuses with UnreadableMove."""

    def notation(self, move: M) -> str:
        """The canonical text of a move."""

    def encode(self, fact: Fact) -> Json:
        """A fact as an event stores it: its name, then its fields."""

    def decode(self, stored: Json) -> Fact:
        """The fact that was stored."""

    def document(self, position: P) -> JsonObject:
        """The whole position as plain JSON with names."""

    def restore(self, document: JsonObject) -> P:
        """The position of a document or a view, edited or not; refuses the impossible with ImpossiblePosition.

        Points that a view hides are supposed; anything else that is hidden has to be filled in.
        """

    def view(self, position: P, seat: int | None) -> JsonObject:
        """The document as a seat (None: a spectator) may see it.

        It adds whose `viewer` it is, and what it `hides`: the paths, such as `players[1].hand`, of null values.
        """

    def suppose(self, view: JsonObject, source: random.Random) -> JsonObject:
        """Returns a document that fits a view: hidden values are sampled from the possible ones.

        Hidden points are left to `restore`. A malformed view raises the errors of reading it.
        """

    def board(self, position: P, seat: int | None, language: str = "en", *, whole: bool = False) -> str:
        """A plain-text board for terminals and screen readers; `whole` shows hidden information, too."""

    def label(self, position: P, move: M, language: str = "en") -> str:
        """Returns a move as an order to the player: `Build the hacienda`."""

    def report(self, position: P, move: M, language: str = "en") -> str:
        """Returns a move played from a position in the past tense, without its player: `built the hacienda`."""

    def effect(self, position: P, move: M, language: str = "en") -> str:
        """Returns the gains and costs of the move in a few words; empty when there are none."""


Board = NewType("Board", object)  # a position of any game, which only the rules of its own game read
BoardMove = NewType("BoardMove", object)  # a move of any game
NO_BOARD: Final = Board(None)  # of a game before its start
AnyGame: TypeAlias = Game[Board, BoardMove]
