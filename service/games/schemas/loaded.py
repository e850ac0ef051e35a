"""The types of loaded bodies and queries of games."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from events.json_types import JsonObject


class LoadedBrought(TypedDict):
    """A loaded `Brought`."""

    commitment: NotRequired[str]
    entropy: NotRequired[str]
    chain: NotRequired[str]
    echo: NotRequired[str]
    commits: bool
    signs: bool


class LoadedClockSetting(TypedDict):
    """A loaded `ClockSetting`."""

    kind: str
    seconds: NotRequired[int]
    increment: NotRequired[int]


class LoadedGameTerms(TypedDict):
    """A loaded `GameTerms`."""

    game: str
    options: JsonObject
    clock: LoadedClockSetting
    rated: bool
    visibility: str
    chance: int | None
    start_player: int | None
    leaver: str
    spectator_delay: int
    silent: bool
    pauses: bool


class LoadedNewGame(LoadedBrought, LoadedGameTerms):
    """A loaded `NewGame`."""

    seats: Sequence[str]
    seed: NotRequired[str]


class LoadedChallenge(LoadedBrought, LoadedGameTerms):
    """A loaded `NewChallenge`."""

    opponents: Sequence[str]


class LoadedPairings(LoadedGameTerms):
    """Loaded `NewPairings`."""

    pairings: Sequence[Sequence[str]]


class LoadedJoin(LoadedBrought):
    """A loaded `Join`."""

    chair: int | None
    invite: str | None


class LoadedReveal(TypedDict):
    """A loaded `Reveal`."""

    entropy: str


class LoadedExpectedHistory(TypedDict):
    """A loaded `ExpectedHistory`."""

    expected: int | None


class LoadedAbort(LoadedExpectedHistory):
    """A loaded `Abort`."""

    reason: str | None


class LoadedEndGameBody(LoadedExpectedHistory):
    """A loaded `EndGameBody`."""

    reason: str


class LoadedRematch(LoadedExpectedHistory):
    """A loaded `Rematch`."""

    commits: bool


class LoadedNewMove(TypedDict):
    """A loaded `NewMove`."""

    move: str
    expected: int | None
    expected_head: str | None
    link: str | None
    signature: str | None


class LoadedTrying(TypedDict):
    """A loaded `Trying`."""

    dry_run: bool


class LoadedTakeBack(LoadedExpectedHistory):
    """A loaded `TakeBack`."""

    to: int


class LoadedPause(LoadedExpectedHistory):
    """A loaded `Pause`."""

    seconds: int


class LoadedOfferAnswer(LoadedExpectedHistory):
    """A loaded `OfferAnswer`."""

    agrees: bool


class LoadedNewerRules(LoadedExpectedHistory):
    """A loaded `NewerRules`."""

    to: str
    reason: str


class LoadedPositionQuery(TypedDict):
    """A loaded `PositionQuery`."""

    at: int | None
    eyes: str | None


class LoadedLegalQuery(TypedDict):
    """A loaded `LegalQuery`."""

    mine: bool | None
    begin: str | None
    why_not: Sequence[str]


class LoadedLogQuery(TypedDict):
    """A loaded `LogQuery`."""

    after: int | None
    limit: int
    wait: int


class LoadedGameLogQuery(LoadedLogQuery):
    """A loaded `GameLogQuery`."""

    items: str
    beside: str | None
    talk: bool


class LoadedTournamentLogQuery(LoadedLogQuery):
    """A loaded `TournamentLogQuery`."""

    talk: bool


class LoadedReplayQuery(TypedDict):
    """A loaded `ReplayQuery`."""

    after: int
    until: int | None
    eyes: str | None
    undone: bool
    positions: bool


class LoadedPointsQuery(TypedDict):
    """A loaded `PointsQuery`."""

    curve: bool


class LoadedOutlineQuery(TypedDict):
    """A loaded `OutlineQuery`."""

    eyes: str | None
    undone: bool
    facts: str


class LoadedNewsQuery(TypedDict):
    """A loaded `NewsQuery`."""

    after: int | None
    games: bool


class LoadedNewRecord(TypedDict):
    """A loaded `NewRecord`."""

    record: str
    visibility: str


class LoadedMoreLines(TypedDict):
    """A loaded `MoreLines`."""

    lines: str | None
    back_to: int | None
    expected: int | None


class LoadedGameQuery(TypedDict):
    """A loaded `GameQuery`."""

    game: str | None
    status: str | None
    player: str | None  # an id, as events have it
    place: int | None
    rated: bool | None
    option: Sequence[str] | None
    since: int | None  # microseconds, as events have it
    until: int | None
    fact: str | None
    subject: str | None
    by_round: int | None
    nth: int | None
    seat: int | None
    limit: int
    after: str | None
