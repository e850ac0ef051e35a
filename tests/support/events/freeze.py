"""Freezes a sample of a new kind or shape of event: `python -m tests.support.events.freeze KIND '{"field": ...}'`."""

import json
import sys
from pathlib import Path
from uuid import UUID

from events.chain import link
from events.event import START, EventDraft, Head
from events.json_types import JsonObject
from events.kinds import KINDS
from tests.support.events.examples import NOON, RULES

SAMPLES = Path(__file__).parents[2] / "events" / "samples"
STREAM = UUID("01a0c450-6c00-773f-9014-c8bd16af6b67")


def freeze(name: str, data: JsonObject) -> Path:
    """Write the sample of the newest shape; a frozen one is never written again."""
    kind = KINDS.named(name)
    head = START if kind.opens else Head(7, bytes(range(32)))
    (event,) = link(STREAM, head, [EventDraft(name, data, "player-1", NOON, RULES)], salt=lambda: bytes(range(16)))
    path = SAMPLES / f"{name}.{kind.shape}.json"
    with path.open("x", encoding="utf-8") as sample:
        json.dump({"body": event.body.decode(), "hash": event.hash.hex(), "newest": data}, sample, indent=1)
        sample.write("\n")
    return path


if __name__ == "__main__":
    sys.stdout.write(f"{freeze(sys.argv[1], json.loads(sys.argv[2]))}\n")
