"""Writes the guide's examples of every decision: `python -m tests.support.projections.decision_examples`."""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from projections.rules.dealer import RandomDealer
from projections.rules.legal_moves import continuations, legal_moves_document
from projections.rules.protocol import Game
from projections.rules.puerto_rico.plan import DECISIONS
from projections.rules.registry import GAMES

GUIDE: Final = Path(__file__).parents[3] / "deploy" / "docs" / "legal.md"
BEGIN: Final = "<!-- Examples made by the tests begin here. -->\n"
ALL_BUILDINGS: Final = {"expansions": ["new_buildings", "nobles"], "exp1_selection": "all"}
DRAFTED: Final = {"expansions": ["new_buildings", "nobles"], "nobles_setup": "draft"}
TABLES: Final[Mapping[str, Sequence[tuple[int, Mapping[str, Any]]]]] = {  # played until every decision was met
    "puerto_rico": ((4, {}), (4, DRAFTED), (2, ALL_BUILDINGS), (4, ALL_BUILDINGS)),
    "spice_road": ((3, {}),),
}
OF_GAME: Final[Mapping[str, Sequence[str]]] = {
    "puerto_rico": tuple(dict.fromkeys(DECISIONS.values())),
    "spice_road": ("action", "caravan_limit"),
}
LONG_CHOICES: Final[Mapping[str, Sequence[str]]] = {  # decisions that may be too long to list
    "puerto_rico": ("D-MAY-PLACE", "D-BLD", "D-CAP-STORE", "D-GUEST"),
    "spice_road": ("action", "caravan_limit"),
}
SEEDS: Final = 12
LEAST_OF_LONG: Final = 20  # moves of a long choice that is shown
MOST: Final = 3  # moves and continuations that are shown


def examples() -> str:
    """Returns the examples of all decisions as Markdown."""
    return "".join(f"\n### {game}\n{''.join(_of_game(GAMES[game]))}" for game in sorted(GAMES))


def _of_game(rules: Game[Any, Any]) -> Iterator[str]:
    found: dict[tuple[str, bool], str] = {}
    wanted = {(name, True) for name in OF_GAME[rules.name]} | {(name, False) for name in LONG_CHOICES[rules.name]}
    for position in _positions(rules):
        document: Any = legal_moves_document(rules, position)
        key = (document["decision"], document["complete"])
        if key not in found and document["count"] > (1 if document["complete"] else LEAST_OF_LONG):
            found[key] = _shown(rules, position, document)
        if wanted <= found.keys():
            break
    for name in OF_GAME[rules.name]:
        yield f"\n`{name}`\n"
        yield from (found[name, complete] for complete in (True, False) if (name, complete) in found)


def _positions(rules: Game[Any, Any]) -> Iterator[Any]:
    """Yields the positions of random games, always of the same ones."""
    for seed in range(SEEDS):
        for seats, options in TABLES[rules.name]:
            source = random.Random(seed)
            dealer, recorder = RandomDealer(source), rules.recorder(recording=False)
            position = rules.set_up(rules.read_options(options, seats), seats, dealer, recorder)
            while rules.actor(position) is not None:
                yield position
                rules.play(position, rules.legal(position).sample(source), dealer, recorder)


def _shown(rules: Game[Any, Any], position: Any, document: dict[str, Any]) -> str:
    """Returns an answer as a block of code, with the first of its moves; of a long choice also how it is completed."""
    lines = [f"    {name}: {_json(value)}" for name, value in document.items() if name != "moves"]
    rows = [f"      {_json(move)}" for move in document["moves"][:MOST]]
    more = len(document["moves"]) - MOST
    lines += ["    moves:", *rows, *([f"      … and {more} more"] if more > 0 else [])]
    if not document["complete"]:
        for begun in ("", str(document["moves"][-1]["move"]).partition(" ")[0]):
            ways = continuations(rules, position, begun)
            lines += [f"    continuations of {_json(begun)}:", *(f"      {_json(way)}" for way in ways[:MOST])]
    return "\n" + "\n".join(lines) + "\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def guide() -> str:
    """Returns the guide with the examples as they are now."""
    return GUIDE.read_text().partition(BEGIN)[0] + BEGIN + examples()


if __name__ == "__main__":
    GUIDE.write_text(guide())
