"""`cabildo bench api`: moves a second of clients that play games over HTTP, beside an endpoint with one INSERT.

Every figure of time has the processor time beside it, which says more on a busy machine. `--stages` tells where the
time of a move goes. The web processes take the compiled rules, as those of `deploy/up` do, once they are compiled.
"""

import itertools
import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Final, NamedTuple, TypeVar
from uuid import UUID

import click

from deploy.bench import stages
from deploy.bench.clients import Measured, TimedAnswer, Wire, Work, measure, timed
from deploy.bench.processor_time import ProcessorTime
from deploy.bench.temporary_service import API, BenchService, temporary_service
from deploy.local.compiled_rules import compiled_environment
from projections.games.execute_move import enact
from projections.rules.registry import GAMES
from service import settings
from service.container import Container, open_container
from service.games.decisions import chance

Values = TypeVar("Values")
CLIENTS: Final = (1, 8, 32)
SLICES: Final = 3  # the two endpoints are measured alternately, under the same load of the machine
FASTEST: Final = 3_000  # moves a second for which games are prepared
STAGED: Final = "deploy.bench.stages:create_app()"


class BenchGame(NamedTuple):
    """A prepared game: its moves in order, each with the token of its seat."""

    path: str
    moves: Sequence[tuple[bytes, str]]


class ProcessorCost(NamedTuple):
    """Microseconds of processor time for a request: of the web processes, and of the database."""

    web: float
    database: float


class ApiRow(NamedTuple):
    """One line of the result."""

    clients: int
    api: Measured
    bare: Measured
    api_cost: ProcessorCost
    bare_cost: ProcessorCost

    @property
    def ratio(self) -> float:
        """Moves for one bare INSERT: the figure that can be compared between machines."""
        return self.api.per_second / self.bare.per_second


def play_scripts(scripts: Iterator[BenchGame], wire: Wire, over: Callable[[], bool]) -> Iterator[float]:
    """Plays prepared games until `over`, at least one move. Yields the seconds of each answer."""
    for script in scripts:
        for body, token in script.moves:
            yield timed(wire, script.path, body, token)
            if over():
                return


def repeat(path: str, wire: Wire, over: Callable[[], bool]) -> Iterator[float]:
    """Sends the same request one after the other until `over`, at least once. Yields the seconds of each answer."""
    yield timed(wire, path, b"{}", "")
    while not over():
        yield timed(wire, path, b"{}", "")


insert: Final[Work] = partial(repeat, "/")  # commits one INSERT
answer_empty: Final[Work] = partial(repeat, "/empty")


class GameFactory:
    """Creates games and computes their moves in advance, with the seeds that the master key opens."""

    def __init__(self, copy: BenchService, container: Container, game: str, seats: int) -> None:
        self._address = copy.api
        self._container = container
        self._game = game
        self._source = random.Random(seats)
        self._people = [self._register(f"player {game} {seat}") for seat in range(seats)]

    def _post(self, path: str, body: bytes, token: str = "") -> TimedAnswer:
        """Sends a request over a connection of its own: the server closes one that is idle while moves are computed."""
        with closing(Wire(*self._address)) as wire:
            return wire.post(path, body, token)

    def _register(self, name: str) -> tuple[str, str]:
        document = self._post("/v1/players", json.dumps({"name": name}).encode()).document()
        return document["player"]["id"], document["token"]

    def script(self) -> BenchGame:
        """Creates a game of all players and returns its prepared moves."""
        (_, host), *others = self._people
        proposal = {"game": self._game, "seats": ["me", *(id for id, _ in others)]}
        game = UUID(self._post("/v1/games", json.dumps(proposal).encode(), host).document()["id"])
        for _, token in others:
            self._post(f"/v1/games/{game}/seats", b"{}", token)
        return BenchGame(f"/v1/games/{game}/moves", list(self._moves(game)))

    def _moves(self, id: UUID) -> Iterator[tuple[bytes, str]]:
        table, game = self._container.games.load(id), GAMES[self._game]
        dealer = chance.commitments_of(id, table.known).dealer(self._container.seeds.get(id))
        tokens, board = dict(self._people), game.copy(table.board)
        for version in itertools.count(table.head.seq):
            if (seat := game.actor(board)) is None:
                return
            move = game.notation(game.legal(board).sample(self._source))
            enact(game, board, move, dealer)
            player = table.known.chair_at(seat).player or ""
            yield json.dumps({"move": move, "expected": version}).encode(), tokens[player]


def run(game: str, seats: int, clients: Sequence[int], seconds: float, environ: Mapping[str, str]) -> Iterator[ApiRow]:
    """Yields a row for each number of clients; the servers run with these variables too."""
    with temporary_service(API, **environ) as copy:
        container = open_container(settings.load(copy.environ), "bench")
        with closing(container):
            table = GameFactory(copy, container, game, seats)
            length = len(table.script().moves)
            for number in clients:
                yield _row(copy, table, number, seconds, 1 + int(FASTEST * seconds / SLICES / length / number))


