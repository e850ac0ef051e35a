"""A database and an application for the tests of duties."""

from tests.service.conftest import app, client, environ

__all__ = ["app", "client", "environ"]
