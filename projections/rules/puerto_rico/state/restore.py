"""Reads a position document; refuses unreadable and impossible ones with the place and the reason."""

from typing import cast

from events.json_types import JsonObject
from projections.rules.errors import BadOptions
from projections.rules.puerto_rico.buildings.printed import CIRCLES, NAMES, SPACES
from projections.rules.puerto_rico.kinds import (
    DEEDS_DONE,
    ENDS,
    FOREST,
    GOODS,
    NONE,
    OVER,
    PHASES,
    ROLE_CHOICE,
    ROLES,
    TILES,
    Goods5,
)
from projections.rules.puerto_rico.moves import People
from projections.rules.puerto_rico.plan import DECISIONS, START, STEPS
from projections.rules.puerto_rico.rulings import Rulings, read_options, rulings_of
from projections.rules.puerto_rico.state.document import NAME
from projections.rules.puerto_rico.state.document_reader import DocumentNode
from projections.rules.puerto_rico.state.invariants import check
from projections.rules.puerto_rico.state.places import place_number
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.tables import HOLDS, ROLE_CARDS, SEATS


def restore(document: JsonObject, version: str) -> Position:
    """The position of a document under a version of the rules; refuses with ImpossiblePosition."""
    node = DocumentNode(document)
    if node["game"].value != NAME:
        node["game"].refuse("expected {game!r}", game=NAME)
    players = node["players"].items()
    if len(players) not in SEATS:
        node["players"].refuse("two to five can play")
    position = Position.empty(_rulings(version, node["options"], len(players)), len(players))
    position.round = node["round"].number()
    position.governor = node["governor"].number(most=position.seats - 1)
    position.ends = node["ends"].bits(ENDS)
    for seat, player in enumerate(players):
        _read_player(position, seat, player)
    _read_cards(position, node["roles"])
    _read_ships(position, node["ships"])
    _read_supplies(position, node)
    _suppose_points(position, [seat for seat, player in enumerate(players) if player["vp_chips"].value is None])
    _read_turn(position, node["turn"])
    _read_phase(position, node.get("phase", {}))
    check(position, players)
    return position


def _rulings(version: str, node: DocumentNode, seats: int) -> Rulings:
    if not isinstance(node.value, dict):
        node.refuse("expected an object")
    try:
        return rulings_of(version, read_options(node.value, seats), seats)
    except BadOptions as refused:
        node.refuse(refused.words)


def _read_player(position: Position, seat: int, node: DocumentNode) -> None:
    position.doubloons[seat] = node["doubloons"].number()
    position.chips[seat] = _points(node["vp_chips"])
    position.noted[seat] = _points(node["vp_noted"])
    position.goods[seat] = node["goods"].counts(GOODS)
    for tile in node["island"].items():
        _read_tile(position, seat, tile)
    for building in node["city"].items():
        _read_building(position, seat, building)
    nobles = node["san_juan"]["nobles"].number()
    position.san_juan[seat] = node["san_juan"]["colonists"].number() + nobles
    position.san_juan_nobles[seat] = nobles
    position.count_people(seat)


def _points(node: DocumentNode) -> int:
    """Points of a player; none for the moment where a view hides them."""
    return 0 if node.value is None else node.number()


