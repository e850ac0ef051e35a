"""The position as plain JSON with names, and back; outside documents are validated."""

from collections.abc import Container, Mapping, Sequence
from typing import Any, Final

from events.json_types import Json
from projections.rules.errors import BadOptions, ImpossiblePosition
from projections.rules.spice_road.cards import MARKET, MERCHANT, POINT, coded, decoded
from projections.rules.spice_road.cubes import SPICES, Cubes
from projections.rules.spice_road.rulings import SEATS, VERSIONS, Rulings, rulings
from projections.rules.spice_road.state.invariants import check
from projections.rules.spice_road.state.position import Cards, Position, RowCard

GAME: Final = "spice_road"
DECISIONS: Final = ("action", "caravan_limit")
_MOST: Final = 999  # no count of the game comes near it
_LONGEST_GAME: Final = 10**9
_MARKET: Final = frozenset(MARKET)

_POSITION: Final = (
    "game",
    "rules",
    "options",
    "round",
    "final_round",
    "turn",
    "gold",
    "silver",
    "point_row",
    "point_deck",
    "merchant_row",
    "merchant_deck",
    "players",
)
_PLAYER: Final = ("caravan", "hand", "played", "point_cards", "gold", "silver")
_ADDED: Final = frozenset(  # by a view; they follow from the rest
    ("viewer", "hides", "point_deck_count", "merchant_deck_count", "hand_count", "point_card_count")
)


def document(position: Position) -> dict[str, Json]:
    """The whole position."""
    return {
        "game": GAME,
        "rules": position.rulings.version,
        "options": position.rulings.options(),
        "round": position.round,
        "final_round": position.final_round,
        "turn": None if position.over else {"seat": position.turn, "decision": decision(position)},
        "gold": position.gold_supply,
        "silver": position.silver_supply,
        "point_row": list(position.point_row),
        "point_deck": list(position.point_deck),
        "merchant_row": [{"card": laid.card, "cubes": counts(laid.cubes)} for laid in position.merchant_row],
        "merchant_deck": list(position.merchant_deck),
        "players": [player(position, seat) for seat in range(position.seats)],
    }


def decision(position: Position) -> str | None:
    """`action` or `caravan_limit`; None when the game is over."""
    if position.over:
        return None
    return DECISIONS[position.excess > 0]


def counts(cubes: Cubes) -> dict[str, Json]:
    """All four spices by name."""
    return dict(zip(SPICES, cubes, strict=True))


def player(position: Position, seat: int) -> dict[str, Json]:
    """Returns the pieces of a seat."""
    return {
        "caravan": counts(position.caravans[seat]),
        "hand": list(decoded(position.held[seat])),
        "played": list(decoded(position.spent[seat])),
        "point_cards": list(position.claimed[seat]),
        "gold": position.gold[seat],
        "silver": position.silver[seat],
    }


def restore(given: Json) -> Position:
    """The position of a document; raises ImpossiblePosition if it is unreadable or impossible."""
    read = _fields("position", given, _POSITION)
    if read["game"] != GAME:
        raise ImpossiblePosition("game", "{game!r} is not {known}", game=read["game"], known=GAME)
    players = [
        _fields(f"players[{seat}]", owned, _PLAYER) for seat, owned in enumerate(_list("players", read["players"]))
    ]
    if len(players) not in SEATS:
        raise ImpossiblePosition(
            "players",
            "{found} players; the game is for {least} to {most}",
            found=len(players),
            least=SEATS[0],
            most=SEATS[-1],
        )
    seat, named = _turn(read["turn"], len(players))
    position = Position(
        rulings=_rulings(read["rules"], read["options"], len(players)),
        caravans=[_cubes(f"players[{at}].caravan", owned["caravan"]) for at, owned in enumerate(players)],
        held=[coded(_cards(f"players[{at}].hand", owned["hand"], MERCHANT)) for at, owned in enumerate(players)],
        spent=[coded(_cards(f"players[{at}].played", owned["played"], MERCHANT)) for at, owned in enumerate(players)],
        claimed=[_cards(f"players[{at}].point_cards", owned["point_cards"], POINT) for at, owned in enumerate(players)],
        gold=[_count(f"players[{at}].gold", owned["gold"]) for at, owned in enumerate(players)],
        silver=[_count(f"players[{at}].silver", owned["silver"]) for at, owned in enumerate(players)],
        gold_supply=_count("gold", read["gold"]),
        silver_supply=_count("silver", read["silver"]),
        point_row=_cards("point_row", read["point_row"], POINT),
        point_deck=tuple(sorted(_cards("point_deck", read["point_deck"], POINT))),
        merchant_row=_merchant_row(read["merchant_row"]),
        merchant_deck=tuple(sorted(_cards("merchant_deck", read["merchant_deck"], _MARKET))),
        turn=seat,
        round=_count("round", read["round"], _LONGEST_GAME),
        final_round=_flag("final_round", read["final_round"]),
        over=named is None,
    )
    check(position)
    if named != decision(position):
        raise ImpossiblePosition(
            "turn.decision", "{named!r}; the caravan to act says {decision!r}", named=named, decision=decision(position)
        )
    return position


