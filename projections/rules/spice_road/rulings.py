"""Options and rules versions: the choices that the rulings leave open and those that a version fixes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from events.json_types import Json, JsonObject
from projections.rules.errors import BadOptions
from projections.rules.options import GameOption
from projections.rules.spice_road.cubes import Cubes

SEATS: Final = range(2, 6)
RANDOM: Final = "random"


class Option(NamedTuple):
    """A reading that may be chosen; the first choice is the default."""

    ruling: str
    choices: tuple[str | int, ...]


OPTIONS: Final[Mapping[str, Option]] = {
    "first_player": Option("R-2", (RANDOM, *range(SEATS[-1]))),  # a chair of the lobby, which seats the players
    "min_upgrade_steps": Option("R-9", (0, 1)),
    "coin_taking": Option("R-19", ("automatic", "optional")),
    "empty_rest": Option("R-21", ("reject", "allow")),
    "cube_scoring": Option("R-25", ("non_turmeric", "all")),
    "hand_visibility": Option("R-28", ("open", "owner_only")),
}
CHOICES: Final[Mapping[str, GameOption]] = {name: GameOption(option.choices) for name, option in OPTIONS.items()}


@dataclass(frozen=True, slots=True)
class Version:
    """The choices that one version of the rules fixes; a later fix is a new row with another value."""

    thresholds: Mapping[int, int]  # players -> point cards that end the game
    starting_cubes: tuple[Cubes, ...]  # by seat
    coins_per_player: int
    points_of_gold: int
    points_of_silver: int


VERSIONS: Final[Mapping[str, Version]] = {
    "1": Version(
        thresholds={2: 6, 3: 6, 4: 5, 5: 5},
        starting_cubes=((3, 0, 0, 0), (4, 0, 0, 0), (4, 0, 0, 0), (3, 1, 0, 0), (3, 1, 0, 0)),
        coins_per_player=2,
        points_of_gold=3,
        points_of_silver=1,
    )
}
NEWEST: Final = "1"


@dataclass(frozen=True, slots=True)
class Rulings:
    """The rules of one game: its version and the options it is played with."""

    version: str
    first_player: str | int
    min_upgrade_steps: int
    coin_taking: str
    empty_rest: str
    cube_scoring: str
    hand_visibility: str

    @property
    def fixed(self) -> Version:
        """The choices that the version fixes."""
        return VERSIONS[self.version]

    def options(self) -> dict[str, Json]:
        """The options by name."""
        return {name: getattr(self, name) for name in OPTIONS}


def read_options(given: JsonObject, seats: int) -> dict[str, Json]:
    """All options with the defaults filled in; refuses unknown ones."""
    if seats not in SEATS:
        raise BadOptions(
            "seats",
            "{seats} players; the game is for {least} to {most} (R-1)",
            seats=seats,
            least=SEATS[0],
            most=SEATS[-1],
        )
    for name in given:
        if name not in OPTIONS:
            raise BadOptions(name, "unknown; there are {known}", known=", ".join(OPTIONS))
    options = {name: _choice(name, given.get(name, option.choices[0])) for name, option in OPTIONS.items()}
    chair = options["first_player"]
    if isinstance(chair, int) and chair >= seats:
        raise BadOptions("first_player", "the game has only {seats} chairs", seats=seats)
    return dict(options)


def rulings(version: str, options: Mapping[str, Json], seats: int) -> Rulings:
    """The frozen flags of a game."""
    if version not in VERSIONS:
        raise BadOptions(
            "rules", "unknown version {version!r}; there are {known}", version=version, known=", ".join(VERSIONS)
        )
    chosen: dict[str, Any] = read_options(options, seats)
    return Rulings(version, **chosen)


def _choice(name: str, value: Json) -> str | int:
    for choice in OPTIONS[name].choices:
        if type(value) is type(choice) and value == choice:
            return choice
    raise BadOptions(
        name, "{value!r} is none of {known}", value=value, known=", ".join(map(str, OPTIONS[name].choices))
    )
