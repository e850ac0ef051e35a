"""Whatever suffix of a stream is lost: what any process serves or writes afterwards is a function of what is stored."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from events.chain import check
from events.errors import CabildoError
from events.event import Event
from projections.games.replay import position_at
from projections.read_models import lobby
from service.app import create_app
from service.container import Container
from service.core.command_handler import ExpectedVersion, Request
from service.core.repository import Repository
from service.games.commands.moves import PlayMove, play_move
from service.games.commands.seats import CreateGame, create_game
from service.games.decisions.proposals import Proposal
from service.games.game_state import setting
from service.games.lists.public_lists import KEPT_SECONDS
from service.games.live_steps import LiveSteps
from service.live.event_cache import CachedStream
from service.live.protocol import HistoryReplaced, Item
from service.live.step_source import step_source
from service.settings import load
from service.studies.commands import CreateStudy, EditStudy, create_study, edit_study
from service.tournaments.commands.regulations import AmendDraft, DeclareTournament, amend_draft, declare_tournament
from service.tournaments.schemas.commands import Regulations
from tests.service.conftest import Environ, variables
from tests.support.events.filled_store import ignoring_guards
from tests.support.service.players import Person, somebody
from workers.jobs import play_on

KINDS = ("games", "studies", "tournaments")
REGULATIONS = {"game": "spice_road", "stages": [{"format": "swiss", "rounds": 1, "sizes": [4]}]}
PATHS = {
    "games": ("", "/position", "/legal", "/events", "/replay?after=2", "/events?after={middle}"),
    "studies": ("",),
    "tournaments": ("", "/entrants"),
}
AT = ("/position?at={middle}", "/position?at={last}", "/position?at={newest}", "/position?at={later}")
EXAMPLES = 25
KEEP_EVERY, BOARD_EVERY = 4, 3  # events between kept boards and between stored ones: short games pass some
PHASES = (Phase.explicit, Phase.generate)  # to shorten an example takes minutes
FIXTURES = HealthCheck.function_scoped_fixture
Operation = tuple[str, str, int, int]  # what, the kind of stream, the process, and a number
OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(("write", "write", "write", "write", "look", "bot", "lose", "lose", "serve")),
        st.sampled_from(("games", "games", *KINDS)),
        st.integers(0, 1),
        st.integers(0, 3),
    ),
    min_size=8,
    max_size=30,
)


class Follower:
    """A client that follows a stream in a process, and all the hashes it was given."""

    def __init__(self, feed: CachedStream) -> None:
        self.feed = feed
        self.seen: list[bytes] = []

    def read(self) -> None:
        """Reads what is new. Raises HistoryReplaced."""
        self.feed.topic.ring()
        self.seen += [event.hash for event in self.feed.after(len(self.seen))]


class StepFollower:
    """A client that follows what each event changed, and the documents it was given."""

    def __init__(self, here: Container, game: UUID, player: str) -> None:
        steps = LiveSteps(here.games, here.stores.pool)
        self.source = step_source(here.event_cache, here.games, here.deals, game, player, steps, "en")
        self.seen: list[Item] = []

    def read(self) -> "StepFollower":
        """Reads what is new. Raises HistoryReplaced."""
        self.source.topic.ring()
        while found := self.source.after(self.seen[-1].number if self.seen else 0):
            self.seen += found
        return self


class Process:
    """A web process, what its clients remember, and the followers of its streams."""

    def __init__(self, environ: Environ) -> None:
        self.app = create_app(load(environ))
        self.container: Container = self.app.extensions["cabildo"]
        self.states: dict[str, Any] = {}  # the newest state that a client saw, by kind
        self.answers: dict[str, tuple[str, Any]] = {}  # ETag and document of the newest answer, by path
        self.following = ExitStack()
        self.followers: dict[str, Follower] = {}
        self.steps: StepFollower | None = None

    def repository(self, kind: str) -> Repository[Any]:
        """The repository of a kind of stream."""
        found: Repository[Any] = getattr(self.container, kind)
        return found

    def forget_all(self) -> None:
        """Begins anew, like a process that has just started."""
        for kind in KINDS:
            self.repository(kind)._cache.clear()

    def follow(self, kind: str, stream: UUID) -> None:
        """Opens a stream to a client."""
        self.followers[kind] = Follower(self.following.enter_context(self.container.event_cache.on(stream)))

    def follow_steps(self, game: UUID, player: Person) -> StepFollower:
        """Opens a game as steps to a client, instead of the one before."""
        if self.steps is not None:
            self.steps.source.close()
        self.steps = StepFollower(self.container, game, player.id)
        return self.steps

    def get(self, path: str, player: Person) -> Any:
        """The document of an address, as a client has it that sends the ETag of its newest answer."""
        tag, body = self.answers.get(path, ("", None))
        headers = {"Authorization": f"Bearer {player.token}", **({"If-None-Match": tag} if tag else {})}
        answer = self.app.test_client().get(path, headers=headers)
        if answer.status_code == 200:
            body = answer.get_json()
            self.answers[path] = answer.headers["ETag"], body
        return body if answer.status_code in (200, 304) else answer.get_json()["type"]

    def close(self) -> None:
        """Ends the process."""
        if self.steps is not None:
            self.steps.source.close()
        self.following.close()
        self.container.close()


class House:
    """Two processes that remember, one that never does, and one stream of each kind."""

    def __init__(self, environ: Environ, processes: Sequence[Process], fresh: Process, player: Person) -> None:
        self.environ = environ
        self.processes = processes
        self.fresh = fresh
        self.player = player
        self.streams = {kind: create(processes[0].container, player.id) for kind, create in CREATE.items()}
        self.opened: dict[str, int] = {}  # events without which the stream has not begun
        for process in processes:
            for kind, stream in self.streams.items():
                self.opened[kind] = 1 if kind != "games" else process.repository(kind).load(stream).head.seq
                process.states[kind] = process.repository(kind).load(stream)
                process.follow(kind, stream)
            process.follow_steps(self.streams["games"], player)

    def run(self, what: str, kind: str, number: int, choice: int) -> None:
        """Does one thing to a stream."""
        process, stream = self.processes[number], self.streams[kind]
        if what == "lose":
            self.lose(stream, choice + 1, keep=self.opened[kind])
        elif what == "serve":
            self.check(process, kind)
        elif what == "look":
            process.states[kind] = process.repository(kind).load(stream)
        elif what == "bot":
            state = process.states["games"]
            with suppress(CabildoError):
                play_on(process.container, state.id, state.head.seq, most=2)
        else:
            with suppress(CabildoError):  # a client that saw what is lost is refused
                outcome = WRITE[kind](process.container, process.states[kind], choice, self.player.id)
                process.states[kind] = outcome.state

    def lose(self, stream: UUID, number: int, keep: int) -> None:
        """Takes the newest events out of the database, and all that was written of them elsewhere."""
        with self.fresh.container.stores.pool.connection() as connection:
            row = connection.execute("SELECT max(seq) FROM events WHERE stream = %s", (stream,)).fetchone()
        assert row is not None
        lose_after(self.environ, stream, max(keep, row[0] - number))

    def check(self, process: Process, kind: str) -> None:
        """What is stored is one history, and all that is served follows from it."""
        stream = self.streams[kind]
        self.fresh.forget_all()
        events = self.fresh.repository(kind).history(stream)
        check(event.body for event in events)
        truth = self.fresh.repository(kind).load(stream)
        assert truth.head == events[-1].head
        assert process.repository(kind).load(stream) == truth
        newest = truth.head.seq
        places = {"middle": newest // 2, "last": newest - 1, "newest": newest, "later": newest + 1}
        for path in (*PATHS[kind], *(AT if kind == "games" else ())):
            address = f"/v1/{kind}/{stream}{path.format(**places)}"
            self.fresh.answers.clear()
            assert process.get(address, self.player) == self.fresh.get(address, self.player), address
        self.check_follower(process, kind, [event.hash for event in events])
        if kind == "games":
            self.check_boards(process, events)
            self.check_steps(process)

    def check_follower(self, process: Process, kind: str, stored: list[bytes]) -> None:
        """A follower has the beginning of what is stored, or is told that it has something else."""
        follower = process.followers[kind]
        try:
            follower.read()
        except HistoryReplaced:
            assert follower.seen != stored[: len(follower.seen)]
            process.follow(kind, self.streams[kind])
            process.followers[kind].read()
        assert process.followers[kind].seen == stored

    def check_boards(self, process: Process, events: Sequence[Event]) -> None:
        """Every board that is served, from a kept one on or not, is the one that the events make."""
        state = process.container.games.load(self.streams["games"])
        for version in range(self.opened["games"], len(events) + 1):
            served = process.container.games.board_at(state.id, state.known, version)
            made = position_at(setting(state.known), events, version)
            assert state.game.document(served) == state.game.document(made), version

    def check_steps(self, process: Process) -> None:
        """A follower of steps was told what a new one is told, or that the history is another one."""
        game = self.streams["games"]
        told = self.fresh.follow_steps(game, self.player).read().seen
        assert process.steps is not None
        try:
            process.steps.read()
        except HistoryReplaced:
            assert process.steps.seen != told[: len(process.steps.seen)]
            process.follow_steps(game, self.player).read()
        assert process.steps.seen == told

    def kept_boards(self) -> list[int]:
        """The versions of the boards that are kept of the game."""
        with self.fresh.container.stores.pool.connection() as connection:
            rows = connection.execute("SELECT version FROM kept_boards WHERE id = %s", (self.streams["games"],))
            return [version for (version,) in rows]


def lose_after(environ: Environ, stream: UUID, kept: int) -> None:
    """Takes the events after a version out of the database."""
    with ignoring_guards(environ["DATABASE_URL"]) as administrator:
        for table in ("events", "outbox", "log"):
            administrator.execute(f"DELETE FROM {table} WHERE stream = %s AND seq > %s".encode(), (stream, kept))


def a_game(container: Container, player: str) -> UUID:
    proposal = Proposal("spice_road", {}, ["me", "bot:greedy"], seed="11" * 32)
    outcome = create_game(container, CreateGame(proposal, bytes.fromhex("11" * 32)), Request(player))
    assert outcome.state is not None
    return outcome.state.id


def a_move(container: Container, table: Any, choice: int, player: str) -> Any:
    moves = [table.game.notation(move) for move in table.game.legal(table.board).suggested()]
    expected = ExpectedVersion(table.head.seq, table.head.hash if choice == 3 else None)
    return play_move(container, PlayMove(table.id, moves[choice % len(moves)]), Request(player, expected=expected))


def a_study(container: Container, player: str) -> UUID:
    outcome = create_study(container, CreateStudy("Openings", "public"), Request(player))
    assert outcome.state is not None
    return outcome.state.id


def an_edit(container: Container, study: Any, choice: int, player: str) -> Any:
    edit = {"do": "settle", "title": f"Openings {choice}"}
    return edit_study(container, EditStudy(study.id, [edit], study.head.seq), Request(player))


def a_tournament(container: Container, player: str) -> UUID:
    declared = DeclareTournament("The open", Regulations().load(REGULATIONS), "public")
    outcome = declare_tournament(container, declared, Request(player))
    assert outcome.state is not None
    return outcome.state.id


def an_amendment(container: Container, tournament: Any, choice: int, player: str) -> Any:
    amended = AmendDraft(tournament.id, f"The open {choice}", Regulations().load(REGULATIONS))
    return amend_draft(container, amended, Request(player, expected=ExpectedVersion(tournament.head.seq)))


CREATE: dict[str, Callable[[Container, str], UUID]] = {
    "games": a_game,
    "studies": a_study,
    "tournaments": a_tournament,
}
WRITE = {"games": a_move, "studies": an_edit, "tournaments": an_amendment}


@pytest.fixture
def processes(
    database: str, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Environ, list[Process]]]:
    """Three processes over the same database, which keep boards often."""
    monkeypatch.setattr("service.games.kept_boards.KEEP_EVERY", KEEP_EVERY)
    monkeypatch.setattr("service.games.command_handler.BOARD_EVERY", BOARD_EVERY)
    environ = variables(database, redis_url, tmp_path)
    opened = [Process(environ) for _ in range(3)]
    try:
        yield environ, opened
    finally:
        for process in opened:
            process.close()


@pytest.mark.filterwarnings("ignore:Do not use the .random. module")  # by threads of connection pools
@settings(max_examples=EXAMPLES, deadline=None, phases=PHASES, suppress_health_check=[FIXTURES])
@given(operations=OPERATIONS)
def test_what_is_served_and_written_follows_from_what_is_stored(
    processes: tuple[Environ, list[Process]], operations: list[Operation]
) -> None:
    environ, (first, second, fresh) = processes
    house = House(environ, (first, second), fresh, somebody(fresh.app.test_client()))
    for operation in operations:
        house.run(*operation)
    for process in (first, second):
        for kind in KINDS:
            house.check(process, kind)


def test_boards_are_kept_and_lost_in_such_a_schedule(processes: tuple[Environ, list[Process]]) -> None:
    environ, (first, second, fresh) = processes
    house = House(environ, (first, second), fresh, somebody(fresh.app.test_client()))
    for number in range(8):
        house.run("look", "games", 0, 0)
        house.run("write", "games", 0, number % 3)
        house.run("bot", "games", 0, 0)
    for process in (first, second):
        house.check(process, "games")
    before = house.kept_boards()
    house.run("lose", "games", 0, 3)
    house.run("look", "games", 1, 0)
    house.run("write", "games", 1, 1)
    newest = second.container.games.load(house.streams["games"]).head.seq
    assert len(before) >= 3
    assert max(house.kept_boards()) > newest - KEEP_EVERY  # one of what was lost, or of what came instead
    for process in (first, second):
        house.check(process, "games")


def test_the_lobby_in_memory_follows_what_is_stored(
    processes: tuple[Environ, list[Process]], monkeypatch: pytest.MonkeyPatch
) -> None:
    environ, (first, second, fresh) = processes
    host, guest = (somebody(first.app.test_client()) for _ in range(2))
    game = UUID(host.create("me", "open", "open")["id"])
    alone = first.container.games.load(game)
    guest.join(str(game))
    seconds = [0.0]
    for process in (first, second):
        monkeypatch.setattr(process.container.public_lists, "_clock", lambda: seconds[0])
        assert guest.id in lobby_of(process)
    lose_after(environ, game, alone.head.seq)
    with psycopg.connect(environ["DATABASE_URL"]) as restored:  # and the row in the list, as another copy has it
        for statement in lobby.rows(game, alone.head, alone.known, {"seat_taken"}):
            restored.execute(*statement)
    seconds[0] += KEPT_SECONDS + 0.1  # nobody has said that games changed
    for process in (first, second):
        assert lobby_of(process) == lobby_of(fresh)
        assert guest.id not in lobby_of(process)


def lobby_of(process: Process) -> str:
    """What the lobby's stream tells, without its number."""
    told: dict[str, Any] = json.loads(process.container.followed_lobby.newest().document)
    return json.dumps(told | {"number": 0})
