"""Parses the regulations of a stage, fills in the defaults, and writes them in full."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple

from events.json_types import JsonObject
from projections.tournaments.errors import BadRegulations
from projections.tournaments.regulation_fields import (
    Read,
    exact,
    items,
    members,
    number,
    number_or_none,
    one_of,
    text,
    truth,
    word,
)
from projections.tournaments.standings.criteria import CRITERIA, SEPARATING, known
from projections.tournaments.standings.schemes import SCHEMES
from projections.tournaments.values import Advance, DrawMethod, Format, Scheme, SeatMethod, Sizes, Stage

MOST_ROUNDS: Final = 99
SEATS: Final = range(2, 6)
DEFAULT_CRITERIA: Final[Mapping[Format, tuple[str, ...]]] = {
    Format.HEATS: ("points", "wins", "share", "best:1", "draw"),
    Format.SWISS: ("points", "wins", "opponents", "share", "head_to_head", "draw"),
    Format.ROUND_ROBIN: ("points", "head_to_head", "wins", "share", "draw"),
    Format.KNOCK_OUT: ("progress", "last_round", "points", "share", "seeding"),
    Format.PODS: ("points", "wins", "share", "seeding"),
}
BYES: Final = ("win", "average", "half", "none")


class RegulationWarning(NamedTuple):
    """A warning for a director before the start: field, code and sentence."""

    where: str
    code: str
    sentence: str


def read_stage(document: JsonObject) -> Stage:
    """Parses a stage and fills in the defaults; raises BadRegulations for unknown or invalid fields."""
    unknown = set(document) - set(FIELDS)
    if unknown:
        raise BadRegulations(min(unknown), "unknown; known are {known}", known=", ".join(FIELDS))
    format_ = one_of(Format, document, "format")
    given: dict[str, Any] = {name: read(document, name) for name, read in FIELDS.items() if name in document}
    stage = Stage(
        name=given.get("name", format_.value),
        format=format_,
        rounds=given.get("rounds", 1),
        scheme=given.get("scheme", SCHEMES["thousands"]),
        criteria=given.get("criteria", DEFAULT_CRITERIA[format_]),
        sizes=Sizes(given.get("sizes", Sizes().preferred), given.get("byes", format_ is not Format.PODS)),
        seats=given.get("seats", SeatMethod.BALANCED),
        draw=given.get("draw", DrawMethod.RANDOM),
        counting=given.get("counting"),
        again=given.get("again", "avoid"),
        ties=given.get("ties", "seeding" if format_ is Format.KNOCK_OUT else "shared"),
        advance=given.get("advance", Advance(per_table=1 if format_ is Format.KNOCK_OUT else 0)),
    )
    _check(stage)
    return stage


def stage_document(stage: Stage) -> JsonObject:
    """Returns the stage as JSON with every default; parsing it gives the same stage."""
    return {
        "name": stage.name,
        "format": stage.format.value,
        "rounds": stage.rounds,
        "sizes": list(stage.sizes.preferred),
        "byes": stage.sizes.byes,
        "seats": stage.seats.value,
        "draw": stage.draw.value,
        "again": stage.again,
        "scheme": _scheme_document(stage.scheme),
        "counting": stage.counting,
        "ties": stage.ties,
        "criteria": list(stage.criteria),
        "advance": {"per_table": stage.advance.per_table, "total": stage.advance.total, "fill": stage.advance.fill},
    }


def regulation_warnings(stage: Stage) -> tuple[RegulationWarning, ...]:
    """Returns warnings about gaps in the regulations."""
    return tuple(doubt for doubt in (_may_not_separate(stage), _best_of_few(stage), _nobody_advances(stage)) if doubt)


def _may_not_separate(stage: Stage) -> RegulationWarning | None:
    if SEPARATING.intersection(stage.criteria):
        return None
    return RegulationWarning(
        "criteria",
        "may_not_separate",
        f"Players may stay tied after {stage.criteria[-1]}: end the list with {' or '.join(sorted(SEPARATING))}.",
    )


def _best_of_few(stage: Stage) -> RegulationWarning | None:
    if stage.counting is None or stage.counting < stage.rounds:
        return None
    return RegulationWarning("counting", "all_count", f"All {stage.rounds} results count; nothing is left out.")


def _nobody_advances(stage: Stage) -> RegulationWarning | None:
    if stage.advance.total is not None or stage.advance.per_table:
        return None
    return RegulationWarning(
        "advance", "nobody_advances", "Nobody goes on from this stage; that suits the last one alone."
    )


def _check(stage: Stage) -> None:
    for size in stage.sizes.preferred:
        if not stage.scheme.share and size not in stage.scheme.places:
            raise BadRegulations("scheme", "says nothing of tables of {size}", size=size)
    if stage.advance.per_table and stage.format not in (Format.KNOCK_OUT, Format.PODS):
        raise BadRegulations("advance.per_table", "means nothing in {value}; use total", value=stage.format.value)
    if stage.format is Format.KNOCK_OUT and not 1 <= stage.advance.per_table < min(stage.sizes.preferred):
        raise BadRegulations("advance.per_table", "from one up to one less than the smallest table")
    if stage.format is Format.PODS and stage.sizes.byes:
        raise BadRegulations("byes", "an entrant cannot sit out all rounds of a pod")
    if stage.format is Format.KNOCK_OUT and stage.ties == "shared":
        raise BadRegulations("ties", "shared places do not decide who advances; use later_seat or seeding")


def _sizes(document: JsonObject, name: str) -> tuple[int, ...]:
    given = [size for size in items(document, name) if isinstance(size, int) and size in SEATS]
    if len(given) != len(items(document, name)) or len(set(given)) < len(given):
        raise BadRegulations(name, "different sizes from 2 to 5, the preferred one first")
    return tuple(given)


def _criteria(document: JsonObject, name: str) -> tuple[str, ...]:
    given = items(document, name)
    for criterion in given:
        if not isinstance(criterion, str) or not known(criterion):
            raise BadRegulations(
                name, "{criterion!r} is unknown; known are {known}", criterion=criterion, known=", ".join(CRITERIA)
            )
    if len(set(given)) < len(given):
        raise BadRegulations(name, "one is listed twice")
    return tuple(str(criterion) for criterion in given)


def _advance(document: JsonObject, name: str) -> Advance:
    return Advance(**members(document, name, ADVANCE_FIELDS))


def _scheme(document: JsonObject, name: str) -> Scheme:
    """Parses a scheme: a known name, one with changes, or the host's own."""
    value = document[name]
    if isinstance(value, str):
        return SCHEMES[word(SCHEMES)(document, name)]
    given = members(document, name, SCHEME_FIELDS)
    basis = SCHEMES.get(given.get("name", ""), Scheme("own", {}))
    if not given.get("places", basis.places) and not basis.share:
        raise BadRegulations(name, "the name of one of {known}, or places of its own", known=", ".join(SCHEMES))
    return basis._replace(**given)