def _rulings(version: Json, options: Json, seats: int) -> Rulings:
    if not isinstance(version, str) or version not in VERSIONS:
        raise ImpossiblePosition("rules", "{version!r} is none of {known}", version=version, known=", ".join(VERSIONS))
    if not isinstance(options, Mapping):
        raise ImpossiblePosition("options", "an object is expected")
    try:
        return rulings(version, options, seats)
    except BadOptions as refused:
        raise ImpossiblePosition(f"options.{refused.option}", refused.reason) from refused


def _turn(given: Json, seats: int) -> tuple[int, str | None]:
    """The seat to act and the decision as the document names it; None when the game is over."""
    if given is None:
        return seats - 1, None  # the last seat ended the game
    turn = _fields("turn", given, ("seat", "decision"))
    if not isinstance(turn["decision"], str):
        raise ImpossiblePosition("turn.decision", "a text is expected")
    return _count("turn.seat", turn["seat"], seats - 1), turn["decision"]


def _merchant_row(given: Json) -> tuple[RowCard, ...]:
    row = []
    for at, entry in enumerate(_list("merchant_row", given)):
        laid = _fields(f"merchant_row[{at}]", entry, ("card", "cubes"))
        (card,) = _cards(f"merchant_row[{at}].card", [laid["card"]], _MARKET)
        row.append(RowCard(card, _cubes(f"merchant_row[{at}].cubes", laid["cubes"])))
    return tuple(row)


def _fields(where: str, given: Json, names: Sequence[str]) -> Mapping[str, Any]:
    """An object with exactly these fields, besides those that a view adds."""
    if not isinstance(given, Mapping):
        raise ImpossiblePosition(where, "an object is expected")
    for name in (*names, *(given.keys() - _ADDED)):
        if (name in names) is not (name in given):
            fault = "{name!r} is missing" if name in names else "{name!r} is unknown"
            raise ImpossiblePosition(where, fault, name=name)
    return given


def _list(where: str, given: Json) -> Sequence[Json]:
    if not isinstance(given, list | tuple):
        raise ImpossiblePosition(where, "a list is expected")
    return given


def _cards(where: str, given: Json, known: Container[str]) -> Cards:
    cards: list[str] = []
    for card in _list(where, given):
        if not isinstance(card, str) or card not in known:
            raise ImpossiblePosition(where, "{card!r} is not a card of this place", card=card)
        cards.append(card)
    return tuple(cards)


def _cubes(where: str, given: Json) -> Cubes:
    """Counts by the spices' names; a spice that is left out is not there."""
    if not isinstance(given, Mapping):
        raise ImpossiblePosition(where, "an object is expected")
    for name in given:
        if name not in SPICES:
            raise ImpossiblePosition(where, "{name!r} is not a spice", name=name)
    y, r, g, b = (_count(f"{where}.{name}", given.get(name, 0)) for name in SPICES)
    return y, r, g, b


def _count(where: str, given: Json, most: int = _MOST) -> int:
    if type(given) is not int or not 0 <= given <= most:
        raise ImpossiblePosition(where, "a number from 0 to {most} is expected", most=most)
    return given


def _flag(where: str, given: Json) -> bool:
    if not isinstance(given, bool):
        raise ImpossiblePosition(where, "true or false is expected")
    return given
