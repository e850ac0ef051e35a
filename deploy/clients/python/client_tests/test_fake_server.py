"""The client against the fake server: whole games, faults, typed refusals."""

import asyncio
import dataclasses
import json
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest
from cabildo_client import (
    AsyncClient,
    BotRunner,
    Client,
    FirstMove,
    PlayerTurn,
    RandomMove,
    Refused,
    Unreachable,
    move_of,
    position_of,
)
from cabildo_client.bots import runner
from cabildo_client.decode import read
from cabildo_client.errors import (
    Absent,
    BadMove,
    BrokenHistory,
    BrokenReceipt,
    EndedGame,
    OutdatedVersion,
    RefusedAccess,
    UnreadableAnswer,
    WrongToken,
)
from cabildo_client.hash_chain import check_receipt
from cabildo_client.legal_moves import OpenTurn
from cabildo_client.puerto_rico import PuertoRicoPosition
from cabildo_client.spice_road import SpiceRoadPosition
from cabildo_client.testing import FakeServer

GAMES = {"puerto_rico": PuertoRicoPosition, "spice_road": SpiceRoadPosition}


@pytest.fixture
def server() -> FakeServer:
    return FakeServer()


def seated(server: FakeServer, game: str = "spice_road", **more: Any) -> tuple[Client, str]:
    """A client at the beginning of a game."""
    client = server.client(**more)
    client.register("tester")
    return client, str(client.create(game, ["me", "bot:greedy"]).id)


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_plays_a_whole_game_with_typed_moves(server: FakeServer, game: str) -> None:
    seen: list[PlayerTurn] = []

    class Typed(RandomMove):
        def choose(self, turn: PlayerTurn) -> str:
            assert isinstance(turn.position, GAMES[game])
            assert [str(move) for move in turn.moves] == turn.legal
            seen.append(turn)
            return super().choose(turn)

    client, id = seated(server, game)
    result = BotRunner(client, Typed(1)).play(id)
    assert result is not None
    assert sorted(result.places) == [1, 2]
    assert len(seen) > 12
    assert client.game(id).status == "finished"


def test_a_turn_of_a_bot_takes_one_request_besides_one_stream(server: FakeServer) -> None:
    client, game = seated(server)
    before = len(server.requests)
    BotRunner(client, FirstMove()).play(game)
    asked = Counter(f"{method} {path.removeprefix(f'/v1/games/{game}')}" for method, path in server.requests[before:])
    assert asked.pop("POST /moves") == len(moves_of(client, game))
    assert asked.pop("GET /events") == 1
    assert asked == {"GET /v1/me/stream": 1, "GET /v1/games": 1, "GET ": 2}  # deals that wait; chance level, result


class Late(FakeServer):
    """Tells the first notification at once, the others when the game is over."""

    def notices(self, request: httpx.Request) -> httpx.Response:
        return self._stream(lambda after: self._notices[after : self._told()], 0)

    def streams(self) -> int:
        """Returns how often the events of a game were asked for."""
        return sum(path.endswith("/events") for _, path in self.requests)

    def _told(self) -> int | None:
        return None if all(game.is_over for game in self.games.values()) else 1


def test_notifications_that_come_late_open_no_stream_again() -> None:
    server = Late()
    client, game = seated(server)
    assert BotRunner(client, FirstMove()).play(game)
    assert server.streams() == 1


def test_games_beyond_the_streams_are_played_by_asking(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "FOLLOWED", 0)
    client, game = seated(server)
    assert BotRunner(client, FirstMove()).play(game)
    assert ("GET", f"/v1/games/{game}/events") not in server.requests


def test_a_program_is_told_its_turns_on_one_connection(server: FakeServer) -> None:
    client, game = seated(server, "puerto_rico")
    for turn in client.turns(game):
        assert isinstance(turn.position, PuertoRicoPosition)
        client.move(game, turn.legal[0], turn.version)
    assert client.game(game).status == "finished"
    assert [path for _, path in server.requests if path.endswith(("/legal", "/position"))] == []

    async def play() -> int:
        async with server.async_client(token=client.token) as other:
            id = (await other.create("spice_road", ["me", "bot:greedy"])).id
            async for turn in other.turns(id):
                await other.move(id, turn.moves[-1], turn.version)
            return len((await other.game(id)).seats)

    assert asyncio.run(play()) == 2


def test_a_bot_that_errs_ends_its_game_with_its_error(server: FakeServer) -> None:
    class Erring:
        def choose(self, turn: PlayerTurn) -> str:
            raise ZeroDivisionError(f"version {turn.version}")

    client, id = seated(server)
    with pytest.raises(ZeroDivisionError, match="version"):
        BotRunner(client, Erring()).play(id)


def test_an_asynchronous_program_plays_a_whole_game(server: FakeServer) -> None:
    async def play(client: AsyncClient) -> int:
        await client.register("tester")
        game = await client.create("spice_road", ["me", "bot:greedy"])
        made = 0
        while (turn := await client.turn(game.id)) is not None:
            await client.move(game.id, turn.moves[0], turn.version)
            made += 1
        numbers = [event.seq async for event in client.events(game.id)]
        assert numbers == list(range(1, len(numbers) + 1))
        notice = await anext(client.notifications())
        assert notice.event == "your_turn"
        return made

    async def session() -> int:
        async with server.async_client() as client:
            return await play(client)

    assert asyncio.run(session()) > 12