def _worth(document: JsonObject, name: str) -> Mapping[int, tuple[Fraction, ...]]:
    value = document[name]
    if not isinstance(value, Mapping):
        raise BadRegulations(name, 'an object such as {"3": ["10", "5", "0"]}')
    rows = {}
    for size in value:
        if size not in map(str, SEATS) or len(items(value, size)) != int(size):
            raise BadRegulations(
                f"{name}.{size}", "for a table of 2 to 5, as many numbers as players, the winner's first"
            )
        rows[int(size)] = tuple(exact(f"{name}.{size}", worth) for worth in items(value, size))
        if list(rows[int(size)]) != sorted(rows[int(size)], reverse=True):
            raise BadRegulations(f"{name}.{size}", "a better place may not be worth less")
    return rows


def _scheme_document(scheme: Scheme) -> JsonObject:
    return {
        "name": scheme.name,
        "places": {str(size): [str(worth) for worth in row] for size, row in scheme.places.items()},
        "share": scheme.share,
        "tied": scheme.tied,
        "bye": scheme.bye,
        "asked": scheme.asked,
        "forfeit": scheme.forfeit,
    }


SCHEME_FIELDS: Final[Mapping[str, Read]] = {
    "name": text,
    "places": _worth,
    "share": truth,
    "tied": word(("average", "full")),
    "bye": word(BYES),
    "asked": word(BYES),
    "forfeit": word(("none", "last")),
}
ADVANCE_FIELDS: Final[Mapping[str, Read]] = {
    "per_table": number(0, 4),
    "total": number_or_none,
    "fill": truth,
}
FIELDS: Final[Mapping[str, Read]] = {
    "name": text,
    "format": lambda document, name: one_of(Format, document, name),
    "rounds": number(1, MOST_ROUNDS),
    "sizes": _sizes,
    "byes": truth,
    "seats": lambda document, name: one_of(SeatMethod, document, name),
    "draw": lambda document, name: one_of(DrawMethod, document, name),
    "again": word(("avoid", "allow")),
    "scheme": _scheme,
    "counting": number_or_none,
    "ties": word(("shared", "later_seat", "seeding")),
    "criteria": _criteria,
    "advance": _advance,
}
