"""The example of an edge, a real nginx before two web servers: `deploy/test --cluster` runs it where one is there."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing

import httpx
import pytest

from deploy.bench.streams.games import EndlessGame, Movers
from deploy.bench.streams.watchers import Watched, WatcherProcesses
from deploy.bench.temporary_service import HOST, WebNodes, free_ports, listens, running_program, temporary_nodes
from deploy.cluster_drills import find_program
from deploy.local.processes import ServerProgram
from tests.support.running_program import PATIENCE, PROJECT, eventually

EXAMPLE = PROJECT / "deploy" / "examples" / "nginx.conf"
WATCHERS, MOVES = 500, 6


@pytest.fixture(scope="module")
def nodes() -> Iterator[WebNodes]:
    """Two web servers that believe one proxy."""
    with temporary_nodes(2, CABILDO_TRUSTED_PROXIES="1") as running:
        yield running


@pytest.fixture(scope="module")
def edge(nodes: WebNodes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    """The address of an nginx with the settings of the example, but other ports and folders."""
    program = find_program("nginx")
    assert program is not None, "install nginx"
    directory, (port,) = tmp_path_factory.mktemp("edge"), free_ports(1)
    upstream = " ".join(f"server {host}:{number};" for host, number in nodes.addresses)
    settings = EXAMPLE.read_text()
    for given, other in (
        ("server 127.0.0.1:8080;", upstream),
        ("listen 80;", f"listen {HOST}:{port};"),
        ("/var/cache/nginx/cabildo", str(directory / "cache")),
    ):
        assert given in settings
        settings = settings.replace(given, other)
    (directory / "nginx.conf").write_text(settings)
    own = f"daemon off; user root; pid {directory / 'pid'}; error_log {directory / 'errors'};"
    command = (str(program), "-p", str(directory), "-c", str(directory / "nginx.conf"), "-g", own)
    ready = ServerProgram("nginx", command, directory / "log", lambda: listens(port))
    with running_program(ready):
        yield HOST, port


@pytest.fixture(scope="module")
def movers(edge: tuple[str, int]) -> Iterator[Movers]:
    """Two players behind the edge."""
    with closing(Movers(edge)) as both:
        yield both


def test_every_watcher_behind_the_edge_hears_every_move_once(
    edge: tuple[str, int], movers: Movers, record_property: Callable[[str, object], None]
) -> None:
    game = EndlessGame(movers)
    crowd = WatcherProcesses([Watched(game.id, game.version, edge, WATCHERS)])
    try:
        crowd.connected()
        movers.wire.reopen()
        moved = {}
        for _ in range(MOVES):
            moved[game.version + 1] = time.perf_counter()
            game.move()
        heard = crowd.heard(WATCHERS * MOVES, PATIENCE)
        faults = crowd.leave()
    finally:
        crowd.kill()
    assert sum(len(one.times) for one in heard) == WATCHERS * MOVES
    assert faults == (0, 0)
    longest = max(at - moved[one.seq] for one in heard for at in one.times)
    record_property("told", f"{WATCHERS} watchers of two nodes heard {MOVES} moves once each, within {longest:.2f} s")


def test_the_replay_of_a_running_game_is_never_an_older_one(edge: tuple[str, int], movers: Movers) -> None:
    with httpx.Client(base_url=f"http://{edge[0]}:{edge[1]}") as client:
        game = EndlessGame(movers)
        path = f"/v1/games/{game.id}/replay"
        for _ in range(MOVES):
            before = client.get(path)
            assert before.headers["X-Cache"] == "MISS"
            game.move()
            assert len(client.get(path).content) > len(before.content)


def finished_game(client: httpx.Client, movers: Movers, **options: str) -> str:
    """The path of a finished game of the two players."""
    own, other = ({"Authorization": f"Bearer {token}"} for token in movers.tokens.values())
    table = {"game": "spice_road", "seats": ["me", "open"], "leaver": "forfeit", **options}
    game = client.post("/v1/games", headers=own, json=table).raise_for_status().json()["id"]
    client.post(f"/v1/games/{game}/seats", headers=other, json={}).raise_for_status()
    client.post(f"/v1/games/{game}/resign", headers=other, json={}).raise_for_status()
    return f"/v1/games/{game}"


@pytest.mark.parametrize("document", ["replay", "record", "position", "points"])
def test_finished_games_are_kept_for_strangers_and_asked_again(
    edge: tuple[str, int], movers: Movers, document: str, record_property: Callable[[str, object], None]
) -> None:
    with httpx.Client(base_url=f"http://{edge[0]}:{edge[1]}") as client:
        path = f"{finished_game(client, movers)}/{document}"
        assert eventually(lambda: client.get(path).headers["Cache-Control"].startswith("public"))
        kept: Counter[str] = Counter()
        first = client.get(path)

        def is_asked_again() -> bool:
            again = client.get(path)
            assert again.content == first.content
            kept[again.headers["X-Cache"]] += 1
            return kept["REVALIDATED"] > 0

        assert eventually(is_asked_again)
        assert kept.keys() <= {"HIT", "REVALIDATED"}
        for own in ({"Authorization": f"Bearer {next(iter(movers.tokens.values()))}"}, {"Cookie": "language=is"}):
            answer = client.get(path, headers=own)
            assert answer.headers["X-Cache"] == "BYPASS"
            assert answer.headers["Cache-Control"].startswith("private")
        record_property("told", f"{document}: {kept['HIT']} answers from the edge until it asked again, then a 304")


def test_finished_games_that_are_not_public_are_never_kept(edge: tuple[str, int], movers: Movers) -> None:
    with httpx.Client(base_url=f"http://{edge[0]}:{edge[1]}") as client:
        path = f"{finished_game(client, movers, visibility='unlisted')}/replay"
        assert {client.get(path).raise_for_status().headers["X-Cache"] for _ in range(3)} == {"MISS"}
