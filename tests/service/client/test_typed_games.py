"""Typed moves and positions of the client, held against what the rules of both games make and write."""

import dataclasses
import random
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import pytest
from cabildo_client import move_of, position_of
from cabildo_client.commitments import entropy_hash, key_text, move_text
from cabildo_client.hash_chain import event_hash
from cabildo_client.puerto_rico import GoodCounts, PuertoRicoPosition
from cabildo_client.puerto_rico.island_board import BuildingSupply, PlacedPeople, RoleCard

from events.event import EventDraft, Head, compose, new_stream
from projections.games import chance
from projections.games.signed_moves import key_statement, move_statement
from projections.rules.dealer import RandomDealer
from projections.rules.registry import GAMES
from service.games.documents import event_document

BOTH = {"expansions": ["new_buildings", "nobles"]}
TABLES: tuple[tuple[str, int, Mapping[str, Any]], ...] = (
    ("puerto_rico", 2, {}),
    ("puerto_rico", 4, {**BOTH, "forest_face": "owner_only", "mayor_placement": "simultaneous"}),
    ("puerto_rico", 3, {**BOTH, "exp1_selection": "all", "nobles_setup": "draft", "guest_windows": "coarse"}),
    ("puerto_rico", 5, {"edition": "classic", "vp_display": "open", "expansions": ["new_buildings"]}),
    ("spice_road", 3, {}),
    ("spice_road", 5, {"hand_visibility": "owner_only", "coin_taking": "optional"}),
)
FEW, EVERY = 60, 7  # moves read of one decision; boards between two that are read


def boards(name: str, seats: int, options: Mapping[str, Any], seed: int) -> Iterator[tuple[Any, list[str]]]:
    """Every board of a random game, with some of its legal moves in notation."""
    rules, chooser = GAMES[name], random.Random(seed)
    dealer, facts = RandomDealer(random.Random(seed)), rules.recorder(recording=False)
    board = rules.set_up(rules.read_options(options, seats), seats, dealer, facts)
    while rules.actor(board) is not None:
        moves = [*islice(rules.legal(board), FEW)]
        yield board, [rules.notation(move) for move in moves]
        rules.play(board, chooser.choice(moves), dealer, facts)
    yield board, []


@pytest.mark.parametrize(("name", "seats", "options"), TABLES, ids=lambda value: str(value)[:40])
def test_every_legal_move_is_read_and_written_alike(name: str, seats: int, options: Mapping[str, Any]) -> None:
    texts = {text for _, moves in islice(boards(name, seats, options, 1), 400) for text in moves}
    assert len(texts) > 50
    assert [text for text in texts if str(move_of(name, text)) != text] == []


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_form_of_the_notation_is_read_and_written_alike(name: str) -> None:
    texts = {form.move for form in GAMES[name].examples}
    assert {str(move_of(name, text)) for text in texts} == texts


@pytest.mark.parametrize(("name", "seats", "options"), TABLES, ids=lambda value: str(value)[:40])
def test_a_typed_position_has_everything_of_its_document(name: str, seats: int, options: Mapping[str, Any]) -> None:
    rules, read = GAMES[name], 0
    for board, _ in islice(boards(name, seats, options, 2), 0, None, EVERY):
        for viewer in (None, 0, seats - 1):
            document = {**rules.view(board, viewer), "version": 3}
            assert plain(position_of(document)) == without_defaults(document)
            read += 1
    assert read > 10


def test_the_own_placement_of_a_seat_is_told_in_rows() -> None:
    options = {**BOTH, "mayor_placement": "simultaneous"}
    known = ((board, viewer) for board, _ in boards("puerto_rico", 4, options, 2) for viewer in range(4))
    documents: Iterator[Any] = (GAMES["puerto_rico"].view(board, viewer) for board, viewer in known)
    found = next(each for each in documents if any(map(is_placed, each["phase"]["sealed_placements"])))
    read = position_of({**found, "version": 1})
    assert isinstance(read, PuertoRicoPosition)
    placed = next(each for each in read.phase.sealed_placements if is_placed(each))
    assert {type(row) for row in placed or ()} == {PlacedPeople}


def is_placed(placement: Any) -> bool:
    """Whether people of a placement are to be seen."""
    return bool(placement) and placement != "sealed"


def plain(value: Any) -> Any:
    """A typed value as a document again, without what the service leaves out."""
    if isinstance(value, PlacedPeople):
        return [*dataclasses.astuple(value)]
    if isinstance(value, tuple) and value and isinstance(value[0], BuildingSupply):
        return {row.building: row.left for row in value}
    if isinstance(value, tuple) and value and isinstance(value[0], RoleCard):
        return {row.role: {"doubloons": row.doubloons, "taken_by": row.taken_by} for row in value}
    if isinstance(value, GoodCounts):
        return {name: amount for name, amount in dataclasses.asdict(value).items() if amount}
    if dataclasses.is_dataclass(value):
        fields = ((field, getattr(value, field.name)) for field in dataclasses.fields(value))
        return {field.name: plain(held) for field, held in fields if held != field.default or field.name == "version"}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    return value


def without_defaults(value: Any) -> Any:
    """A document without the members that stand for nothing."""
    if isinstance(value, Mapping):
        left = {name: without_defaults(held) for name, held in value.items()}
        spices = {"turmeric", "saffron", "cardamom", "cinnamon"}
        dropped = {"face", "hidden", "face_down_elsewhere"} | spices
        return {name: held for name, held in left.items() if held or name not in dropped}
    if isinstance(value, list | tuple):
        return [without_defaults(item) for item in value]
    return value


def test_the_client_derives_what_the_service_derives() -> None:
    game, entropy, head = new_stream(1), bytes(range(32)), Head(7, bytes(range(32)))
    assert entropy_hash(game, 3, entropy) == chance.entropy_commitment(game, 3, entropy)
    assert key_text("player") == key_statement("player")
    assert move_text(game, 7, head.hash.hex(), 2, "rest") == move_statement(game, head, 2, "rest")


def test_the_client_computes_the_hash_of_an_event() -> None:
    data = {"seat": 0, "agrees": True}
    draft = EventDraft("offer_answered", data, "service", 1_700_000_000_000_000, "2")
    event = compose(new_stream(1), Head(4, b"\x07" * 32), draft, bytes(range(16)))
    assert event_hash({**event_document(event), "stream": str(event.stream)}) == event.hash.hex()
