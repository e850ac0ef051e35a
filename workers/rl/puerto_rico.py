"""The adapter of Puerto Rico: vocabulary, and the board as numbers."""

from collections.abc import Mapping
from typing import Any, Final, get_args

from projections.rules.move_writer import END
from projections.rules.puerto_rico import moves
from projections.rules.puerto_rico.buildings.printed import NAMES
from projections.rules.puerto_rico.kinds import DEEDS_DONE, ENDS, GOODS, PERSONS, PHASES, ROLES, TILES
from workers.rl.game_adapter import GameAdapter, amounts, counted, from_seat, one_of, relative_seat

VERBS: Final = (*(kind._field_defaults["word"] for kind in get_args(moves.Move)), "forest")
MOST: Final = 20  # nobles or colonists of a kind of tile
NUMBERS: Final = tuple(str(number) for number in range(MOST + 1))
NAMED: Final = (*TILES, *NAMES, "san_juan", *PERSONS[1:], "vp")
VOCABULARY: Final = tuple(
    dict.fromkeys((
        END,
        *VERBS,
        *(f" {name}" for name in (*ROLES, *NAMED, "black_market", "phase", *NUMBERS)),
        *(f" -{name}" for name in NAMES),
        *NAMED,
        *NUMBERS,
        *(f"{number}n" for number in NUMBERS),
        "n",
        *"=@,+",
    ))
)  # fmt: skip


def observe(view: Mapping[str, Any], seat: int) -> list[int]:
    """Returns the board from a seat as numbers: its own player, the others, then the table; hidden values are 0."""
    seats = len(view["players"])
    numbers = [number for other in from_seat(seat, seats) for number in _player(view, other)]
    return numbers + _table(view, seat, seats) + _supply(view)


def _player(view: Mapping[str, Any], seat: int) -> list[int]:
    player, phase = view["players"][seat], view.get("phase") or {}
    numbers = [player["doubloons"], player["vp_chips"] or 0, player["vp_noted"] or 0]
    numbers += amounts(GOODS, player["goods"]) + amounts(("colonists", "nobles"), player["san_juan"])
    for tile in TILES:
        alike = [one for one in player["island"] if one["tile"] == tile]
        numbers += [len(alike), *(sum(one[people] for one in alike) for people in ("colonists", "nobles"))]
    numbers += counted(GOODS, [one["face"] for one in player["island"] if one.get("face")])
    city = {own["building"]: own for own in player["city"]}
    for building in NAMES:
        own = city.get(building)
        numbers += [0, 0, 0] if own is None else [1, own["colonists"], own["nobles"]]
    numbers += counted(ROLES, player["role"]) + counted(DEEDS_DONE, _of(phase, "done", seat, []))
    numbers += amounts(GOODS, _of(phase, "produced", seat, {})) + amounts(GOODS, _of(phase, "received", seat, {}))
    return [*numbers, int(seat in phase.get("guests_stay", ()))]


def _of(phase: Mapping[str, Any], what: str, seat: int, none: Any) -> Any:
    return phase[what][seat] if what in phase else none


def _table(view: Mapping[str, Any], seat: int, seats: int) -> list[int]:
    turn, phase = view["turn"] or {}, view.get("phase") or {}
    numbers = [
        view["round"],
        *relative_seat(view["governor"], seat, seats),
        *relative_seat(turn.get("seat"), seat, seats),
    ]
    numbers += (
        one_of(PHASES, phase.get("name"))
        + relative_seat(phase.get("chooser"), seat, seats)
        + counted(ENDS, view["ends"])
    )
    for role in ROLES:
        card = view["roles"].get(role)
        numbers += [0, 0] if card is None else [card["doubloons"], int(card["taken_by"] is None)]
    for ship in view["ships"]:
        numbers += [ship["capacity"], ship["loaded"], *one_of(GOODS, ship["good"])]
    return numbers + counted(GOODS, view["trading_house"]) + one_of(TILES, phase.get("drawn_tile"))


def _supply(view: Mapping[str, Any]) -> list[int]:
    land, supply = view["plantations"], view["supply"]
    numbers = counted(GOODS, land["face_up"]) + amounts(GOODS, land["face_down"]) + amounts(GOODS, land["discarded"])
    numbers += amounts(("quarries", "forests"), land)
    numbers += amounts(("ship", "supply"), view["colonists"]) + amounts(("ship", "supply"), view["nobles"])
    return numbers + amounts(GOODS, supply["goods"]) + [supply["vp_chips"] or 0] + amounts(NAMES, supply["buildings"])


PUERTO_RICO: Final = GameAdapter(VOCABULARY, observe)
