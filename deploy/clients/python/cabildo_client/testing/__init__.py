"""Tests of programs without network: a fake server that answers with a recorded game."""

from cabildo_client.testing.fake_server import FakeServer

__all__ = ["FakeServer"]
