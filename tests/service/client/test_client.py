"""The Python client and bots that use it, against a live service: retries, resumed streams, receipts, hash chains."""

import ast
import json
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from uuid import UUID, uuid4

import httpx
import pytest
from cabildo_client import BotRunner, Client, PlayerTurn, Refused, Unreachable
from cabildo_client.documents import PlayerNotice
from cabildo_client.legal_moves import LegalMoves
from cabildo_client.testing import FakeServer

from deploy.local import sample_games
from deploy.local.demo_games import DemoGames
from events.json_types import Json
from projections.rules.dealer import RandomDealer
from projections.rules.registry import GAMES
from projections.verify.bundle import PASSED, verify
from service.core.clock import SECOND
from tests.support.readme_blocks import programs
from tests.support.running_program import PATIENCE, PROJECT, eventually, up
from workers.bots.bot import Budget
from workers.external_bot import HouseBot


@pytest.fixture(scope="module")
def url(module_directory: Path) -> Iterator[str]:
    """The address of a whole service: web, worker and keeper."""
    with up(module_directory / "for-clients") as running:
        yield running.ready()


Somebody = Callable[..., Client]


@pytest.fixture
def somebody(url: str) -> Iterator[Somebody]:
    """Makes clients of new players."""
    with ExitStack() as clients:

        def make(keep: Path | None = None, token: str = "") -> Client:
            client = clients.enter_context(Client(url, token, keep=keep))
            if not token:
                client.register(f"bot {uuid4().hex[:12]}")
            return client

        yield make


def play_all(client: Client, games: set[str], level: str = "greedy") -> None:
    """Run a bot until all these games are over."""
    left = set(games)

    def over(news: PlayerNotice) -> bool:
        if news.event == "game_over":
            left.discard(str(news.game))
        return not left

    BotRunner(client, HouseBot(level)).run(over)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_level_of_the_house_plays_from_what_its_seat_is_shown(game: str) -> None:
    rules = GAMES[game]
    dealer = RandomDealer(random.Random(1))
    board = rules.set_up(rules.read_options({}, 3), 3, dealer, rules.recorder(recording=False))
    seat, decision = rules.actor(board), rules.decision(board)
    assert seat is not None
    assert decision is not None
    document = {**rules.view(board, seat), "version": 5}
    turn = PlayerTurn(uuid4(), game, rules.rules, seat, decision, 5, document, LegalMoves(5, seat, decision))
    assert rules.parse(HouseBot("search").choose(turn)) in rules.legal(board)
    assert rules.parse(HouseBot("search", Budget(5000, 0.02)).choose(turn)) in rules.legal(board)


def test_many_games_are_played_at_once_and_every_receipt_is_kept(somebody: Somebody, tmp_path: Path) -> None:
    client = somebody(tmp_path)
    games = {str(client.create("spice_road", ["me", "bot:greedy"]).id) for _ in range(2)}
    play_all(client, games)
    assert {client.game(game).status for game in games} == {"finished"}
    kept = [json.loads(line) for line in (tmp_path / "receipts.ndjson").read_text().splitlines()]
    assert {receipt["game"] for receipt in kept} == games
    made = [event for game in games for event in client.events(game) if event.actor == client.player()]
    assert len(kept) == len([event for event in made if event.kind == "moved"])


@pytest.mark.parametrize("game", sorted(GAMES))
def test_four_greedy_bots_end_their_game_in_a_few_seconds(somebody: Somebody, game: str) -> None:
    host = somebody()

    def lasted() -> float:
        id = host.create(game, ["bot:greedy"] * 4).id
        assert eventually(lambda: host.game(id).status == "finished")
        events = list(host.events(id))
        return (events[-1].at - events[0].at) / SECOND

    assert any(lasted() < 15 for _ in range(4))  # on two cores with little else to do: less than one


def passed_checks(url: str, game: str) -> set[str]:
    """Returns the checks of a game's bundle that passed; none may fail."""
    report = verify(httpx.get(f"{url}/v1/games/{game}/bundle", timeout=PATIENCE).content, None)
    assert report.failure is None
    return {answer.code for answer in report.answers if answer.status == PASSED}


