"""The state that the checks of one bundle share: the file, the policy, and results of earlier checks."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple
from uuid import UUID

from events.errors import CabildoError
from events.event import Event
from events.json_types import Json
from events.kinds import KINDS
from events.log.bundle import Bundle
from events.merkle.policy import Policy, Witnessed
from events.messages import Message
from projections.games.commitments import Commitments
from projections.ratings.input_files import RatingFile
from projections.verify.checks.parted import Parted
from projections.verify.replay_check import Expected

GAME, TOURNAMENT = "game", "tournament"  # kinds of stream
OPENING = "game_created"  # the first event of a game


ENDS = ("game_ended", "game_aborted")


class CheckFailed(CabildoError):
    """A check found an error; the event is the first with it."""

    def __init__(self, reason: str, sentence: str, seq: int | None = None, /, **values: object) -> None:
        said = Message(sentence, **values)
        super().__init__(said if seq is None else Message("event {seq}: {sentence}", seq=seq, sentence=said))
        self.reason = reason
        self.seq = seq


@contextmanager
def refuse_unfoldable(game: UUID) -> Iterator[None]:
    """Raises CheckFailed for a game of an archive whose events do not fold; its own report has the reason."""
    try:
        yield
    except CheckFailed:
        raise
    except (CabildoError, LookupError, TypeError, ValueError, AttributeError) as fault:
        raise CheckFailed("unreadable_game", "game {game} cannot be read: {fault}", game=game, fault=fault) from fault


class Weight(Enum):
    """The effect of a finding on the verdict."""

    NOTE = "note"  # no effect: unproved by design
    REMARK = "remark"  # valid with remarks: a director should read it
    UNDECIDED = "undecided"  # no verdict: the result is not recomputed


class Finding(NamedTuple):
    """A claim that a check did not prove, without knowing it to be wrong."""

    reason: str
    sentence: str
    weight: Weight
    checked: bool = True  # False: for this reason the check did not establish its claim


def unproved(reason: str, sentence: str) -> Finding:
    """Returns a finding that leaves the verdict unchanged."""
    return Finding(reason, sentence, Weight.NOTE)


def doubtful(reason: str, sentence: str) -> Finding:
    """Returns a finding for a director to read."""
    return Finding(reason, sentence, Weight.REMARK)


def not_checked(reason: str, sentence: str, weight: Weight = Weight.NOTE) -> Finding:
    """Returns the reason why a check did not establish its claim."""
    return Finding(reason, sentence, weight, checked=False)


class Contents(NamedTuple):
    """The contents of one archive: the bundle of each game, and the inputs of ratings."""

    games: Mapping[UUID, bytes]
    ratings: tuple[RatingFile, ...] = ()
    editions: int = 0  # of the tournament's archive that the verifier knows of


@dataclass
class Case:
    """A bundle under verification."""

    data: bytes
    policy: Policy | None
    stream: UUID | None = None  # the game that the bundle is said to be of
    archive: Contents | None = None  # that it came in
    bundle: Bundle = field(init=False)
    events: tuple[Event, ...] = ()
    witnessed: dict[int, Witnessed] = field(default_factory=dict)  # the policy's result for each checkpoint, by size
    commitments: Commitments = field(init=False)
    expected: list[Expected] | None = None  # the expected content of each event, after the replay
    parted: Parted | None = None  # where the replay failed
    late: list[int] = field(default_factory=list)  # moves of players that had left their seats
    overdue: tuple[int, Mapping[str, Json]] | None = None  # the last event after which the game is over, and the result

    @property
    def kind(self) -> str:
        """The kind of stream: tournament when the first event is of one, else game."""
        first = self.events[0].kind if self.events else ""
        is_tournament = any(kind.name == first and kind.stream == TOURNAMENT for kind in KINDS)
        return TOURNAMENT if is_tournament else GAME

    @property
    def last(self) -> Event:
        return self.events[-1]

    @property
    def is_over(self) -> bool:
        """Whether the stream has ended, so that no events follow."""
        return any(self.first(kind) for kind in ENDS)

    def first(self, kind: str) -> Event | None:
        """Returns the first event of a kind."""
        return next((event for event in self.events if event.kind == kind), None)


Check = Callable[[Case], Iterator[Finding]]
