"""What the supervisor tells a program that a fork server starts: sent over a pipe that only the program reads."""

import json
import os
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

READY: Final = b"ready\n"  # the first words of a fork server
NUMBER: Final = 16  # bytes of an answer: the number of the process


class ForkedProgram(NamedTuple):
    """A module to run as the main one, and what its process is to have."""

    module: str
    arguments: Sequence[str]
    directory: str
    environment: Mapping[str, str]
    descriptors: Sequence[int]  # the numbers under which it knows the descriptors that it inherits

    def text(self) -> bytes:
        """Returns the description as bytes."""
        return json.dumps(self).encode()

    @classmethod
    def parse(cls, text: bytes) -> "ForkedProgram":
        """Returns the program of a description."""
        return cls(*json.loads(text))


def receive_all(descriptor: int) -> bytes:
    """Reads to the end, and closes the descriptor."""
    with os.fdopen(descriptor, "rb") as source:
        return source.read()
