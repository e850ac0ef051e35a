"""Every game, in every version of its rules, loaded on first use: a third game is a new folder and a line here."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple, TypeVar

from projections.rules.errors import UnknownRules
from projections.rules.protocol import Game

V = TypeVar("V")
Versions = dict[str, Game[Any, Any]]  # by the version of the rules, the newest last


class RegisteredGame(NamedTuple):
    """Where the class of a game stands, as module:Class, and the versions of its rules."""

    place: str
    versions: tuple[str, ...]  # the newest last; none is ever taken away


ENTRIES: Final[Mapping[str, RegisteredGame]] = {
    "puerto_rico": RegisteredGame("projections.rules.puerto_rico.game:PuertoRico", ("1", "2")),
    "spice_road": RegisteredGame("projections.rules.spice_road.game:SpiceRoad", ("1",)),
}


class ByGame(Mapping[str, V]):
    """A mapping from the name of every game to a value that is loaded when it is read."""

    def __init__(self, load: Callable[[str], V]) -> None:
        self._load = load

    def __getitem__(self, name: str) -> V:
        if name not in ENTRIES:
            raise KeyError(name)
        return self._load(name)

    def __iter__(self) -> Iterator[str]:
        return iter(ENTRIES)

    def __len__(self) -> int:
        return len(ENTRIES)


@cache
def _load_versions(name: str) -> Versions:
    """Imports the module of a game; returns its rules by version."""
    module, _, kind = ENTRIES[name].place.partition(":")
    create = getattr(import_module(module), kind)
    return {version: create(version) for version in ENTRIES[name].versions}


def _newest(name: str) -> Game[Any, Any]:
    return next(reversed(_load_versions(name).values()))


VERSIONS: Final = ByGame(_load_versions)
GAMES: Final = ByGame(_newest)  # the rules that new games start with


def load_all() -> None:
    """Loads every game, for servers that fork: their processes then share the modules."""
    for name in ENTRIES:
        _load_versions(name)


def is_known(game: str, version: str) -> bool:
    """Returns whether this program has these rules."""
    return version in VERSIONS.get(game, {})


def is_newer(game: str, version: str, than: str) -> bool:
    """Returns whether this program has both versions of the rules, and the first is the newer one."""
    known = [*VERSIONS.get(game, ())]
    return version in known and than in known and known.index(version) > known.index(than)


def rules_of(game: str, version: str) -> Game[Any, Any]:
    """Returns the rules that a recorded game keeps to, whatever the newest are. Raises UnknownRules."""
    try:
        return VERSIONS[game][version]
    except KeyError:
        raise UnknownRules(game, version, [*VERSIONS.get(game, ())]) from None
