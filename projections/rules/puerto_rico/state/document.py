"""A position as plain JSON with names, for clients, snapshots and analyses."""

from collections.abc import Sequence
from typing import Final

from events.json_types import Json, JsonObject
from projections.rules.puerto_rico.buildings.printed import CIRCLES, NAMES, members
from projections.rules.puerto_rico.kinds import (
    CIRCLED_TILES,
    DEEDS_DONE,
    DRAFT,
    ENDS,
    FINAL_GUESTS,
    FOREST,
    GOODS,
    NONE,
    OVER,
    PHASES,
    ROLE_CHOICE,
    ROLES,
    TILES,
)
from projections.rules.puerto_rico.plan import DECISIONS, STEPS
from projections.rules.puerto_rico.state.places import place_name
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.tables import ROLE_CARDS

NAME: Final = "puerto_rico"


def document(position: Position) -> JsonObject:
    """The whole position; `document_reader.restore` reads it back."""
    return {
        "game": NAME,
        "options": dict(position.rulings.options),
        "round": position.round,
        "governor": position.governor,
        "turn": _turn(position),
        "ends": [name for bit, name in enumerate(ENDS) if position.ends >> bit & 1],
        "players": [_player(position, seat) for seat in range(position.seats)],
        "roles": {ROLES[role]: _card(position, role) for role in ROLE_CARDS[position.seats]},
        "ships": [
            {"capacity": capacity, "good": _good(position.ship_good[hold]), "loaded": position.ship_load[hold]}
            for hold, capacity in enumerate(position.holds)
        ],
        "trading_house": [GOODS[good] for good in position.house],
        "plantations": {
            "face_up": names_of(position.row, GOODS),
            "face_down": counts(position.pile, GOODS),
            "discarded": counts(position.discards, GOODS),
            "quarries": position.quarries,
            "forests": position.forests,
        },
        "colonists": {"ship": position.colonist_ship, "supply": position.colonist_supply},
        "nobles": {"ship": position.noble_ship, "supply": position.noble_supply},
        "supply": {
            "goods": counts(position.goods_supply, GOODS),
            "vp_chips": position.vp_supply,
            "buildings": {NAMES[kind]: position.display[kind] for kind in members(position.in_play)},
        },
        "phase": _memory(position),
    }


def counts(amounts: Sequence[int], names: Sequence[str]) -> dict[str, Json]:
    """The amounts by name, zeros left out."""
    return {name: amount for name, amount in zip(names, amounts, strict=False) if amount}


def names_of(amounts: Sequence[int], names: Sequence[str]) -> list[Json]:
    """Every piece by its name."""
    return [name for name, amount in zip(names, amounts, strict=False) for _ in range(amount)]


def _good(good: int) -> str | None:
    return GOODS[good] if good != NONE else None


def _turn(position: Position) -> JsonObject | None:
    """Returns the seat to act and its decision; None when the game is over."""
    if position.phase == OVER:
        return None
    return {
        "seat": position.actor,
        "decision": DECISIONS[position.step],
        "step": STEPS[position.step],
        "role": PHASES[position.phase] if position.phase not in (DRAFT, ROLE_CHOICE, FINAL_GUESTS) else None,
    }


def _player(position: Position, seat: int) -> JsonObject:
    nobles = position.san_juan_nobles[seat]
    return {
        "doubloons": position.doubloons[seat],
        "vp_chips": position.chips[seat],
        "vp_noted": position.noted[seat],
        "goods": counts(position.goods[seat], GOODS),
        "island": _island(position, seat),
        "city": [_building(position, seat, building) for building in members(position.owned[seat])],
        "san_juan": {"colonists": position.san_juan[seat] - nobles, "nobles": nobles},
        "role": [ROLES[role] for role in ROLE_CARDS[position.seats] if position.card_taken_by[role] == seat],
    }


def _island(position: Position, seat: int) -> list[Json]:
    """The tiles by kind, those with nobles first, then those with colonists, then the empty ones."""
    tiles: list[Json] = []
    for tile in range(CIRCLED_TILES):
        people, nobles = position.tile_people[seat][tile], position.tile_nobles[seat][tile]
        for at in range(position.tiles[seat][tile]):
            noble, colonist = int(at < nobles), int(nobles <= at < people)
            tiles.append({"tile": TILES[tile], "colonists": colonist, "nobles": noble})
    return tiles + _forests(position, seat)


def _forests(position: Position, seat: int) -> list[Json]:
    """The forests, with their faces when they are face-down plantations."""
    empty: dict[str, Json] = {"tile": TILES[FOREST], "colonists": 0, "nobles": 0}
    if position.rulings.forest_stack:
        return [dict(empty) for _ in range(position.tiles[seat][FOREST])]
    known = [empty | {"face": face} for face in names_of(position.faces[seat], GOODS)]
    hidden = [empty | {"face": face, "hidden": True} for face in names_of(position.hidden_faces[seat], GOODS)]
    return [*known, *hidden]


def _building(position: Position, seat: int, building: int) -> JsonObject:
    people, nobles = position.city_people[seat][building], position.city_nobles[seat][building]
    return {
        "building": NAMES[building],
        "colonists": people - nobles,
        "nobles": nobles,
        "circles": CIRCLES[building],
    }


def _card(position: Position, role: int) -> JsonObject:
    taken_by = position.card_taken_by[role]
    return {
        "doubloons": position.card_doubloons[role],
        "taken_by": taken_by if taken_by != NONE else None,
    }


def _memory(position: Position) -> JsonObject:
    """Returns the deeds of the running phase and the drawn tile in hand."""
    seats = range(position.seats)
    hand = position.hand
    return {
        "name": PHASES[position.phase],
        "chooser": position.chooser,
        "turns": position.turns,
        "done": [[name for bit, name in enumerate(DEEDS_DONE) if position.done[seat] >> bit & 1] for seat in seats],
        "produced": [counts(position.produced[seat], GOODS) for seat in seats],
        "received": [counts(position.received[seat], GOODS) for seat in seats],
        "drawn_tile": TILES[hand] if hand != NONE else None,
        "guests_stay": [seat for seat in seats if position.staying >> seat & 1],
        "sealed_placements": [_sealed(position, seat) for seat in seats],
    }


def _sealed(position: Position, seat: int) -> Json:
    people = position.sealed[seat]
    if people is None:
        return None
    return [[place_name(place), colonists, nobles] for place, colonists, nobles in people]
