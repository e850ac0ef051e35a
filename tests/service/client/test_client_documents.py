"""The documents of the client against the schemas of the service: every field is there, and rows, no mappings."""

import dataclasses
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cabildo_client.decode import read
from cabildo_client.documents import BotDescription, BotManifest, GameOverview, StreamEvent, TakenSeat
from cabildo_client.errors import UnreadableAnswer
from cabildo_client.legal_moves import (
    JudgedMove,
    LegalMove,
    LegalMoves,
    MoveContinuation,
    MoveRefusal,
    MoveSlot,
    SlotPart,
    WhyNoMoves,
)
from cabildo_client.spice_road import SpiceRoadPosition
from cabildo_client.testing import FakeServer
from marshmallow import Schema

from service.games.schemas import documents, legal
from service.players.schemas import Manifest
from tests.support.running_program import PROJECT

SLOTS = re.compile(r"^ +slots: (\{.*\})$", re.MULTILINE)
PAIRS: tuple[tuple[type[Schema], type], ...] = (
    (documents.EventDocument, StreamEvent),
    (documents.SeatDocument, TakenSeat),
    (documents.BotDescriptionDocument, BotDescription),
    (Manifest, BotManifest),
    (legal.LegalMovesDocument, LegalMoves),
    (legal.Offered, LegalMove),
    (legal.RefusedMove, MoveRefusal),
    (legal.AskedMove, JudgedMove),
    (legal.NoMoves, WhyNoMoves),
    (legal.Continuation, MoveContinuation),
)


@pytest.mark.parametrize(("schema", "kind"), PAIRS, ids=lambda kind: kind.__name__)
def test_a_typed_document_has_every_field_of_its_schema(schema: type[Schema], kind: type) -> None:
    fields = dataclasses.fields(kind)
    assert {*schema().fields} - {field.metadata.get("json", field.name) for field in fields} == set()


def spelled(slot: MoveSlot) -> Any:
    """A slot as a member of the document again, where its parts are an object."""
    parts = {part.name: part.count for part in slot.parts}
    if slot.amount is None:
        return parts
    return {"cubes": slot.amount, "of": parts} if parts else slot.amount


def told(slots: dict[str, Any]) -> dict[str, MoveSlot]:
    """The typed slots of a document by their names."""
    moves = read(LegalMoves, {"version": 1, "seat": 0, "decision": "any", "slots": slots})
    return {slot.name: slot for slot in moves.slots or ()}


def test_every_slot_of_the_guide_to_legal_moves_is_a_row() -> None:
    shown = [json.loads(text) for text in SLOTS.findall((PROJECT / "deploy/docs/legal.md").read_text())]
    assert len(shown) > 5
    for slots in shown:
        read_slots = told(slots)
        assert [*read_slots] == [*slots]
        for name, value in slots.items():
            expected = dict.fromkeys(value, 1) if isinstance(value, list) else value
            assert spelled(read_slots[name]) == expected


def test_slots_have_amounts_and_parts() -> None:
    slots = {"to_place": 5, "vp": True, "goods": ["corn"], "buy 2": {"cubes": 1, "of": {"saffron": 4}}}
    assert [*told(slots).values()] == [
        MoveSlot("to_place", 5, ()),
        MoveSlot("vp", 1, ()),
        MoveSlot("goods", None, (SlotPart("corn", 1),)),
        MoveSlot("buy 2", 1, (SlotPart("saffron", 4),)),
    ]
    for wrong in ({"places": "many"}, {"places": {"corn": "many"}}):
        with pytest.raises(UnreadableAnswer, match="slot places"):
            told(wrong)


def test_a_board_of_a_stream_is_typed_and_an_event_has_its_time() -> None:
    client = FakeServer().client()
    client.register("tester")
    game = client.create("spice_road", ["me", "bot:greedy"])
    event = next(event for event in client.events(game.id, boards=True) if event.document is not None)
    assert isinstance(event.position, SpiceRoadPosition)
    assert event.time == datetime.fromtimestamp(event.at // 1_000_000, UTC).replace(microsecond=event.at % 1_000_000)


def test_a_seat_of_a_bot_has_its_manifest() -> None:
    recorded = json.loads(Path(PROJECT / "deploy/clients/python/cabildo_client/testing/spice_road.json").read_text())
    game = next(each for each in games_of(recorded) if each["seats"])
    manifest = {"author": "Ada", "budget": "100 steps"}
    game["seats"][0] |= {"about": {"engine": "robo 1", "manifest": manifest}, "away_until": None}
    seat = read(GameOverview, game).seats[0]
    assert seat.about == BotDescription("robo 1", BotManifest("Ada", "", "100 steps", ""))


def games_of(value: Any) -> list[dict[str, Any]]:
    """The documents of games in a recording."""
    if isinstance(value, dict):
        own = [value] if {"seats", "spectator_delay"} <= value.keys() else []
        return own + [each for held in value.values() for each in games_of(held)]
    return [each for held in value for each in games_of(held)] if isinstance(value, list) else []
