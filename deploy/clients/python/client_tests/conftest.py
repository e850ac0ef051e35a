"""Fixtures of all tests of the client."""

import asyncio
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def no_loop_of_others() -> Iterator[None]:
    """Lets a test run event loops: a browser of another test has left its own as that of this thread."""
    left = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(left)
