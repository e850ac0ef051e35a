"""The process that verifies one upload: a line of JSON and the upload on standard input, the report on standard output.

It has no connection and no secrets. For an archive it asks once, in a line, how many editions the service knows.
"""

import json
import os
import resource
import sys
from functools import partial
from typing import BinaryIO, Final

from events.json_types import JsonObject
from events.merkle.policy import Policy
from projections.verify.archive import MAGIC, verify_archive
from projections.verify.bundle import verify
from projections.verify.checks.case import Contents
from projections.verify.editions import tournament_of
from service.i18n import messages
from service.proof.judge_lines import ASKS, REPORT

MOST_MEMORY: Final = 2**30  # bytes of addresses
NICENESS: Final = 5


def main() -> None:
    """Verifies what standard input holds."""
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    given, answers = sys.stdin.buffer, sys.stdout.buffer
    asked = json.loads(given.readline())
    data = given.read(asked["size"])
    resource.setrlimit(resource.RLIMIT_CPU, (asked["seconds"] + 1, asked["seconds"] + 1))
    policy = None if asked["policy"] is None else Policy.parse(asked["policy"].encode())
    report = (
        verify_archive(data, policy, partial(_editions, given, answers))
        if data.startswith(MAGIC)
        else verify(data, policy)
    )
    _write(answers, {REPORT: report.document(partial(messages.translate, language=asked["language"]))})


def _editions(given: BinaryIO, answers: BinaryIO, contents: Contents) -> int:
    """Returns the number of editions of the archive's tournament that the service knows; 0 without a tournament."""
    editions_given = tournament_of(contents.games)
    if not editions_given:
        return 0
    _write(
        answers,
        {ASKS: {"stream": str(editions_given[0].stream), "hashes": [event.hash.hex() for event in editions_given]}},
    )
    return int(given.readline())


def _write(answers: BinaryIO, line: JsonObject) -> None:
    answers.write(json.dumps(line).encode() + b"\n")
    answers.flush()


if __name__ == "__main__":
    main()
