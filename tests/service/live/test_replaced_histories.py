"""After a database was replaced by another copy, streams give no events of the old history, nor of two histories."""

from collections.abc import Iterator
from contextlib import closing
from uuid import UUID

import pytest

from service.container import Container
from service.core.command_handler import ExpectedVersion, Request
from service.games.commands.moves import PlayMove, play_move
from service.games.commands.seats import CreateGame, JoinGame, create_game, join_game
from service.games.decisions.proposals import Proposal
from service.games.decisions.take_seats import NO_CONTRIBUTION
from service.live.event_cache import CachedStream
from service.live.protocol import HistoryReplaced
from tests.service.conftest import Environ
from tests.support.running_program import PATIENCE
from tests.support.service.followed_streams import followed, following_game, wait_for_item
from tests.support.service.replaceable_database import ReplaceableDatabase, process

FIRST, SECOND = "018f0000-0000-7000-8000-000000000001", "018f0000-0000-7000-8000-000000000002"
SEED = "11" * 32


@pytest.fixture
def database_copy(environ: Environ) -> ReplaceableDatabase:
    """The database of this test."""
    return ReplaceableDatabase(environ["DATABASE_URL"])


@pytest.fixture
def container(environ: Environ) -> Iterator[Container]:
    """The process whose database is replaced."""
    with process(environ) as opened:
        yield opened


def begin(container: Container) -> UUID:
    """Create a running game of two players. Returns its id."""
    proposal = Proposal("spice_road", {}, ["me", "open"], seed=SEED)
    outcome = create_game(container, CreateGame(proposal, bytes.fromhex(SEED)), Request(FIRST))
    assert outcome.state is not None
    join_game(container, JoinGame(outcome.state.id, 1, None, NO_CONTRIBUTION), Request(SECOND))
    return outcome.state.id


def play(container: Container, game: UUID, choice: int = 0) -> None:
    """Play a move; another choice makes another history."""
    table = container.games.load(game)
    assert table.known.turn is not None
    player = str(table.known.chair_at(table.known.turn.seat).player)
    moves = [table.game.notation(move) for move in table.game.legal(table.board).suggested()]
    play_move(container, PlayMove(game, moves[choice]), Request(player, expected=ExpectedVersion(table.head.seq)))


def version(container: Container, game: UUID) -> int:
    return container.games.load(game).head.seq


def hashes(feed: CachedStream, after: int) -> list[bytes]:
    return [event.hash for event in feed.after(after)]


def stored(container: Container, game: UUID, after: int = 0) -> list[bytes]:
    return [event.hash for event in container.games.store.read(game, after)]


def test_follower_is_told_that_an_older_copy_lacks_its_events(
    container: Container, database_copy: ReplaceableDatabase
) -> None:
    game = begin(container)
    database_copy.copy(f"{database_copy.name}_older")
    play(container, game)
    with container.event_cache.on(game) as feed:
        seen = version(container, game)
        assert feed.after(seen - 1)
        database_copy.replace(f"{database_copy.name}_older")
        feed.topic.ring()
        with pytest.raises(HistoryReplaced):
            feed.after(seen)


def test_follower_gets_no_event_of_another_history(container: Container, database_copy: ReplaceableDatabase) -> None:
    game = begin(container)
    database_copy.copy(f"{database_copy.name}_other")
    play(container, game)
    with container.event_cache.on(game) as feed:
        seen = version(container, game)
        assert feed.after(seen - 1)
        database_copy.replace(f"{database_copy.name}_other")
        play(container, game, 1)
        play(container, game, 0)
        feed.topic.ring()
        with pytest.raises(HistoryReplaced):
            feed.after(seen)


def test_new_follower_gets_stored_events_beside_an_old_one(
    container: Container, database_copy: ReplaceableDatabase
) -> None:
    game = begin(container)
    database_copy.copy(f"{database_copy.name}_older")
    play(container, game)
    with container.event_cache.on(game) as old:
        old.after(0)
        database_copy.replace(f"{database_copy.name}_older")
        with container.event_cache.on(game) as new:
            assert hashes(new, 0) == stored(container, game)
            play(container, game, 1)
            new.topic.ring()
            assert hashes(new, 0) == stored(container, game)
            with pytest.raises(HistoryReplaced):
                old.after(0)
        with container.event_cache.on(game) as another:
            assert another is not old


def test_client_that_saw_more_than_is_stored_begins_again(container: Container) -> None:
    game = begin(container)
    with followed(container, following_game(container, game, FIRST), version(container, game) + 1) as stream:
        assert stream.until_closed() == [{"closed": "history_replaced", "next": 0}]


def test_followers_of_a_replaced_history_begin_again(container: Container, database_copy: ReplaceableDatabase) -> None:
    game = begin(container)
    database_copy.copy(f"{database_copy.name}_older")
    play(container, game)
    seen = version(container, game)
    with followed(container, following_game(container, game, FIRST), seen - 1) as stream:
        assert stream.next()["seq"] == seen
        database_copy.replace(f"{database_copy.name}_older")
        container.event_cache.sweep()
        assert stream.until_closed() == [{"closed": "history_replaced", "next": 0}]


def test_long_poll_of_a_replaced_history_ends(container: Container) -> None:
    game = begin(container)
    following = following_game(container, game, FIRST)
    assert wait_for_item(container, following, version(container, game) + 1, 10 * PATIENCE)(PATIENCE)


def test_event_committed_before_its_wake_up_is_no_other_history(container: Container) -> None:
    game = begin(container)
    container.announcer.flush(60)
    with container.event_cache.on(game) as feed:
        seen = version(container, game)
        feed.after(seen)
        play(container, game)
        assert feed.after(seen + 1) == []


def test_notification_beyond_the_log_is_of_another_history(container: Container) -> None:
    with closing(container.followed_players.enter(FIRST, waiting=False)) as source, pytest.raises(HistoryReplaced):
        source.after(5)
    with closing(container.followed_players.enter(FIRST, waiting=False)) as source:
        assert source.after(0) == []
