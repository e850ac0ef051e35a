"""Options and rules versions: the choices that the rulings leave open and those that a version fixes, for one game."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from events.json_types import Json, JsonObject
from projections.rules.errors import BadOptions
from projections.rules.options import GameOption, Options
from projections.rules.puerto_rico.buildings.printed import (
    BASE,
    COSTS,
    KINDS,
    NAMES,
    NEW_BUILDINGS,
    NOBLES,
    NUMBERS,
    VIOLET,
    Building,
    mask_of,
)
from projections.rules.puerto_rico.tables import SEATS, VP_POOL

OFFICE_AND_TRADING_POST: Final = mask_of((Building.OFFICE, Building.TRADING_POST))
EXPANSIONS: Final = ("new_buildings", "nobles")

CHOICES: Final[Mapping[str, tuple[Json, ...]]] = {  # option -> values, the default first
    "edition": ("deluxe", "classic"),
    "vp_pool_5p": (126, 122),
    "start_player": ("random", "seat_0"),
    "hospice_ship_fallback": (True, False),
    "forest_mode": ("face_down_plantation", "tile_stack"),
    "forest_face": ("reveal", "owner_only"),
    "mayor_placement": ("sequential", "simultaneous"),
    "short_ship": ("partial", "none"),
    "city_geometry": ("free", "grid_4x3"),
    "specialty_factory_count": ("all_received", "own_production"),
    "exclude_office_and_trading_post": (False, True),
    "guest_windows": ("full", "coarse"),
    "final_guest_window": (True, False),
    "nobles_setup": ("add_all", "draft"),
    "land_office_source": ("face_down", "face_up"),
    "land_office_sell_forest": (True, False),
    "vp_end_scope": ("any_phase", "captain_only"),
    "vp_display": ("hidden", "open"),
    "exp1_selection": ("draft", "all", "fixed_list", "random"),
    "variant": ("standard", "balanced"),
}

EVERY_CHOICE: Final[Mapping[str, GameOption]] = {
    **{name: GameOption(values) for name, values in CHOICES.items()},
    "expansions": GameOption(EXPANSIONS, several=True),
    "violet_buildings": GameOption(tuple(NAMES[kind] for kind in range(len(KINDS)) if VIOLET[kind]), several=True),
}

PRESETS: Final[Mapping[str, JsonObject]] = {  # edition -> the options it sets unless they are given
    "deluxe": {},
    "classic": {"vp_pool_5p": 122, "forest_mode": "tile_stack", "short_ship": "none"},
}


@dataclass(frozen=True, slots=True)
class Version:
    """The choices that one version of the rules fixes; a later fix is a new row with another value.

    A field that was added by a fix has a default: the behaviour of the versions before it.
    """

    vp_pool: Mapping[int, int]  # seats -> victory points; for five an option may say otherwise
    balanced_costs: Mapping[int, int]  # the kinds of buildings whose cost the balanced variant changes
    pass_closes_buildings: bool = False  # a seat that passed in the trader phase uses no building in it any more
    rounds_as_played: bool = False  # the draft is round 0 (6.1), and a finished game keeps the round it ended in (3.1)
    forced_keeps_window: bool = False  # 4.5: `ask_guests` opens a window also when a forced move came after it


_FIRST: Final = Version(vp_pool=VP_POOL, balanced_costs={Building.UNIVERSITY: 7, Building.FACTORY: 8})
VERSIONS: Final[Mapping[str, Version]] = {
    "1": _FIRST,
    "2": replace(_FIRST, pass_closes_buildings=True, rounds_as_played=True, forced_keeps_window=True),
}
NEWEST: Final = "2"  # recorded by new games


class Rulings(NamedTuple):
    """The frozen rulings of one game, from its version and options; R-n of the reference where there is one."""

    version: str
    options: Options
    new_buildings: bool
    nobles: bool
    balanced: bool
    costs: tuple[int, ...]
    vp_pool: int
    hospice_ship_fallback: bool
    forest_stack: bool  # forests are tiles of their own
    hidden_faces: bool  # the face of a drawn forest is its owner's secret
    sealed_placement: bool
    partial_ship: bool
    city_grid: bool
    all_received: bool
    exclusive: int  # bits of kinds of which only one may be chosen
    coarse_windows: bool
    final_window: bool
    draft: bool  # the violet buildings are chosen before the first round
    drawn: bool  # the dealer chooses them
    candidates: tuple[int, ...]  # violet kinds that may come into play
    office_from_row: bool
    office_sells_forest: bool
    pass_closes_buildings: bool
    rounds_as_played: bool  # 3.1, 6.1
    forced_keeps_window: bool  # 4.5
    captain_ends_vp: bool  # an empty VP supply counts at the end of a captain phase only
    hidden_vp: bool


def read_options(given: JsonObject, seats: int) -> Options:
    """All options by the reference's names, defaults filled in; refuses with BadOptions."""
    if seats not in SEATS:
        raise BadOptions("seats", "two to five can play, not {seats}", seats=seats)
    for name in given:
        if name not in CHOICES and name not in ("expansions", "violet_buildings"):
            raise BadOptions(name, "there is no such option")
    options: dict[str, Json] = {name: values[0] for name, values in CHOICES.items()}
    options |= PRESETS[str(_chosen("edition", given.get("edition", "deluxe")))]
    for name in CHOICES.keys() & given.keys():
        options[name] = _chosen(name, given[name])
    options["expansions"] = list(_expansions(given.get("expansions")))
    options["violet_buildings"] = _listed(given.get("violet_buildings"), options)
    return dict(sorted(options.items()))


