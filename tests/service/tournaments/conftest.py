"""The application over stores that the tests of a module share: tournaments do not meet."""

from uuid import uuid4

import pytest
from flask import Flask

from tests.support.service.scriptless_browser import Visitor
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]


@pytest.fixture(scope="module")
def director(app: Flask) -> Visitor:
    """A host who uses the pages."""
    return Visitor(app.test_client(), f"director {uuid4().hex[:8]}")
