"""Cached seeds belong to a commitment: after a database was replaced, no seed of another history is used."""

from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest

from projections.games.chance import commitment
from service.container import Container
from service.core.command_handler import Request
from service.tournaments.commands.regulations import (
    DeclareTournament,
    PublishTournament,
    declare_tournament,
    publish_tournament,
)
from service.tournaments.schemas.commands import Regulations
from tests.service.conftest import Environ
from tests.support.service.replaceable_database import ReplaceableDatabase, process

HOST = str(uuid4())
REGULATIONS = {"game": "spice_road", "stages": [{"format": "swiss", "rounds": 1, "sizes": [4]}]}


@pytest.fixture
def database_copy(environ: Environ) -> ReplaceableDatabase:
    """The database of this test."""
    return ReplaceableDatabase(environ["DATABASE_URL"])


@pytest.fixture
def container(environ: Environ) -> Iterator[Container]:
    """The process whose database is replaced."""
    with process(environ) as opened:
        yield opened


def published_seed(container: Container, tournament: UUID) -> tuple[str | None, str]:
    """Publish a tournament. Returns the commitment in its event and the one of the seed that commands use."""
    publish_tournament(container, PublishTournament(tournament), Request(HOST))
    state = container.tournaments.load(tournament)
    seed = container.tournament_commands.begin(state, HOST).seed()
    return state.known.commitment, commitment(tournament, seed).hex()


def test_tournament_published_again_after_an_older_copy_uses_its_new_seed(
    container: Container, database_copy: ReplaceableDatabase
) -> None:
    draft = DeclareTournament("The open", Regulations().load(REGULATIONS), "public")
    outcome = declare_tournament(container, draft, Request(HOST))
    assert outcome.state is not None
    tournament = outcome.state.id
    database_copy.copy(f"{database_copy.name}_older")
    first = published_seed(container, tournament)
    database_copy.replace(f"{database_copy.name}_older")
    again = published_seed(container, tournament)
    assert first[0] == first[1] != again[1] == again[0]
