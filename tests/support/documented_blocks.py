"""The blocks of code in the documents, and the commands in them."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INDENTED = re.compile(r"(?:^(?: {4}|\n(?= {4})).*\n)+", re.MULTILINE)
SHELL = re.compile(r"^(?:curl|python|cabildo(?:-client)?|npm|cd|deploy/|\.venv/bin/|\(umask|[A-Z]+=)")


class Block(NamedTuple):
    """A block of code; an indented one has no language."""

    language: str
    text: str


def blocks(document: Path) -> list[Block]:
    """Returns the blocks of a document in their order."""
    text = document.read_text(encoding="utf-8")
    fenced = [(found.start(), Block(found[1], found[2])) for found in FENCE.finditer(text)]
    rest = FENCE.sub(lambda found: re.sub(r"[^\n]", "", found[0]), text)  # as many lines
    lines = text.count("\n")
    assert rest.count("\n") == lines
    indented = [
        (sum(map(len, text.splitlines(keepends=True)[: rest[: found.start()].count("\n")])), Block("", found[0]))
        for found in INDENTED.finditer(rest)
    ]
    return [block for _, block in sorted(fenced + indented, key=lambda each: each[0])]


def is_shell(block: Block) -> bool:
    """Whether a block holds commands of a shell."""
    if block.language:
        return block.language in ("bash", "sh")
    return all(SHELL.match(command) for command in commands(block))


def commands(block: Block) -> Iterator[str]:
    """Yields the commands of a block, those of several lines as one, without their comments."""
    begun = ""
    for line in block.text.splitlines():
        begun += line if begun else line.strip()
        if begun.endswith("\\") or not is_whole(begun):
            begun += "\n"
        elif begun:
            yield uncommented(begun)
            begun = ""
    assert not begun.strip(), begun


def is_whole(command: str) -> bool:
    """Whether all quotes of a command are closed."""
    try:
        shlex.split(command, comments=True)
    except ValueError:
        return False
    return True


def uncommented(command: str) -> str:
    """Returns a command without the comment behind it."""
    *_, last = command.split("\n")
    found = re.search(r"\s+# .*$", last)
    return command[: -len(found[0])] if found and is_whole(command[: -len(found[0])]) else command
