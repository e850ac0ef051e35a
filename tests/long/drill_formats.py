"""Whole events of 37 and 109 over each format: counted twice."""

import pytest
from flask import Flask

from tests.service.conftest import app, environ
from tests.service.tournaments.test_formats import FORMATS, check_whole_event

__all__ = ["app", "environ"]


@pytest.mark.parametrize(("entrants", "name"), [(entrants, name) for entrants in (37, 109) for name in FORMATS])
def test_a_whole_event(app: Flask, entrants: int, name: str) -> None:
    check_whole_event(app, entrants, name)
