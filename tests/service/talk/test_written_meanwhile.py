"""What is written or erased while somebody reads a talk: the reader has it, or is told of it."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import pytest
from flask import Flask

from tests.service.conftest import Environ
from tests.support.service.held_accounts import asked_at_once
from tests.support.service.players import Person, answer, two_at_a_table

# The first and the last table that a reader of a talk asks after its messages; held, they stop it there.
ASKED_LATER: Final = ("hidden_texts", "talk_read")
Done = tuple[int, Any]


def by_another_client(app: Flask, person: Person, method: str, path: str, body: dict[str, str] | None) -> Done:
    """Asks as a person does at another device. Returns the status and the answer."""
    headers = {"Authorization": f"Bearer {person.token}"}
    done = app.test_client().open(path, method=method, json=body, headers=headers)
    return done.status_code, done.get_json()


@pytest.mark.parametrize("held", ASKED_LATER)
@pytest.mark.parametrize("erases", [False, True], ids=["written", "erased"])
def test_a_reader_hears_of_what_comes_meanwhile(app: Flask, environ: Environ, held: str, erases: bool) -> None:
    game, writer, reader = two_at_a_table(app.test_client())
    talk = f"/v1/games/{game}/talk"
    writer.post(talk, {"text": "Good luck"})
    reads: Callable[[], Done] = partial(by_another_client, app, reader, "GET", talk, None)
    writes: Callable[[], Done] = partial(by_another_client, app, writer, "POST", talk, {"text": "You begin"})
    erasing: Callable[[], Done] = partial(by_another_client, app, writer, "DELETE", f"{talk}/1", None)

    (_, told), (status, _) = asked_at_once(
        environ, f"LOCK TABLE {held} IN ACCESS EXCLUSIVE MODE", reads, erasing if erases else writes
    )

    assert status == (204 if erases else 201)
    now = answer(reader.ask("GET", talk), 200)
    is_behind = (told["newest"], told["changes"]) != (now["newest"], now["changes"])
    assert is_behind or told["messages"] == now["messages"]
