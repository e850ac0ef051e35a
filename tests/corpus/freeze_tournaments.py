"""Adds tournaments to the corpus: `CABILDO_FREEZE=VERSION python -m pytest tests/corpus/freeze_tournaments.py`.

It is no part of the suite. With `-k NAME` one is frozen; a file that is there is never written again, for its
tournament may be of rules that new ones no longer have.
"""

import os
from pathlib import Path

import pytest
from flask import Flask

from tests.corpus.tournament_stories import TOURNAMENTS
from tests.service.conftest import Environ
from tests.support.service.running_service import keep
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]
HERE = Path(__file__).parent


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_freeze(name: str, app: Flask, environ: Environ) -> None:
    """Write the archive of a tournament."""
    hall = TOURNAMENTS[name](app)
    keep(environ)
    archive = hall.client.get(f"{hall.path}/archive")
    assert archive.status_code == 200, archive.get_data(as_text=True)
    directory = HERE / os.environ["CABILDO_FREEZE"]
    directory.mkdir(exist_ok=True)
    with (directory / f"{name}.zip").open("xb") as file:
        file.write(archive.data)
