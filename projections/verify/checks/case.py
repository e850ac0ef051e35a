"""What the checks of one bundle share: the file, the policy, and what earlier checks made of them."""

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
    """A check found something wrong; the event is the first it is wrong at."""

    def __init__(self, reason: str, sentence: str, seq: int | None = None, /, **values: object) -> None:
        said = Message(sentence, **values)
        super().__init__(said if seq is None else Message("event {seq}: {sentence}", seq=seq, sentence=said))
        self.reason = reason
        self.seq = seq


@contextmanager
def making_sense(game: UUID) -> Iterator[None]:
    """Raises CheckFailed for a game of an archive whose events lead nowhere; its report says what else is wrong."""
    try:
        yield
    except CheckFailed:
        raise
    except (CabildoError, LookupError, TypeError, ValueError, AttributeError) as fault:
        raise CheckFailed("unreadable_game", "game {game} cannot be read: {fault}", game=game, fault=fault) from fault


class Weight(Enum):
    """What a finding does to the verdict."""

    NOTE = "note"  # nothing: it is not proved by design
    REMARK = "remark"  # valid with remarks: a director should read it
    UNDECIDED = "undecided"  # no verdict: the result was not recomputed


class Finding(NamedTuple):
    """What a check did not prove; it does not know it to be wrong."""

    reason: str
    sentence: str
    weight: Weight
    checked: bool = True  # False: for this reason the check did not establish its claim


def unproved(reason: str, sentence: str) -> Finding:
    """Returns a finding that leaves the verdict as it is."""
    return Finding(reason, sentence, Weight.NOTE)


def doubtful(reason: str, sentence: str) -> Finding:
    """Returns a finding that a director should read."""
    return Finding(reason, sentence, Weight.REMARK)


def not_checked(reason: str, sentence: str, weight: Weight = Weight.NOTE) -> Finding:
    """Returns why a check did not establish its claim."""
    return Finding(reason, sentence, weight, checked=False)


class Contents(NamedTuple):
    """What came in one archive: the bundle of each game, and what ratings are computed from."""

    games: Mapping[UUID, bytes]
    ratings: tuple[RatingFile, ...] = ()
    editions: int = 0  # of the tournament's archive, as far as whoever verifies knows of them


@dataclass
class Case:
    """One bundle under examination."""

    data: bytes
    policy: Policy | None
    stream: UUID | None = None  # the game that the bundle is said to be of
    archive: Contents | None = None  # that it came in
    bundle: Bundle = field(init=False)
    events: tuple[Event, ...] = ()
    witnessed: dict[int, Witnessed] = field(default_factory=dict)  # what the policy makes of each checkpoint, by size
    promises: Commitments = field(init=False)
    expected: list[Expected] | None = None  # what the rules make of each event, once somebody has played them again
    parted: Parted | None = None  # where that play could not go on
    late: list[int] = field(default_factory=list)  # moves of players who had left their seats by then
    overdue: tuple[int, Mapping[str, Json]] | None = None  # the last event after which the game is over, and the result

    @property
    def kind(self) -> str:
        """The kind of stream: a tournament when the first event is of one, else a game, or what claims to be one."""
        first = self.events[0].kind if self.events else ""
        is_tournament = any(kind.name == first and kind.stream == TOURNAMENT for kind in KINDS)
        return TOURNAMENT if is_tournament else GAME

    @property
    def last(self) -> Event:
        return self.events[-1]

    @property
    def over(self) -> bool:
        """Whether the stream has come to its end, so that nothing follows."""
        return any(self.first(kind) for kind in ENDS)

    def first(self, kind: str) -> Event | None:
        """Returns the first event of a kind."""
        return next((event for event in self.events if event.kind == kind), None)


Check = Callable[[Case], Iterator[Finding]]
