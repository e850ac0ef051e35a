"""The numbers, options and moves on the pages of the rules are those of the code."""

import gzip
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from events.event import received
from events.log.bundle import Bundle
from projections.rules.puerto_rico import tables
from projections.rules.puerto_rico.buildings.printed import KINDS, PrintedBuilding
from projections.rules.puerto_rico.kinds import GOODS
from projections.rules.registry import GAMES
from projections.rules.spice_road import cards
from projections.rules.spice_road.cubes import Cubes

PAGES = Path(__file__).resolve().parents[2] / "deploy" / "docs" / "rules"
CORPUS = Path(__file__).resolve().parents[1] / "corpus"
TEXTS = {game: (PAGES / f"{game.replace('_', '-')}.md").read_text() for game in GAMES}


def cells(game: str, first: str) -> list[list[str]]:
    """Returns the rows of all tables that begin with a cell."""
    rows = [line.strip("| ").split(" | ") for line in TEXTS[game].splitlines() if line.startswith("|")]
    return [row for row in rows if row[0] == first]


@pytest.mark.parametrize("game", GAMES)
def test_page_names_every_option_and_its_values(game: str) -> None:
    for option, choice in GAMES[game].choices.items():
        (row,) = [row for row in cells(game, f"`{option}`") if re.search(r"R-\d|section|none", row[-1])]
        if option not in ("first_player", "violet_buildings"):
            values = [str(value).lower() if isinstance(value, bool) else str(value) for value in choice.values]
            assert [value for value in values if value not in " ".join(row[1:-1])] == [], option


@pytest.mark.parametrize("game", GAMES)
def test_page_shows_every_form_of_a_move(game: str) -> None:
    assert [form.move for form in GAMES[game].examples if f"`{form.move}`" not in TEXTS[game]] == []


@pytest.mark.parametrize("building", KINDS, ids=lambda building: building.name)
def test_page_has_what_is_printed_on_a_building(building: PrintedBuilding) -> None:
    printed = [str(building.cost), str(building.vp), str(building.column)]
    row = cells("puerto_rico", f"`{building.name}`")[0]
    assert row[1:4] == printed or (len(row) == 2 and printed == ["10", "4", "4"])  # large ones: said above their table


def verbs_of(decision: str) -> set[str]:
    """Returns the first words of the moves that the last table of Puerto Rico's page has for a decision."""
    table = TEXTS["puerto_rico"].partition("## 14.")[2]
    rows = [line for line in table.splitlines() if re.match(rf"\| .*{decision}[ ,]", line.partition(" | ")[0] + " ")]
    return {move.split()[0] for row in rows for move in re.findall(r"`([^`]+)`", row)}


def test_page_has_every_verb_that_frozen_games_use_at_a_decision() -> None:
    missing = set()
    for path in (CORPUS / "puerto_rico-2").glob("puerto_rico_?_both.json.gz"):
        decision = None
        for body in Bundle.read(gzip.decompress(path.read_bytes())).events:
            event = received(body)
            move = str(event.data.get("move", "")).split(" ")[0]
            if event.kind == "moved" and decision and decision.startswith("D-") and move != "ask_guests":
                missing |= {(decision, move)} - {(decision, verb) for verb in verbs_of(decision)}
            turn = event.data.get("turn", {})
            decision = str(turn["decision"]) if isinstance(turn, dict) and turn else decision
    assert missing == set()


PER_SEATS: Mapping[str, Mapping[int, object]] = {
    "Doubloons at the start": tables.START_DOUBLOONS,
    "Quarries": tables.QUARRIES,
    "Role cards": {seats: len(roles) for seats, roles in tables.ROLE_CARDS.items()},
    "Roles each player takes in a round": tables.ROLES_EACH,
    "Plantations in all": {seats: sum(tiles) for seats, tiles in tables.PLANTATIONS.items()},
    "Colonists in all, without Expansion II": tables.COLONISTS,
    "Cargo ships": {seats: ", ".join(map(str, holds)) for seats, holds in tables.HOLDS.items()},
}


@pytest.mark.parametrize("row", PER_SEATS)
def test_page_has_the_quantities_of_every_number_of_players(row: str) -> None:
    (found,) = cells("puerto_rico", row)
    assert found[1:] == [str(PER_SEATS[row][seats]) for seats in tables.SEATS]


def test_page_has_the_goods_and_their_prices() -> None:
    for number, good in enumerate(GOODS):
        row = next(row for row in cells("puerto_rico", f"`{good}`") if len(row) == 6)
        tokens = [str(tables.GOODS_TOKENS[seats][number]) for seats in (3, 2)]
        assert row[2:5] == [*tokens, str(tables.PRICES[number])]


def cubes(text: str) -> Cubes:
    """Returns the cubes that a cell such as `2Y + 1G` names."""
    counts = {kind: int(count) for count, kind in re.findall(r"(\d)([YRGB])", text)}
    return (counts.get("Y", 0), counts.get("R", 0), counts.get("G", 0), counts.get("B", 0))


def test_page_has_every_point_card() -> None:
    found = re.findall(r"\| (P\d\d) \| ([^|]+) \| (\d+) (?=\|)", TEXTS["spice_road"])
    page = {number: (cubes(cost), int(points)) for number, cost, points in found}
    assert [page[number] for number in sorted(page)] == [
        (cards.POINT[card].cost, cards.POINT[card].points) for card in cards.POINT_CARDS
    ]


def test_page_has_every_trade_card() -> None:
    found = re.findall(r"\| (M\d\d) \| ([^|]+) \| ([^|]+) (?=\|)", TEXTS["spice_road"])
    page = {number: (cubes(give), cubes(receive)) for number, give, receive in found}
    trades = [cards.MERCHANT[card] for card in cards.MARKET if cards.MERCHANT[card].kind == "trade"]
    assert [page[number] for number in sorted(page)] == [(card.give, card.receive) for card in trades]
