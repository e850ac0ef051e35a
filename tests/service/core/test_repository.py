"""Repositories check their cache: a process whose database is replaced forgets what is not stored any more."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import pytest

from service.container import Container
from service.core.command_handler import CommandOutcome, ExpectedVersion, Request
from service.core.errors import NotThere
from service.core.repository import Repository
from service.games.commands.moves import PlayMove, play_move
from service.games.commands.seats import CreateGame, JoinGame, create_game, join_game
from service.games.decisions.proposals import Proposal
from service.games.decisions.take_seats import NO_CONTRIBUTION
from service.studies.commands import CreateStudy, EditStudy, create_study, edit_study
from service.tournaments.commands.regulations import AmendDraft, DeclareTournament, amend_draft, declare_tournament
from service.tournaments.schemas.commands import Regulations
from tests.service.conftest import Environ
from tests.support.service.replaceable_database import ReplaceableDatabase, process

PLAYER, OTHER_PLAYER = str(uuid4()), str(uuid4())
REGULATIONS = {"game": "spice_road", "stages": [{"format": "swiss", "rounds": 1, "sizes": [4]}]}


class Subject(NamedTuple):
    """A kind of stream: how to create one, and how to append to it in two ways."""

    repository: Callable[[Container], Repository[Any]]
    create: Callable[[Container], CommandOutcome[Any]]
    change: Callable[[Container, UUID, int], CommandOutcome[Any]]  # the number distinguishes the histories


def create_a_game(container: Container) -> CommandOutcome[Any]:
    proposal = Proposal("spice_road", {}, ["me", "open"], seed="11" * 32)
    outcome = create_game(container, CreateGame(proposal, bytes.fromhex("11" * 32)), Request(PLAYER))
    assert outcome.state is not None
    return join_game(container, JoinGame(outcome.state.id, 1, None, NO_CONTRIBUTION), Request(OTHER_PLAYER))


def play_some_move(container: Container, game: UUID, number: int) -> CommandOutcome[Any]:
    """Play a move for the player to act; another one in another history."""
    table = container.games.load(game)
    moves = [table.game.notation(move) for move in table.game.legal(table.board).suggested()]
    expected = ExpectedVersion(table.head.seq)
    assert table.known.turn is not None
    player = str(table.known.chair_at(table.known.turn.seat).player)
    return play_move(container, PlayMove(game, moves[number]), Request(player, expected=expected))


def create_a_tournament(container: Container) -> CommandOutcome[Any]:
    regulations = Regulations().load(REGULATIONS)
    return declare_tournament(container, DeclareTournament("The open", regulations, "public"), Request(PLAYER))


def amend_a_tournament(container: Container, id: UUID, number: int) -> CommandOutcome[Any]:
    regulations = Regulations().load(REGULATIONS)
    return amend_draft(container, AmendDraft(id, f"The open {number}", regulations), Request(PLAYER))


def create_a_study(container: Container) -> CommandOutcome[Any]:
    return create_study(container, CreateStudy("Openings", "public"), Request(PLAYER))


def rename_a_study(container: Container, id: UUID, number: int) -> CommandOutcome[Any]:
    saw = container.studies.load(id).head.seq
    edit = {"do": "settle", "title": f"Openings {number}"}
    return edit_study(container, EditStudy(id, [edit], saw), Request(PLAYER))


SUBJECTS = {
    "games": Subject(lambda container: container.games, create_a_game, play_some_move),
    "tournaments": Subject(lambda container: container.tournaments, create_a_tournament, amend_a_tournament),
    "studies": Subject(lambda container: container.studies, create_a_study, rename_a_study),
}


@pytest.fixture
def database_copy(environ: Environ) -> ReplaceableDatabase:
    """The database of this test."""
    return ReplaceableDatabase(environ["DATABASE_URL"])


@pytest.fixture
def container(environ: Environ) -> Iterator[Container]:
    """The process whose database is replaced."""
    with process(environ) as opened:
        yield opened


def created(subject: Subject, container: Container) -> UUID:
    outcome = subject.create(container)
    assert outcome.state is not None
    found: UUID = outcome.state.id
    return found


def stored(container: Container, environ: Environ, subject: Subject, id: UUID) -> Any:
    """Returns the state as a process that has nothing cached loads it."""
    with process(environ) as fresh:
        return subject.repository(fresh).load(id)


@pytest.mark.parametrize("kind", SUBJECTS)
def test_older_copy_of_a_database_is_loaded_anew(
    container: Container, environ: Environ, database_copy: ReplaceableDatabase, kind: str
) -> None:
    subject = SUBJECTS[kind]
    id = created(subject, container)
    before = subject.repository(container).load(id)
    database_copy.copy(f"{database_copy.name}_older")
    subject.change(container, id, 0)
    assert subject.repository(container).load(id).head.seq > before.head.seq
    database_copy.replace(f"{database_copy.name}_older")
    assert subject.repository(container).load(id) == before


@pytest.mark.parametrize("kind", SUBJECTS)
def test_command_after_an_older_copy_continues_its_history(
    container: Container, environ: Environ, database_copy: ReplaceableDatabase, kind: str
) -> None:
    subject = SUBJECTS[kind]
    id = created(subject, container)
    database_copy.copy(f"{database_copy.name}_older")
    subject.change(container, id, 0)
    database_copy.replace(f"{database_copy.name}_older")
    subject.change(container, id, 1)
    assert subject.repository(container).load(id) == stored(container, environ, subject, id)


@pytest.mark.parametrize("kind", SUBJECTS)
def test_another_longer_history_is_loaded_anew(
    container: Container, environ: Environ, database_copy: ReplaceableDatabase, kind: str
) -> None:
    subject = SUBJECTS[kind]
    id = created(subject, container)
    database_copy.copy(f"{database_copy.name}_other")
    subject.change(container, id, 0)
    database_copy.replace(f"{database_copy.name}_other")
    with process(environ) as other:
        subject.change(other, id, 1)
        subject.change(other, id, 0)
    assert subject.repository(container).load(id) == stored(container, environ, subject, id)


@pytest.mark.parametrize("kind", SUBJECTS)
def test_stream_that_an_older_copy_lacks_is_not_there(
    container: Container, database_copy: ReplaceableDatabase, kind: str
) -> None:
    subject = SUBJECTS[kind]
    database_copy.copy(f"{database_copy.name}_older")
    id = created(subject, container)
    database_copy.replace(f"{database_copy.name}_older")
    with pytest.raises(NotThere):
        subject.repository(container).load(id)