def test_two_clients_play_a_whole_game_at_chance_level_3(somebody: Somebody, url: str, tmp_path: Path) -> None:
    host, guest = somebody(tmp_path / "host"), somebody(tmp_path / "guest")
    game = str(host.create("spice_road", ["me", "open"], chance=3).id)
    guest.join(game)
    players = [threading.Thread(target=play_all, args=(client, {game})) for client in (host, guest)]
    for player in players:
        player.start()
    for player in players:
        player.join(PATIENCE)
    made = list(host.events(game))
    moves = [event.data for event in made if event.kind == "moved"]
    assert len({move["link"] for move in moves}) == len(moves)
    assert len([move for move in moves if move["drew"]]) > 5
    assert host.game(game).status == "finished"
    assert eventually(lambda: passed_checks(url, game) >= {"V5", "V6", "V7", "V8"})  # V5 once the end is sealed
    assert oct((tmp_path / "host" / "secret").stat().st_mode & 0o777) == "0o600"


def test_a_client_that_starts_again_goes_on_with_its_chain(somebody: Somebody, tmp_path: Path) -> None:
    died = somebody()  # after it sat down, and before it committed to anything
    table: dict[str, Json] = {"game": "spice_road", "seats": ["me", "bot:random"], "chance": 3, "commits": True}
    game = UUID(died.ask("POST", "/v1/games", table)["id"])
    client = somebody(tmp_path, died.token)
    assert [listed.id for listed in client.waiting()] == [game]
    client.bring(game)
    somebody(tmp_path, died.token).bring(game)  # it can die after that as well: it brings the same contribution
    assert eventually(lambda: client.turn(game) is not None)
    client.move(game, "play create_2")
    again = somebody(tmp_path, client.token)
    assert eventually(lambda: again.turn(game) is not None)
    again.move(game, "rest")
    mine = again.game(game).seat_of(client.player())
    assert mine is not None
    assert mine.link is not None
    assert mine.link.number == 2


def links_of(client: Client) -> dict[str, int]:
    """How many links a player has shown in each of their games."""
    games = client.games(player=client.player())
    own = {str(game.id): client.game(game.id).seat_of(client.player()) for game in games}
    return {game: seat.link.number for game, seat in own.items() if seat and seat.link}


def test_a_sample_game_goes_on_for_those_who_watch_and_is_taken_up_again(
    url: str, somebody: Somebody, tmp_path: Path
) -> None:
    slow = somebody()
    (tmp_path / sample_games.CREDENTIAL_FILE).write_text(slow.token)
    with DemoGames(url, tmp_path, pace=0.05):
        assert eventually(lambda: sum(links_of(slow).values()) > 0)
    begun = links_of(slow)
    with DemoGames(url, tmp_path, pace=0.05):
        assert eventually(lambda: sum(links_of(slow).values()) > sum(begun.values()))
    assert len(begun) == 1
    assert links_of(slow).keys() == begun.keys()


def test_a_client_that_signs_signs_each_of_its_moves(url: str, tmp_path: Path) -> None:
    with Client(url, keep=tmp_path, signs=True) as client:
        client.register(f"bot {uuid4().hex[:12]}")
        game = client.create("spice_road", ["me", "bot:random"]).id
        for _ in range(2):
            assert eventually(lambda: client.turn(game) is not None)
            turn = client.turn(game)
            assert turn is not None
            client.move(game, turn.legal[0], turn.version)
        made = client.ask("GET", f"/v1/games/{game}/events?after=0")["events"]
    own = [event["data"] for event in made if event["kind"] == "moved" and event["actor"] == client.player()]
    assert len({data["signature"] for data in own}) == len(own) == 2


def test_a_refusal_is_told_with_its_reason_and_is_not_repeated(somebody: Somebody) -> None:
    client = somebody()
    game = client.create("spice_road", ["me", "open"]).id
    with pytest.raises(Refused) as refused:
        client.ask("POST", f"/v1/games/{game}/moves", {"mov": "rest"})
    assert (refused.value.status, refused.value.reason) == (422, "invalid_request")


def test_a_bot_that_errs_in_one_game_plays_on_in_the_others(
    somebody: Somebody, caplog: pytest.LogCaptureFixture
) -> None:
    client = somebody()
    wrong, right = (str(client.create("spice_road", ["me", "bot:greedy"]).id) for _ in range(2))

    class Erring(HouseBot):
        def choose(self, turn: PlayerTurn) -> str:
            if str(turn.game) == wrong:
                raise ValueError("the author did not think of this")
            return super().choose(turn)

    result = BotRunner(client, Erring("greedy")).play(right)
    assert result is not None
    assert result.places
    left = {record.getMessage() for record in caplog.records if record.levelname == "ERROR"}
    assert left == {f"game {wrong} abandoned: the author did not think of this"}


