"""Records real requests and answers of the API: `python -m tests.support.service.recorded_examples [PART...]`.

Every operation of the OpenAPI document is sent once for each media type of its answer, as its page
sends it. What differs each time - ids, times, hashes, secrets - is written in a form that does not.
"""

import base64
import hashlib
import io
import json
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final
from uuid import UUID

from flask import Flask
from werkzeug.test import TestResponse

from deploy.bench.temporary_service import temporary_stores
from events.log.sequencer import sequence_once
from events.store.connections import connect
from projections.read_models.registry import advance_all
from projections.rules.registry import GAMES
from service import settings
from service.app import create_app
from service.core.queues import ANALYSES
from service.web.openapi.recorded import EXAMPLES, EXAMPLES_FILE
from service.web.openapi.trials import TRIALS
from tests.support.projections.random_games import random_game, written
from tests.support.service.players import Person
from tests.support.service.recorded_hands import PASSWORD, Hands
from tests.support.service.reference_forms import trials_of_pages
from tests.support.service.sent_trials import SentTrial, TrialSender, session_of
from tests.support.service.tournament_fixture import Hall, keep
from tests.support.service.worked_queue import work

OUTSIDE: Final = {  # what the service may reach: mail, and receivers at addresses that are kept for documentation
    "CABILDO_SMTP": "smtp://127.0.0.1:9",
    "CABILDO_MAIL_FROM": "Cabildo <cabildo@example.org>",
    "CABILDO_WEBHOOKS": "anywhere",
}
MOST_ITEMS: Final = 2  # of a list
MOST_MEMBERS: Final = 8  # of an object whose names are data
MOST_LINES: Final = 12  # of a text
LONGEST: Final = 400  # characters of a text in a document
STREAMS: Final = ("application/x-ndjson", "text/event-stream")
UUIDS: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
VOLATILE: Final = re.compile(
    r"(?P<uuid>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"
    r"|(?P<time>20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)"
    r"|(?P<token>cab_[A-Za-z0-9_-]{8,})"
    r"|(?P<named>(?:practice|Roboter|A board|renamed) [0-9a-f]{8})"
    r"|(?P<micros>\b1[789]\d{14}\b)"
    r"|(?P<hex>\b[0-9a-f]{16,}\b)"
    r"|(?P<base64>(?<![\w/+-])(?:[A-Za-z0-9+][A-Za-z0-9+/]{39,}={0,2}|[A-Za-z0-9_-]{40,}))"
)
SECRET: Final = ("device_code", "refresh_token", "ticket", "csrf", "secret")
MOMENT: Final = "2026-11-19T12:00:00.000000Z"
MICROS: Final = "1795089600000000"


class Recorder:
    """A service with something of each kind, and the clients that ask for it."""

    def __init__(self, app: Flask, environ: Mapping[str, str]) -> None:
        self._app = app
        self._environ = environ
        self.trials = trials_of_pages(app.test_client())
        self._document = app.test_client().get("/openapi.json").get_json()
        self.hands = Hands(app, environ)
        person = Person(app.test_client(), "Anna", password=PASSWORD)
        client, headers = session_of(app, person.name, PASSWORD)
        self.anna = TrialSender(app, headers, client, self._work)
        self.anna.asked("POST", "/v1/session/confirmation", {"password": PASSWORD})
        self._make_public_things(person)

    def sent(self, operation: str, accept: str | None = None) -> SentTrial:
        """Sends an operation as the page of the reference does, with what its reader enters by hand."""
        trial = self.trials[operation]
        if "first" in trial:
            sender, values, meanwhile = self.hands.enter(operation)
            with meanwhile:
                return sender.send(operation, trial, accept, **values)
        return self._sender(operation).send(operation, trial, accept)

    def media_types(self, operation: str) -> list[str]:
        """Returns the media types of the operation's successful answers."""
        method, path = operation.split(" ")
        answers = self._document["paths"][path][method.lower()]["responses"].items()
        return sorted({kind for status, answer in answers if status < "3" for kind in answer.get("content", {})})

    def example(self, operation: str) -> dict[str, Any]:
        """Returns the request and the answers of an operation."""
        known: dict[str, str] = {}
        answers: dict[str, Any] = {}
        request: dict[str, Any] = {}
        for accept in self.media_types(operation) or [""]:
            sent = self.sent(operation, accept or None)
            response = sent.response
            assert response.status_code < 400, f"{operation}: {response.status_code} {response.get_data(as_text=True)}"
            request = request or {"path": sent.path, "query": dict(sent.query), "body": sent.body}
            request["status"] = response.status_code
            if accept:
                answers[str(response.mimetype)] = told(response)
            response.close()
        others = self._others(operation)
        return dict(normal({"request": shortened(request), "answers": answers, **others}, known))

    def _others(self, operation: str) -> dict[str, Any]:
        """Returns the answers to the other requests of the operation, by status and media type."""
        found: dict[str, dict[str, Any]] = {}
        for other in TRIALS[operation].get("others", ()):
            trial: Any = {**self.trials[operation], **other}
            response = self._sender(operation).send(operation, trial).response
            found.setdefault(str(response.status_code), {})[str(response.mimetype)] = told(response)
            response.close()
        return {"others": found} if found else {}

    def _sender(self, operation: str) -> TrialSender:
        method, path = operation.split(" ")
        security = self._document["paths"][path][method.lower()].get("security", [])
        if {"bearer": ["admin"]} in security:
            return self.hands.administrator
        return self.hands.account()[0] if self.trials[operation].get("asks") else self.anna

    def _work(self) -> None:
        """Does what keeper and workers do."""
        here = self._app.extensions["cabildo"]
        keep(here)
        work(here, self._environ, ANALYSES)

    def _make_public_things(self, anna: Person) -> None:
        anna.create("me", "bot:random", chance=0, seed="11" * 32, start_player=0)
        anna.create("me", "open")
        finished = written(random_game(GAMES["spice_road"], 2, seed=1))
        game = anna.post("/v1/games/import", {"record": finished})["id"]
        anna.post("/v1/studies", {"title": "Notes", "visibility": "public", "games": [game]})
        hall = Hall(self._app, [{"format": "swiss", "rounds": 1, "sizes": [2]}], anna, bots="random").open(bots=2)
        hall.direct("stages")
        hall.round()
        hall.direct("stages/current/closing")
        hall.direct("closing")
        Person(self._app.test_client(), "Birgir").post("/v1/challenges", {"game": "spice_road", "opponents": [anna.id]})
        self.hands.publish()
        with connect(self._environ["DATABASE_URL"]) as connection:
            sequence_once(connection)
            advance_all(connection)


