"""The final score, item by item (rules 5.3)."""

from collections.abc import Mapping

from events.json_types import JsonObject
from projections.rules.protocol import Outcome
from projections.rules.puerto_rico.buildings.printed import NAMES, VPS, members
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.state.position import Position


def score(position: Position, seat: int) -> JsonObject:
    """A seat's points now, by where they come from."""
    buildings = {NAMES[building]: VPS[building] for building in members(position.owned[seat])}
    bonuses = {NAMES[building]: points for building, points in effects.scores(position, seat)}
    items = {
        "vp_chips": position.chips[seat],
        "vp_noted": position.noted[seat],
        "buildings": sum(buildings.values()),
        "bonuses": sum(bonuses.values()),
        "nobles": position.nobles_of(seat),
    }
    return {
        "seat": seat,
        "total": sum(items.values()),
        "items": items,
        "buildings": buildings,
        "bonuses": bonuses,
        "tie_break": tie_break(position, seat),
    }


def points_by_kind(position: Position, seat: int) -> Mapping[str, int]:
    """Returns the parts of a seat's points; each building that pays at the end is a part of its own."""
    return {
        "vp_chips": position.chips[seat],
        "vp_noted": position.noted[seat],
        "buildings": sum(VPS[building] for building in members(position.owned[seat])),
        **{f"bonus.{NAMES[building]}": points for building, points in effects.scores(position, seat)},
        "nobles": position.nobles_of(seat),
    }


def points(position: Position, seat: int) -> int:
    """A seat's points if the game ended here."""
    printed = sum(VPS[building] for building in members(position.owned[seat]))
    bonuses = sum(bonus for _, bonus in effects.scores(position, seat))
    return position.chips[seat] + position.noted[seat] + printed + bonuses + position.nobles_of(seat)


def tie_break(position: Position, seat: int) -> int:
    """Doubloons and goods decide among the tied (rules 5.3)."""
    return position.doubloons[seat] + sum(position.goods[seat])


def outcome(position: Position) -> Outcome:
    """Points and places; seats still tied share the place (R-88)."""
    seats = range(position.seats)
    totals = tuple(points(position, seat) for seat in seats)
    ties = tuple(tie_break(position, seat) for seat in seats)
    results = list(zip(totals, ties, strict=True))
    places = tuple(1 + sum(1 for other in results if other > mine) for mine in results)
    return Outcome(totals, ties, places)