def _chosen(name: str, value: Json) -> Json:
    for possible in CHOICES[name]:
        if possible == value and type(possible) is type(value):
            return possible
    raise BadOptions(
        name,
        "{value!r} is not one of {known}",
        value=value,
        known=", ".join(str(possible) for possible in CHOICES[name]),
    )


def _names(option: str, value: Json, known: tuple[str, ...]) -> list[str]:
    """A list of distinct known names, in the reference's order."""
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise BadOptions(option, "expected a list of names")
    for name in value:
        if name not in known:
            raise BadOptions(option, "{name!r} is not one of {known}", name=name, known=", ".join(known))
    if len(set(value)) != len(value):
        raise BadOptions(option, "a name is listed twice")
    return [name for name in known if name in value]


def _expansions(value: Json) -> list[str]:
    return _names("expansions", value, EXPANSIONS)


def _listed(value: Json, options: Mapping[str, Json]) -> list[str]:
    """The kinds of `violet_buildings`, which go with `fixed_list` and with nothing else (R-91)."""
    fixed = options["exp1_selection"] == "fixed_list"
    if fixed and value is None:
        raise BadOptions("violet_buildings", "exp1_selection=fixed_list needs a list of kinds")
    if value and not fixed:
        raise BadOptions("violet_buildings", "goes with exp1_selection=fixed_list only")
    allowed = _violet_kinds(_sources(options, nobles=True))
    return _names("violet_buildings", value, tuple(NAMES[kind] for kind in allowed))


def _sources(options: Mapping[str, Json], *, nobles: bool) -> set[int]:
    """The boxes whose violet kinds may be chosen; those of the nobles when asked for."""
    expansions = options["expansions"]
    assert isinstance(expansions, list | tuple)
    sources = {BASE}
    if "new_buildings" in expansions:
        sources.add(NEW_BUILDINGS)
    if nobles and "nobles" in expansions:
        sources.add(NOBLES)
    return sources


def _violet_kinds(sources: set[int]) -> tuple[int, ...]:
    return tuple(number for number, kind in enumerate(KINDS) if VIOLET[number] and kind.expansion in sources)


def rulings_of(version: str, options: Options, seats: int) -> Rulings:
    """The frozen rulings of a game with these complete options; refuses with BadOptions an unknown version."""
    if version not in VERSIONS:
        raise BadOptions(
            "rules", "unknown version {version!r}; there are {known}", version=version, known=", ".join(VERSIONS)
        )
    fixed = VERSIONS[version]
    expansions = options["expansions"]
    assert isinstance(expansions, list | tuple)
    nobles, new_buildings = "nobles" in expansions, "new_buildings" in expansions
    selection = options["exp1_selection"]
    nobles_join = options["nobles_setup"] == "draft" or selection == "all"
    chosen = new_buildings or (nobles and options["nobles_setup"] == "draft")
    balanced = options["variant"] == "balanced"
    pool = options["vp_pool_5p"]
    assert isinstance(pool, int)
    return Rulings(
        version=version,
        options=options,
        new_buildings=new_buildings,
        nobles=nobles,
        balanced=balanced,
        costs=tuple(fixed.balanced_costs.get(kind, cost) if balanced else cost for kind, cost in enumerate(COSTS)),
        vp_pool=pool if seats == 5 else fixed.vp_pool[seats],
        hospice_ship_fallback=bool(options["hospice_ship_fallback"]),
        forest_stack=options["forest_mode"] == "tile_stack",
        hidden_faces=options["forest_face"] == "owner_only",
        sealed_placement=options["mayor_placement"] == "simultaneous",
        partial_ship=options["short_ship"] == "partial",
        city_grid=options["city_geometry"] == "grid_4x3",
        all_received=options["specialty_factory_count"] == "all_received",
        exclusive=OFFICE_AND_TRADING_POST if options["exclude_office_and_trading_post"] else 0,
        coarse_windows=options["guest_windows"] == "coarse",
        final_window=bool(options["final_guest_window"]),
        draft=chosen and selection == "draft",
        drawn=chosen and selection == "random",
        candidates=_violet_kinds(_sources(options, nobles=nobles_join)),
        office_from_row=options["land_office_source"] == "face_up",
        office_sells_forest=bool(options["land_office_sell_forest"]),
        pass_closes_buildings=fixed.pass_closes_buildings,
        rounds_as_played=fixed.rounds_as_played,
        forced_keeps_window=fixed.forced_keeps_window,
        captain_ends_vp=options["vp_end_scope"] == "captain_only",
        hidden_vp=options["vp_display"] == "hidden",
    )


def buildings_laid_out(rulings: Rulings) -> tuple[int, ...]:
    """The kinds of buildings in play before any draft."""
    production = tuple(
        number for number, kind in enumerate(KINDS) if not VIOLET[number] and (kind.expansion == BASE or rulings.nobles)
    )
    added = _violet_kinds({NOBLES}) if rulings.nobles and rulings.options["nobles_setup"] == "add_all" else ()
    listed = rulings.options["violet_buildings"]
    assert isinstance(listed, list | tuple)
    if rulings.draft or rulings.drawn:
        violet: tuple[int, ...] = ()
    elif rulings.options["exp1_selection"] == "fixed_list":
        violet = tuple(NUMBERS[str(name)] for name in listed)
    else:
        violet = rulings.candidates
    return tuple(sorted({*production, *added, *violet}))