def _suppose_points(position: Position, hidden: list[int]) -> None:
    """Chips that are neither in the supply nor shown are shared out evenly among the seats that hide theirs (R-90)."""
    out = position.rulings.vp_pool - position.vp_supply - sum(position.chips)
    for nth, seat in enumerate(hidden):
        position.chips[seat] = max(0, out // len(hidden) + (nth < out % len(hidden)))


def _read_tile(position: Position, seat: int, node: DocumentNode) -> None:
    tile = node["tile"].name(TILES)
    colonists, nobles = node["colonists"].number(most=1), node["nobles"].number(most=1)
    if colonists + nobles > (0 if tile == FOREST else 1):
        node.refuse("more people than circles")
    position.tiles[seat][tile] += 1
    position.tile_people[seat][tile] += colonists + nobles
    position.tile_nobles[seat][tile] += nobles
    if tile == FOREST and not position.rulings.forest_stack:
        hidden = node.get("hidden", default=False).flag()
        if hidden and not position.rulings.hidden_faces:
            node.refuse("the face of a forest is hidden only with forest_face=owner_only")
        faces = position.hidden_faces if hidden else position.faces
        faces[seat][node["face"].name(GOODS)] += 1


def _read_building(position: Position, seat: int, node: DocumentNode) -> None:
    building = node["building"].name(NAMES)
    if position.owned[seat] >> building & 1:
        node.refuse("a player cannot own two buildings of one kind")
    colonists, nobles = node["colonists"].number(), node["nobles"].number()
    if colonists + nobles > CIRCLES[building]:
        node.refuse("more people than circles")
    position.owned[seat] |= 1 << building
    position.spaces[seat] += SPACES[building]
    position.circles[seat] += CIRCLES[building]
    position.city_people[seat][building] = colonists + nobles
    position.city_nobles[seat][building] = nobles
    position.rework(seat, building)


def _read_cards(position: Position, node: DocumentNode) -> None:
    cards = node.fields(ROLES)
    if set(cards) != set(ROLE_CARDS[position.seats]):
        node.refuse("expected the cards {known}", known=", ".join(ROLES[role] for role in ROLE_CARDS[position.seats]))
    for role, card in cards.items():
        position.card_doubloons[role] = card["doubloons"].number()
        if card["taken_by"].value is None:
            position.cards_out |= 1 << role
        else:
            position.card_taken_by[role] = card["taken_by"].number(most=position.seats - 1)
            position.cards_taken += 1


def _read_ships(position: Position, node: DocumentNode) -> None:
    for hold, ship in enumerate(node.items(length=len(HOLDS[position.seats]))):
        if ship["capacity"].number() != position.holds[hold]:
            ship["capacity"].refuse("expected {holds}", holds=position.holds[hold])
        position.ship_good[hold] = ship["good"].maybe(GOODS)
        position.ship_load[hold] = ship["loaded"].number(most=position.holds[hold])
        if (position.ship_good[hold] == NONE) != (position.ship_load[hold] == 0):
            ship.refuse("a ship carries goods of one kind, or nothing")


def _read_supplies(position: Position, node: DocumentNode) -> None:
    position.house = [good.name(GOODS) for good in node["trading_house"].items()]
    tiles = node["plantations"]
    for tile in tiles["face_up"].items():
        position.row[tile.name(GOODS)] += 1
    position.pile = tiles["face_down"].counts(GOODS)
    position.discards = tiles["discarded"].counts(GOODS)
    position.quarries = tiles["quarries"].number()
    position.forests = tiles["forests"].number()
    position.colonist_ship = node["colonists"]["ship"].number()
    position.colonist_supply = node["colonists"]["supply"].number()
    position.noble_ship = node["nobles"]["ship"].number()
    position.noble_supply = node["nobles"]["supply"].number()
    supply = node["supply"]
    position.goods_supply = supply["goods"].counts(GOODS)
    position.vp_supply = supply["vp_chips"].number()
    for kind, copies in supply["buildings"].fields(NAMES).items():
        position.in_play |= 1 << kind
        position.display[kind] = copies.number()
        position.on_display |= 1 << kind if position.display[kind] else 0


def _read_turn(position: Position, node: DocumentNode) -> None:
    """Reads the seat to act; a position without a turn is a finished game."""
    if node.value is None:
        position.phase, position.step, position.actor = OVER, START, NONE
        return
    position.actor = node["seat"].number(most=position.seats - 1)
    decision = node["decision"]
    steps = [step for step, name in DECISIONS.items() if name == decision.value]
    if not steps:
        decision.refuse("there is no such decision")
    position.step = node["step"].name(STEPS) if "step" in node.value else steps[0]
    if position.step not in steps:
        node["step"].refuse("does not belong to the decision")
    position.phase = node["role"].maybe(PHASES, nothing=ROLE_CHOICE)


def _read_phase(position: Position, node: DocumentNode) -> None:
    """Reads the deeds of the phase; those left out have not been done."""
    seats = position.seats
    position.phase = node.get("name", PHASES[position.phase]).name(PHASES)
    position.chooser = node.get("chooser", position.actor).number(most=seats - 1)
    position.turns = node.get("turns", 0).number()
    position.done = [done.bits(DEEDS_DONE) for done in node.get("done", [[]] * seats).items(length=seats)]
    position.produced = [_goods(goods) for goods in node.get("produced", [{}] * seats).items(length=seats)]
    position.received = [_goods(goods) for goods in node.get("received", [{}] * seats).items(length=seats)]
    position.hand = node.get("drawn_tile", None).maybe(GOODS)
    for seat in node.get("guests_stay", []).items():
        position.staying |= 1 << seat.number(most=seats - 1)
    sealed = node.get("sealed_placements", [None] * seats).items(length=seats)
    position.sealed = [_people(placement) for placement in sealed]


def _goods(node: DocumentNode) -> Goods5:
    return cast(Goods5, tuple(node.counts(GOODS)))


def _people(node: DocumentNode) -> People | None:
    if node.value is None:
        return None
    people = []
    for entry in node.items():
        place, colonists, nobles = entry.items(length=3)
        number = place_number(str(place.value))
        if number is None:
            place.refuse("there is no such place")
        people.append((number, colonists.number(), nobles.number()))
    return tuple(people)
