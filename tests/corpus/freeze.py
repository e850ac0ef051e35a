"""Adds games to the corpus: `python -m tests.corpus.freeze VERSION`, with every release.

Until a version is released its games may be frozen again; afterwards its files never change.
"""

import gzip
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

from events.bundle import Bundle
from events.event import Event
from events.json_types import Json
from projections.chance import Level
from projections.clocks import Setting
from projections.games import GAMES
from projections.record import RUNNING
from service import leaving, play, tables
from service.act import Act, Sources, Table
from service.tables import Proposal

HERE = Path(__file__).parent
SEED = b"\x2a" * 32
BANK = Setting("bank", 36_000, 10)
Options = Mapping[str, Json]

# Every kind of game, number of seats and set of options that plays by rules of its own.
SETTINGS: Mapping[str, tuple[str, int, Options]] = {
    **{f"spice_road_{seats}": ("spice_road", seats, {}) for seats in (2, 3, 4, 5)},
    **{f"puerto_rico_{seats}": ("puerto_rico", seats, {}) for seats in (2, 3, 4, 5)},
    "puerto_rico_3_balanced": ("puerto_rico", 3, {"variant": "balanced"}),
    "puerto_rico_4_new_buildings": ("puerto_rico", 4, {"expansions": ["new_buildings"]}),
    "puerto_rico_4_nobles": ("puerto_rico", 4, {"expansions": ["nobles"]}),
    "puerto_rico_5_both": ("puerto_rico", 5, {"expansions": ["new_buildings", "nobles"]}),
    "puerto_rico_2_both": ("puerto_rico", 2, {"expansions": ["new_buildings", "nobles"]}),
}


def played(name: str, number: int) -> Sequence[Event]:
    """A game of random moves by one player and bots, the last seat giving up half-way in every third."""
    game, seats, options = SETTINGS[name]
    source, events, table = random.Random(name), list[Event](), Table(UUID(int=(0x7 << 76) | (2 << 62) | number))
    sources = Sources(lambda: SEED, lambda: events)

    def let(decide: Any) -> None:
        nonlocal table
        act = Act(table, 1_800_000_000_000_000 + 1_000_000 * len(events), "player-1", sources)
        decide(act)
        events.extend(act.events)
        table = act.now

    others = ["bot:random"] * (seats - 1)
    proposal = Proposal(game, options, ["me", *others], BANK if number % 2 else Setting(), level=Level(number % 2))
    let(partial(tables.create, proposal=proposal))
    while table.known.status == RUNNING:
        turn = table.known.turn
        assert turn is not None  # somebody is to act while the game runs
        text = GAMES[game].notation(GAMES[game].legal(table.board).sample(source))
        let(partial(play.play, seat=turn.seat, text=text))
        if number % 3 == 0 and len(events) == 100 and table.known.status == RUNNING:
            let(partial(leaving.resign, seat=seats - 1))
    return events


def freeze(version: str) -> Iterator[Path]:
    """Write a game of each setting, as bundles without proofs."""
    directory = HERE / version
    directory.mkdir(exist_ok=True)
    for number, name in enumerate(SETTINGS, 1):
        events = played(name, number)
        data = Bundle(events[0].stream, tuple(event.body for event in events)).encode()
        path = directory / f"{name}.json.gz"
        path.write_bytes(gzip.compress(data, mtime=0))
        yield path


if __name__ == "__main__":
    for written in freeze(sys.argv[1]):
        sys.stdout.write(f"{written}\n")