def moves_of(client: Client, game: str) -> list[str]:
    """The moves of the client in a game."""
    page = client.ask("GET", f"/v1/games/{game}/events")["events"]
    return [event["data"]["move"] for event in page if event["kind"] == "moved" and event["actor"] == client.player()]


def test_lost_answers_make_no_move_twice(server: FakeServer) -> None:
    client, game = seated(server)
    asked = []
    for _ in range(3):
        turn = client.turn(game)
        assert turn is not None
        server.lose_answers()
        asked.append(turn.legal[0])
        client.move(game, turn.legal[0], turn.version)
    assert moves_of(client, game) == asked
    moves = [path for method, path in server.requests if (method, path.rpartition("/")[2]) == ("POST", "moves")]
    assert len(moves) == 5  # the answer that was lost first is that of a GET


def test_an_overloaded_service_is_asked_again(server: FakeServer, caplog: pytest.LogCaptureFixture) -> None:
    client, game = seated(server)
    server.refuse(503, times=2)
    assert client.game(game).status == "running"
    assert "asking again until it is" in caplog.text


def test_a_service_that_stays_away_is_unreachable(server: FakeServer) -> None:
    client, game = seated(server, retry_seconds=0.2)
    server.refuse(503, times=100)
    with pytest.raises(Unreachable):
        client.game(game)


def test_a_stream_that_is_cut_tells_every_event_once(server: FakeServer) -> None:
    client, game = seated(server)
    BotRunner(client, FirstMove()).play(game)
    whole = [event.seq for event in client.events(game)]
    server.cut_streams(after=9)
    assert [event.seq for event in client.events(game)] == whole == list(range(1, len(whole) + 1))


def test_an_event_that_was_changed_breaks_the_hash_chain(server: FakeServer) -> None:
    client, game = seated(server)
    BotRunner(client, FirstMove()).play(game)
    changed = server.games[game].events
    changed[7] = {**changed[7], "at": changed[7]["at"] + 1}
    with pytest.raises(BrokenHistory, match="event 8 is not the hash"):
        list(client.events(game))
    del changed[7]
    with pytest.raises(BrokenHistory, match="event 9 does not follow event 7"):
        list(client.events(game))


def test_receipts_are_checked_and_kept(server: FakeServer, tmp_path: Path) -> None:
    client, game = seated(server, keep=tmp_path)
    made = client.move(game, FirstMove().choose(turn_of(client, game)))
    (kept,) = (json.loads(line) for line in (tmp_path / "receipts.ndjson").read_text().splitlines())
    assert kept == {"game": game, "version": made.version, "receipt": made.receipt}
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600
    with pytest.raises(BrokenReceipt):
        check_receipt(dataclasses.replace(made, head="0" * 64))


def turn_of(client: Client, game: str) -> PlayerTurn:
    """The decision that waits."""
    turn = client.turn(game)
    assert turn is not None
    return turn


def test_refusals_have_types(server: FakeServer) -> None:
    client, game = seated(server)
    legal = turn_of(client, game).legal
    with pytest.raises(BadMove) as refused:
        client.move(game, "rest")
    assert refused.value.reason == "illegal_move"
    assert refused.value.alternatives == legal
    with pytest.raises(OutdatedVersion):
        client.move(game, legal[0], expected=1)
    with pytest.raises(Absent):
        client.game("01a00000-0000-7000-8000-00000000000f")
    with server.client(token="cab_other") as stranger, pytest.raises(WrongToken) as unknown:
        stranger.player()
    assert isinstance(unknown.value, RefusedAccess)
    assert isinstance(unknown.value, Refused)
    BotRunner(client, FirstMove()).play(game)
    with pytest.raises(EndedGame):
        client.move(game, legal[0])


def test_a_game_of_another_kind_says_what_this_package_knows() -> None:
    with pytest.raises(UnreadableAnswer, match="puerto_rico, spice_road"):
        position_of({"game": "chess"})
    with pytest.raises(UnreadableAnswer, match="not a move"):
        move_of("spice_road", "play create_2 twice")
    with pytest.raises(UnreadableAnswer, match="not a move"):
        move_of("puerto_rico", "sell gold dust")


def test_a_document_without_a_field_names_it() -> None:
    with pytest.raises(UnreadableAnswer, match=r"OpenTurn\.decision is missing"):
        read(OpenTurn, {"seat": 1})
    with pytest.raises(UnreadableAnswer, match=r"OpenTurn\.seat: '1' is no int"):
        read(OpenTurn, {"seat": "1", "decision": "action"})


def test_a_request_that_the_closing_cuts_off_is_no_warning(caplog: pytest.LogCaptureFixture) -> None:
    sent = list[str]()

    def cut_off(request: httpx.Request) -> httpx.Response:
        sent.append(request.url.path)
        client.close()
        raise httpx.ReadError("Bad file descriptor", request=request)

    client = Client("http://127.0.0.1:9", "cab_x", transport=httpx.MockTransport(cut_off))
    with pytest.raises(Unreachable):
        client.player()
    assert (len(sent), caplog.messages) == (1, [])
