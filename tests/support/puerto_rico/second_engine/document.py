"""The second engine's books in the form of a position document, and that form without what has no meaning."""

from collections import Counter
from typing import Any

from tests.support.puerto_rico.second_engine.books import Books, Player
from tests.support.puerto_rico.second_engine.engine import Engine

Document = dict[str, Any]


def written(engine: Engine) -> Document:
    """Returns the visible table, the boards and the seat to act."""
    question = engine.question
    turn = {"seat": question.seat, "decision": question.point, "role": engine.role} if question else None
    return {
        "round": engine.round,
        "governor": engine.governor,
        "turn": turn,
        "ends": sorted(engine.ends),
        "players": [_player(engine, seat, player) for seat, player in enumerate(engine.players)],
        "roles": {card: _card(engine, card) for card in engine.cards},
        "ships": [_ship(capacity, hold) for capacity, hold in engine.ships.items()],
        "trading_house": sorted(engine.house),
        "plantations": {
            "face_up": sorted(engine.row.elements()),
            "face_down": dict(+engine.pile),
            "discarded": dict(+engine.discards),
            "quarries": engine.quarries,
            "forests": engine.forests,
        },
        "colonists": {"ship": engine.ship["colonist"], "supply": engine.supply["colonist"]},
        "nobles": {"ship": engine.ship["noble"], "supply": engine.supply["noble"]},
        "supply": {"goods": dict(+engine.goods), "vp_chips": engine.chips, "buildings": engine.display},
        "drawn_tile": engine.holding,
        "guests_stay": sorted(engine.staying),
    }


def _player(books: Books, seat: int, player: Player) -> Document:
    return {
        "doubloons": player.doubloons,
        "vp_chips": player.chips,
        "vp_noted": player.noted,
        "goods": dict(+player.goods),
        "island": sorted((_tile(tile.kind, tile.who, tile.face) for tile in player.island), key=str),
        "city": sorted(({"building": name, **_people(staff)} for name, staff in player.city.items()), key=str),
        "san_juan": _people(player.san_juan),
        "role": sorted(card for card, taker in books.taken.items() if taker == seat),
    }


def _tile(kind: str, who: str, face: str) -> Document:
    return {"tile": kind, "face": face} | _people(Counter([who]))


def _people(people: Counter[str]) -> Document:
    return {"colonists": people["colonist"], "nobles": people["noble"]}


def _card(books: Books, card: str) -> Document:
    return {"doubloons": books.cards[card], "taken_by": books.taken.get(card)}


def _ship(capacity: int, hold: Counter[str]) -> Document:
    return {"capacity": capacity, "good": next(iter(+hold), None), "loaded": hold.total()}


def normalised(document: Document) -> Document:
    """Returns the same from a position document: without zeros, unordered parts sorted."""
    plantations, supply, phase = document["plantations"], document["supply"], document["phase"]
    turn = document["turn"]
    tables = ("round", "governor", "roles", "ships", "colonists", "nobles")
    return {
        **{name: document[name] for name in tables},
        "turn": {name: turn[name] for name in ("seat", "decision", "role")} if turn else None,
        "ends": sorted(document["ends"]),
        "players": [_normalised_player(player) for player in document["players"]],
        "trading_house": sorted(document["trading_house"]),
        "plantations": {
            **plantations,
            "face_up": sorted(plantations["face_up"]),
            "face_down": _some(plantations["face_down"]),
            "discarded": _some(plantations["discarded"]),
        },
        "supply": {**supply, "goods": _some(supply["goods"])},
        "drawn_tile": phase["drawn_tile"],
        "guests_stay": sorted(phase["guests_stay"]),
    }


def _normalised_player(player: Document) -> Document:
    tiles = [{"tile": tile["tile"], "face": tile.get("face") or "", **_staff(tile)} for tile in player["island"]]
    city = [{"building": place["building"], **_staff(place)} for place in player["city"]]
    return {
        **{name: player[name] for name in ("doubloons", "vp_chips", "vp_noted")},
        "goods": _some(player["goods"]),
        "island": sorted(tiles, key=str),
        "city": sorted(city, key=str),
        "san_juan": _staff(player["san_juan"]),
        "role": sorted(player["role"]),
    }


def _staff(place: Document) -> Document:
    return {who: place[who] for who in ("colonists", "nobles")}


def _some(amounts: dict[str, int]) -> dict[str, int]:
    return {name: number for name, number in amounts.items() if number}