def _row(copy: BenchService, table: GameFactory, clients: int, seconds: float, games: int) -> ApiRow:
    parts: list[tuple[tuple[Measured, ProcessorCost], tuple[Measured, ProcessorCost]]] = []
    for _ in range(SLICES):
        scripts = [iter([table.script() for _ in range(games)]) for _ in range(clients)]
        works: list[Work] = [partial(play_scripts, own) for own in scripts]
        played = costed(copy, copy.pid, copy.api, works, seconds / SLICES)
        parts.append((played, costed(copy, copy.bare_pid, copy.bare, [insert] * clients, seconds / SLICES)))
    (api, api_cost), (bare, bare_cost) = (zip(*kind, strict=True) for kind in zip(*parts, strict=True))
    return ApiRow(
        clients,
        _mean(Measured, api),
        _mean(Measured, bare),
        _mean(ProcessorCost, api_cost),
        _mean(ProcessorCost, bare_cost),
    )


def costed(
    copy: BenchService, server: int, address: tuple[str, int], works: list[Work], seconds: float
) -> tuple[Measured, ProcessorCost]:
    """Measures clients, with the processor time that one of their requests takes."""
    web, database = ProcessorTime(server), ProcessorTime(copy.database)
    measured = measure(address, works, seconds)
    return measured, ProcessorCost(web.microseconds() / measured.answers, database.microseconds() / measured.answers)


def _mean(kind: Callable[..., Values], parts: Iterable[Iterable[float]]) -> Values:
    return kind(*(sum(values) / SLICES for values in zip(*parts, strict=True)))


class StageRow(NamedTuple):
    """One line of the table of stages: microseconds of a move."""

    stage: str
    wall: float
    processor: float


class StageTable(NamedTuple):
    """Where the time of a move goes, and what the yardsticks take beside it."""

    rows: Sequence[StageRow]
    move: ProcessorCost
    bare: ProcessorCost
    empty: ProcessorCost


def run_stages(game: str, seats: int, clients: int, seconds: float, environ: Mapping[str, str]) -> StageTable:
    """Lets clients play on one web process whose stages are timed, and measures the yardsticks."""
    with temporary_service(STAGED, CABILDO_WORKERS="1", **environ) as copy:
        container = open_container(settings.load(copy.environ), "bench")
        with closing(container):
            table = GameFactory(copy, container, game, seats)
            games = 1 + int(FASTEST * seconds / SLICES / len(table.script().moves) / clients)
            scripts = [iter([table.script() for _ in range(games)]) for _ in range(clients)]
            works: list[Work] = [partial(play_scripts, own) for own in scripts]
        with closing(Wire(*copy.api)) as wire:
            wire.post(stages.PATH)
            played, move = costed(copy, copy.pid, copy.api, works, seconds / SLICES)
            told = wire.get(f"{stages.PATH}/{played.answers:.0f}").document()
        bare, empty = (
            costed(copy, copy.bare_pid, copy.bare, [work] * clients, seconds / SLICES)[1]
            for work in (insert, answer_empty)
        )
        return StageTable([StageRow(stage, *told[stage]) for stage in stages.STAGES], move, bare, empty)


@click.command()
@click.option("--game", type=click.Choice(sorted(GAMES)), default="spice_road", show_default=True, help="Which game.")
@click.option("--seats", type=click.IntRange(2, 5), default=3, show_default=True, help="Players of each game.")
@click.option("--clients", type=click.IntRange(1, 256), multiple=True, help="How many at once.  [1, 8 and 32]")
@click.option("--seconds", type=click.FloatRange(0.5, 600), default=6.0, show_default=True, help="For each number.")
@click.option("--stages", "by_stages", is_flag=True, help="Where the time of a move goes, on one web process.")
@click.option("--in-python", is_flag=True, help="Run the rules in Python, also where they are compiled.")
def api(game: str, seats: int, clients: Sequence[int], seconds: float, by_stages: bool, in_python: bool) -> None:
    """Play whole games over HTTP and print the moves a second, beside an endpoint that only commits one INSERT.

    The last columns are the processor time of a move and of an INSERT, in microseconds: of web processes + database.
    """
    environ = {} if in_python else compiled_environment()
    click.echo("the rules run compiled" if environ else "the rules run in Python")
    if by_stages:
        for number in clients or (1,):
            _print_stages(number, run_stages(game, seats, number, seconds, environ))
        return
    times = f"{'p50 ms':>7} {'p99 ms':>7}"
    click.echo(f"{'clients':>7} {'moves/s':>8} {times} {'bare/s':>8} {times} ratio {'move µs':>12} {'bare µs':>12}")
    for row in run(game, seats, clients or CLIENTS, seconds, environ):
        click.echo(
            f"{row.clients:>7} {row.api.per_second:>8.0f} {row.api.p50:>7.2f} {row.api.p99:>7.2f} "
            f"{row.bare.per_second:>8.0f} {row.bare.p50:>7.2f} {row.bare.p99:>7.2f} {row.ratio:>5.2f} "
            f"{_sum(row.api_cost):>12} {_sum(row.bare_cost):>12}"
        )


def _print_stages(clients: int, table: StageTable) -> None:
    click.echo(
        f"{clients} clients, one web process; microseconds of a move\n\n{'stage':<16} {'clock':>8} {'processor':>9}"
    )
    for row in table.rows:
        click.echo(f"{row.stage:<16} {row.wall:>8.1f} {row.processor:>9.1f}")
    click.echo(f"\n{'processor time of a request':<28} {'web':>6} {'database':>8}")
    for name, cost in (("a move, clocks included", table.move), ("bare INSERT", table.bare), ("empty", table.empty)):
        click.echo(f"{name:<28} {cost.web:>6.0f} {cost.database:>8.0f}")


def _sum(cost: ProcessorCost) -> str:
    return f"{cost.web:.0f} + {cost.database:.0f}"
