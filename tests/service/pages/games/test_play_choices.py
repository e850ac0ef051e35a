"""What the table offers to click and to fill in, held against the rules: every decision of both games, in a browser."""

import random
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from events.json_types import Json, JsonObject
from projections.rules.dealer import RandomDealer
from projections.rules.legal_moves import legal_moves_document
from projections.rules.registry import GAMES
from tests.support.service.browser import DESKTOP, page
from tests.support.service.browser_players import come_in, sit_down

PER_DECISION: Final = 2
BOTH: Final[JsonObject] = {"expansions": ["new_buildings", "nobles"]}
TABLES: Final[dict[str, list[tuple[JsonObject, int]]]] = {
    "puerto_rico": [(BOTH, 4), (BOTH, 3), ({}, 5), ({}, 2)],
    "spice_road": [({}, 2), ({}, 4)],
}
UNSEEN: Final = ("pass", "stay", "ask_guests", "keep", "supply", "store", "place", "drop")  # made in the list alone
SHOWN: Final = """async ([game, cases]) => {
  const setting = JSON.parse(document.getElementById("setting").textContent);
  const {board} = await import(`/static/replay/${game}.js`);
  const {targets} = await import("/static/play/targets.js");
  return cases.map(([position, seat, moves]) => {
    setting.seats = position.players.map((_, at) => `seat ${at}`);
    const drawn = board(position, setting);
    const named = drawn.flatMap((node) => [...node.querySelectorAll("[data-part]")]);
    const parts = new Set(named.map((node) => node.dataset.part));
    return moves.map((move) => targets(game, move, position, seat).filter((key) => parts.has(key)).length);
  });
}"""
FILLED: Final = """async ([cases]) => {
  const setting = JSON.parse(document.getElementById("setting").textContent);
  const {editors} = await import("/static/play/editors.js");
  const fill = (form, turn) => {
    for (const select of form.querySelectorAll("select")) select.selectedIndex = turn() % select.options.length;
    for (const more of form.querySelectorAll(".counter button:last-of-type")) {
      for (let times = turn() % 4; times; times--) more.click();
    }
    form.dispatchEvent(new Event("change"));
  };
  return cases.map(([slots, seed]) => {
    let state = seed;
    const turn = () => (state = (state * 48271) % 2147483647);
    const texts = [];
    for (const form of [...Array(40)].flatMap(() => editors(slots, setting, (text) => texts.push(text)))) {
      fill(form, turn);
      if (!form.querySelector("button.main").disabled) form.dispatchEvent(new Event("submit", {cancelable: true}));
    }
    return texts;
  });
}"""
PLACED: Final = """async ([cases]) => {
  const {Placement} = await import("/static/play/placement.js");
  return cases.map(([slots, position, seat]) => {
    const plan = new Placement(slots, position, seat);
    const first = plan.text;
    plan.clear();
    plan.fill();
    return [first, plan.text];
  });
}"""


class Case(NamedTuple):
    """A decision in a game."""

    position: Any
    seat: int
    view: JsonObject
    offer: JsonObject

    def moves(self) -> list[str]:
        """The listed moves as texts."""
        listed = self.offer["moves"]
        assert isinstance(listed, list | tuple)
        return [str(move["move"]) for move in listed if isinstance(move, dict)]


def random_decisions(name: str, options: JsonObject, seats: int, seed: int) -> Iterator[Case]:
    """Every decision of a random game."""
    game, source = GAMES[name], random.Random(seed)
    dealer = RandomDealer(source)
    position = game.set_up(game.read_options(options, seats), seats, dealer, game.recorder(recording=False))
    for _ in range(1_500):
        seat = game.actor(position)
        if seat is None:
            return
        yield Case(game.copy(position), seat, game.view(position, seat), legal_moves_document(game, position))
        game.play(position, game.legal(position).sample(source), dealer, game.recorder(recording=False))


def cases(name: str) -> list[Case]:
    """A few of every kind of decision; of those with slots more."""
    kept: dict[object, list[Case]] = {}
    for number, (options, seats) in enumerate(TABLES[name]):
        for case in random_decisions(name, options, seats, number):
            kind = (number, case.offer["decision"], tuple(sorted(_dict(case.offer.get("slots")))))
            several = kept.setdefault(kind, [])
            if len(several) < PER_DECISION:
                several.append(case)
    return [case for several in kept.values() for case in several]


def _dict(value: Json) -> dict[str, Json]:
    return dict(value) if isinstance(value, dict) else {}


@pytest.fixture(params=sorted(TABLES))
def at_a_table(request: pytest.FixtureRequest, table_house: str, opened: Browser) -> Iterator[tuple[str, Page]]:
    """A page of a game, whose scripts can be asked."""
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        sit_down(shown, table_house, request.param, "bot:greedy", "bot:greedy")
        expect(shown.locator("#board .mat").first).to_be_visible()
        yield request.param, shown


def test_every_choice_leads_to_legal_moves_and_every_move_to_its_place(at_a_table: tuple[str, Page]) -> None:
    name, shown = at_a_table
    known = cases(name)
    found = shown.evaluate(SHOWN, [name, [[case.view, case.seat, case.moves()] for case in known]])
    lost = {
        move
        for case, numbers in zip(known, found, strict=True)
        for move, number in zip(case.moves(), numbers, strict=True)
        if not number and move.split()[0] not in UNSEEN and case.offer["decision"] != "D-DRAFT"
    }
    assert lost == set()
    slots = [(at, _dict(case.offer.get("slots"))) for at, case in enumerate(known)]
    asked = [(at, slot) for at, slot in slots if slot and "to_place" not in slot]
    texts = shown.evaluate(FILLED, [[[slot, 7 + at] for at, slot in asked]])
    assert [slot for (_, slot), made in zip(asked, texts, strict=True) if not made] == []
    for (at, _), made in zip(asked, texts, strict=True):
        legal, parse = GAMES[name].legal(known[at].position), GAMES[name].parse
        assert [text for text in made if parse(text) not in legal] == []
    placing = [(known[at], slot) for at, slot in slots if "to_place" in slot]
    placed = shown.evaluate(PLACED, [[[slot, case.view, case.seat] for case, slot in placing]])
    for (case, _), made in zip(placing, placed, strict=True):
        legal = GAMES[name].legal(case.position)
        assert [text for text in made if GAMES[name].parse(text) not in legal] == []
