"""The types of loaded bodies and queries of tournaments."""

from collections.abc import Sequence
from typing import TypedDict

from events.json_types import JsonObject
from service.games.schemas.loaded import LoadedClockSetting


class LoadedNoShow(TypedDict):
    """A loaded `NoShow`."""

    minutes: int
    then: str


class LoadedRegulations(TypedDict):
    """A loaded `Regulations`."""

    game: str
    options: JsonObject
    clock: LoadedClockSetting
    leaver: str
    chance: int | None
    duplicate: bool
    rated: bool
    spectator_delay: int
    silent: bool
    pauses: bool
    stages: Sequence[JsonObject]
    least: int
    most: int | None
    entry: str
    check_in: bool
    late_join: int
    no_show: LoadedNoShow | None
    bots: str | None
    programs: bool
    forbidden: Sequence[Sequence[str]]
    pace: str
    choosing: int
    time_zone: str
    starts: int | None
    ends: int | None


class LoadedTournamentDraft(TypedDict):
    """A loaded `TournamentDraft`."""

    title: str
    regulations: LoadedRegulations


class LoadedDeclaration(LoadedTournamentDraft):
    """A loaded `Declaration`."""

    visibility: str


class LoadedReasoned(TypedDict):
    """A loaded `Reasoned`."""

    reason: str


class LoadedNamed(TypedDict):
    """A loaded `Named`."""

    player: str


class LoadedNewEntry(TypedDict):
    """A loaded `NewEntry`."""

    player: str | None
    bot: bool


class LoadedAbsence(TypedDict):
    """A loaded `Absence`."""

    round: int


class LoadedLeaving(TypedDict):
    """A loaded `Leaving`."""

    reason: str | None


class LoadedRepairing(TypedDict):
    """A loaded `Repairing`."""

    reason: str | None
    expected: int | None


class LoadedSeatWish(TypedDict):
    """A loaded `SeatWish`."""

    wish: Sequence[int]


class LoadedAtTable(LoadedReasoned):
    """A loaded `AtTable`."""

    round: int
    table: int


class LoadedTimeAdded(LoadedAtTable):
    """A loaded `TimeAdded`."""

    entrant: int
    seconds: int


class LoadedResultRuled(LoadedAtTable):
    """A loaded `ResultRuled`."""

    points: Sequence[int]
    tie_break: Sequence[int] | None
    places: Sequence[int]
    forfeited: Sequence[int]


class LoadedSubstitution(LoadedAtTable):
    """A loaded `Substitution`."""

    entrant: int
    by: int


class LoadedDisqualification(LoadedReasoned):
    """A loaded `Disqualification`."""

    entrant: int


class LoadedTournamentQuery(TypedDict):
    """A loaded `TournamentQuery`."""

    status: str | None
    game: str | None
    player: str | None
    limit: int
    after: str | None


class LoadedArchiveQuery(TypedDict):
    """A loaded `ArchiveQuery`."""

    edition: int | None


class LoadedStageQuery(TypedDict):
    """A loaded `StageQuery`."""

    stage: int | None