def told(response: TestResponse) -> dict[str, Any]:
    """Returns an answer as its example tells it: whole, or its beginning with a line that says so."""
    if response.is_json:
        return {"value": shortened(response.get_json())}
    if response.mimetype in STREAMS:
        return {"summary": "the first part of a stream", "value": first_part(response)}
    data = response.get_data()
    if response.mimetype == "application/zip":
        names = sorted({UUIDS.sub("...", name) for name in zipfile.ZipFile(io.BytesIO(data)).namelist()})
        return {"summary": f"a ZIP archive with {', '.join(names[:6])}", "value": "PK..."}
    if response.mimetype == "application/octet-stream":
        return {"summary": f"a file of {len(data)} bytes", "value": "..."}
    text = data.decode(errors="replace")
    lines = text.splitlines()
    begun = "\n".join(line[:LONGEST] for line in lines[:MOST_LINES])
    if len(begun) == len(text.rstrip("\n")):
        return {"value": text}
    return {"summary": "the beginning", "value": f"{begun}\n..."}


def first_part(response: TestResponse) -> str:
    """Returns the first items of a stream, each in one line of data."""
    text, lines = "", list[str]()
    for part in islice(response.response, 4):
        text += part.decode() if isinstance(part, bytes) else str(part)
        lines = [line for line in text.splitlines() if line.startswith(("data:", "{"))]
        if lines:
            break
    kept = text.splitlines()[: MOST_LINES // 2]
    return "\n".join(line[: 2 * LONGEST] for line in kept) + "\n"


def shortened(document: Any) -> Any:
    """The document with long lists and texts cut off."""
    if isinstance(document, dict):
        members = [*document.items()]
        if len(document) > MOST_MEMBERS and all(isinstance(value, dict) for value in document.values()):
            members = members[:MOST_ITEMS]  # the names are data, as those of pieces
        return {name: shortened(value) for name, value in members}
    if isinstance(document, list):
        return [shortened(value) for value in document[:MOST_ITEMS]]
    return f"{document[:LONGEST]}..." if isinstance(document, str) and len(document) > LONGEST else document


def normal(document: Any, known: dict[str, str]) -> Any:
    """Returns a document whose ids, times, hashes and secrets do not change from one recording to the next."""
    if isinstance(document, dict):
        return {
            _stable(name, known): "..." if name in SECRET and value else normal(value, known)
            for name, value in document.items()
        }
    if isinstance(document, list):
        return [normal(value, known) for value in document]
    if isinstance(document, int) and len(str(document)) == len(MICROS) and not isinstance(document, bool):
        return int(MICROS)
    return _stable(document, known) if isinstance(document, str) else document


def _stable(text: str, known: dict[str, str]) -> str:
    return VOLATILE.sub(lambda found: known.setdefault(found[0], _stand_in(found, len(known))), text)


def _stand_in(found: "re.Match[str]", number: int) -> str:
    """Returns what stands for something that differs each time."""
    kind, text = str(found.lastgroup), found[0]
    if kind == "base64":
        return (base64.b64encode(hashlib.sha256(str(number).encode()).digest()).decode() * 4)[: min(len(text), 44)]
    if kind == "hex":
        return (hashlib.sha256(str(number).encode()).hexdigest() * (len(text) // 64 + 1))[: len(text)]
    uuid = str(UUID(int=(0x01A1F573 << 96) | (7 << 76) | (8 << 60) | number))
    fixed = {"uuid": uuid, "time": MOMENT, "token": "cab_...", "micros": MICROS}
    return fixed.get(kind) or f"{text.rpartition(' ')[0]} {number:08x}"


def recorded(app: Flask, environ: Mapping[str, str], parts: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields operations with their examples: all, or those whose method and path have one of these parts."""
    recorder = Recorder(app, environ)
    for operation in recorder.trials:
        if not parts or any(part in operation for part in parts):
            yield operation, recorder.example(operation)


def record(*parts: str) -> None:
    """Writes examples anew: all, or those of some operations."""
    with temporary_stores() as stores:
        environ = {**stores.environ, **OUTSIDE, "CABILDO_LOGINS_PER_MINUTE": "1000000"}
        app = create_app(settings.load(environ))
        anew = dict(recorded(app, environ, parts))
        known = app.test_client().get("/openapi.json").get_json()["paths"]
        kept = {name: one for name, one in EXAMPLES.items() if name.partition(" ")[2] in known}
        app.extensions["cabildo"].close()
    text = json.dumps({**(kept if parts else {}), **anew}, indent=1, sort_keys=True, ensure_ascii=False)
    EXAMPLES_FILE.write_text(text + "\n")


if __name__ == "__main__":
    record(*sys.argv[1:])
