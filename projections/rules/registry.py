"""Every game there is, in every version of its rules: a third game is a new folder and a line here."""

from typing import Any, Final

from projections.rules.errors import UnknownRules
from projections.rules.protocol import Game
from projections.rules.puerto_rico.game import PuertoRico
from projections.rules.spice_road.game import SpiceRoad

Games = dict[str, Game[Any, Any]]


def by_version(*games: Game[Any, Any]) -> Games:
    """Games by the version of their rules."""
    return {game.rules: game for game in games}


VERSIONS: Final[dict[str, Games]] = {  # the newest version of each game last; none is ever taken away
    "puerto_rico": by_version(PuertoRico("1"), PuertoRico("2")),
    "spice_road": by_version(SpiceRoad("1")),
}
GAMES: Final[Games] = {name: [*known.values()][-1] for name, known in VERSIONS.items()}  # what new games start with


def is_known(game: str, version: str) -> bool:
    """Whether this program has these rules."""
    return version in VERSIONS.get(game, {})


def is_newer(game: str, version: str, than: str) -> bool:
    """Whether rules that this program has came after others."""
    known = [*VERSIONS.get(game, ())]
    return version in known and than in known and known.index(version) > known.index(than)


def rules_of(game: str, version: str) -> Game[Any, Any]:
    """The rules that a recorded game keeps to, whatever the newest are; refuses with UnknownRules."""
    try:
        return VERSIONS[game][version]
    except KeyError:
        raise UnknownRules(game, version, [*VERSIONS.get(game, ())]) from None
