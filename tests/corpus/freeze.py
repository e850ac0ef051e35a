"""Adds games to the corpus: `python -m tests.corpus.freeze FOLDER [GAME]`, with every release and new rules of a game.

A folder is named after a release, or after a game and its rules, such as puerto_rico-2. Until a version is released its
games may be frozen again; afterwards its files never change.
"""

import gzip
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from events.log.bundle import Bundle
from projections.games.chance import ChanceLevel
from projections.games.clocks import TimeControl
from projections.rules.registry import GAMES
from tests.corpus.evening import Evening, Setup
from tests.corpus.stories import STORIES

HERE = Path(__file__).parent
BANK, PER_MOVE = TimeControl("bank", 600, 10), TimeControl("per_move", 300)
SLOW = TimeControl("bank", 3 * 86_400, 3600)
BOTH = {"expansions": ["new_buildings", "nobles"]}
VIOLET = tuple(GAMES["puerto_rico"].choices["violet_buildings"].values)
OTHER_READINGS: Mapping[str, Any] = {  # what the rulings leave open, read the other way
    "start_player": "seat_0",
    "hospice_ship_fallback": False,
    "forest_mode": "tile_stack",
    "forest_face": "owner_only",
    "mayor_placement": "simultaneous",
    "short_ship": "none",
    "city_geometry": "grid_4x3",
    "specialty_factory_count": "own_production",
    "exclude_office_and_trading_post": True,
    "guest_windows": "coarse",
    "final_guest_window": False,
    "nobles_setup": "draft",
    "land_office_source": "face_up",
    "land_office_sell_forest": False,
    "vp_end_scope": "captain_only",
    "vp_display": "open",
}


def listed(kinds: tuple[Any, ...]) -> Mapping[str, Any]:
    return {**BOTH, "exp1_selection": "fixed_list", "violet_buildings": list(kinds)}


# Every kind of game, number of seats, value of an option, level of chance and kind of clock.
SETTINGS: Mapping[str, Setup] = {
    "spice_road_2": Setup("spice_road", 2, {"first_player": 0, "coin_taking": "optional"}, BANK, ChanceLevel.DECLARED),
    "spice_road_3": Setup("spice_road", 3, {"first_player": 1, "min_upgrade_steps": 1}, PER_MOVE, ChanceLevel.OPEN),
    "spice_road_4": Setup(
        "spice_road", 4, {"first_player": 2, "empty_rest": "allow"}, level=ChanceLevel.SEALED, signs=True
    ),
    "spice_road_5": Setup("spice_road", 5, {"cube_scoring": "all"}, BANK, ChanceLevel.CHAINED),
    "spice_road_5_hidden": Setup("spice_road", 5, {"first_player": 3, "hand_visibility": "owner_only"}),
    "spice_road_5_last": Setup("spice_road", 5, {"first_player": 4}, level=ChanceLevel.DECLARED),
    "puerto_rico_2": Setup("puerto_rico", 2, {}, BANK, ChanceLevel.CHAINED),
    "puerto_rico_3": Setup("puerto_rico", 3, {}, PER_MOVE, ChanceLevel.DECLARED),
    "puerto_rico_4": Setup("puerto_rico", 4, {}, level=ChanceLevel.SEALED, signs=True),
    "puerto_rico_5": Setup("puerto_rico", 5, {}, BANK),
    "puerto_rico_5_classic": Setup("puerto_rico", 5, {"edition": "classic"}, level=ChanceLevel.SEALED),
    "puerto_rico_3_balanced": Setup("puerto_rico", 3, {"variant": "balanced"}),
    "puerto_rico_4_new_buildings": Setup("puerto_rico", 4, {"expansions": ["new_buildings"]}),
    "puerto_rico_4_nobles": Setup("puerto_rico", 4, {"expansions": ["nobles"]}),
    "puerto_rico_2_both": Setup("puerto_rico", 2, BOTH),
    "puerto_rico_5_both": Setup("puerto_rico", 5, BOTH, PER_MOVE, ChanceLevel.CHAINED),
    "puerto_rico_3_all": Setup("puerto_rico", 3, {**BOTH, "exp1_selection": "all"}),
    "puerto_rico_4_drawn": Setup("puerto_rico", 4, {**BOTH, "exp1_selection": "random"}, level=ChanceLevel.SEALED),
    "puerto_rico_3_listed": Setup("puerto_rico", 3, listed(VIOLET[: len(VIOLET) // 2])),
    "puerto_rico_4_listed": Setup("puerto_rico", 4, listed(VIOLET[len(VIOLET) // 2 :])),
    "puerto_rico_4_other": Setup("puerto_rico", 4, {**BOTH, **OTHER_READINGS}, BANK, ChanceLevel.SEALED),
}
TOLD: Mapping[str, Setup] = {  # which game each story is told of
    "resigned": Setup("puerto_rico", 3),
    "forfeited": Setup("spice_road", 3, leaver="forfeit"),
    "aborted_early": Setup("puerto_rico", 2, level=ChanceLevel.SEALED),
    "cancelled": Setup("spice_road", 3),
    "aborted_by_agreement": Setup("spice_road", 2, level=ChanceLevel.CHAINED),
    "second_thoughts": Setup("spice_road", 2, {}, BANK),
    "flag_fallen": Setup("puerto_rico", 4, {}, PER_MOVE, leaver="bot:random"),
    "flag_forfeited": Setup("spice_road", 2, {}, BANK, leaver="forfeit"),
    "service_away": Setup("puerto_rico", 2, {}, BANK),
    "reveal_missed": Setup("spice_road", 3, level=ChanceLevel.SEALED),
    "imported": Setup("spice_road", 2),
    "imported_colony": Setup("puerto_rico", 2),
    "offer_withdrawn": Setup("spice_road", 2),
    "expired": Setup("spice_road", 3),
    "aborted_by_maker": Setup("puerto_rico", 3),
    "ended_by_administrator": Setup("spice_road", 2),
    "paused": Setup("spice_road", 3, {}, BANK),
    "days_away": Setup("spice_road", 3, {}, SLOW, leaver="forfeit"),
}
SAME_STORY = {"flag_forfeited": "flag_fallen", "imported_colony": "imported"}


def played(name: str, number: int) -> Evening:
    """The game of a row, played as its story goes."""
    evening = Evening(name, number, SETTINGS.get(name) or TOLD[name])
    STORIES["played_out" if name in SETTINGS else SAME_STORY.get(name, name)](evening)
    return evening


def freeze(folder: str, game: str | None = None) -> Iterator[Path]:
    """Write a game of each row, or of each row of one game, as bundles without proofs."""
    directory = HERE / folder
    directory.mkdir(exist_ok=True)
    for number, name in enumerate((*SETTINGS, *TOLD), 1):
        if game not in (None, (SETTINGS.get(name) or TOLD[name]).game):
            continue
        events = played(name, number).events
        data = Bundle(events[0].stream, tuple(event.body for event in events)).encode()
        path = directory / f"{name}.json.gz"
        path.write_bytes(gzip.compress(data, mtime=0))
        yield path


if __name__ == "__main__":
    for written in freeze(*sys.argv[1:3]):
        sys.stdout.write(f"{written}\n")