def test_an_offer_is_withdrawn_by_the_client_that_made_it(somebody: Somebody) -> None:
    ada, ben = somebody(), somebody()
    game = ada.create("spice_road", ["me", "open"]).id
    ben.join(game)
    for _ in range(4):  # to the second round, in which an abort takes both
        acts = ada if ada.turn(game) else ben
        turn = acts.turn(game)
        assert turn is not None
        acts.move(game, turn.legal[0])
    ada.ask("POST", f"/v1/games/{game}/abort", {})
    offer = ben.game(game).offer
    assert offer is not None
    assert offer.what == "abort"
    with pytest.raises(Refused) as refused:
        ben.withdraw_offer(game)
    assert refused.value.problem["reason"] == "not_yours"
    ada.withdraw_offer(game)
    assert ben.game(game).offer is None


def test_the_bot_of_the_examples_has_nine_lines_and_plays_its_game(url: str) -> None:
    _, *code = ast.parse((PROJECT / "deploy" / "examples" / "bot.py").read_text()).body
    assert len(ast.unparse(ast.Module(code, [])).replace("\n\n", "\n").strip().splitlines()) == 9
    done = subprocess.run(
        [sys.executable, "-m", "deploy.examples.bot", url, "newcomer"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert "points" in done.stdout
    with Client(url) as client:
        client.register("reader")
        seats = [seat for game in client.ask("GET", "/v1/games")["games"] for seat in game["seats"] if seat["player"]]
        assert [seat["program"] for seat in seats if seat["player"]["name"] == "newcomer"] == [True]


def test_the_programs_of_the_readme_run(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    bot, claims, follow, turns, fake = programs(url)
    exec(compile(bot.replace('"Newcomer"', '"Reader\'s bot"'), "README.md", "exec"), {})
    assert "FinalResult(cause=" in capsys.readouterr().out
    exec(compile(turns, "README.md", "exec"), {})
    assert "FinalResult(cause=" in capsys.readouterr().out
    defined: dict[str, type] = {}
    exec(compile(claims, "README.md", "exec"), defined)
    with FakeServer().client() as client:
        client.register("tester")
        assert BotRunner(client, defined["Claims"]()).play(client.create("spice_road", ["me", "bot:greedy"]).id)
    with Client(url) as client:
        client.register("follower")
        game = client.games(status="finished")[0]
        last = list(client.events(game.id))[-1]
    exec(compile(follow.replace("GAME", str(game.id)), "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines()[-1].startswith(f"{last.seq} {last.kind}")
    exec(compile(fake, "README.md", "exec"), {})


class Flaky(httpx.BaseTransport):
    """A connection that loses every other answer after the request was executed, and sometimes gets a Retry-After."""

    def __init__(self, inner: httpx.BaseTransport) -> None:
        self.inner = inner
        self.calls = 0

    def close(self) -> None:
        self.inner.close()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.calls += 1
        if self.calls % 5 == 0:
            return httpx.Response(429, headers={"Retry-After": "0"})
        response = self.inner.handle_request(request)
        if self.calls % 2:
            response.close()
            raise httpx.ReadError("the answer was lost")
        return response


def test_lost_answers_make_no_move_twice(somebody: Somebody) -> None:
    client = somebody()
    client._transport.http._transport = Flaky(client._transport.http._transport)
    game = client.create("spice_road", ["me", "bot:greedy"]).id
    asked = []
    for _ in range(3):
        assert eventually(lambda: client.turn(game) is not None)
        turn = client.turn(game)
        assert turn is not None
        asked.append(turn.legal[0])
        client.move(game, turn.legal[0], turn.version)
    events = client.ask("GET", f"/v1/games/{game}/events?after=0")["events"]
    own = [event["data"]["move"] for event in events if event["kind"] == "moved" and event["actor"] == client.player()]
    assert own == asked


def test_a_client_gives_up_when_nobody_answers() -> None:
    with Client("http://127.0.0.1:9", retry_seconds=0.3) as client, pytest.raises(Unreachable):
        client.register("nobody")
