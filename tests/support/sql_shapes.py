"""The shape of SQL statements: the SELECTs in one another, and the tables that each reads."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.support.source_tree import tree

STATEMENT = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH|FROM)\b")
SOURCE = re.compile(
    r"""
    (?P<how> \b(?:LEFT\ )?JOIN(?:\ LATERAL)? | \b(?:FROM|UPDATE|INTO|USING) | , )
    \s+ (?:public\.)? (?P<table>[a-z_]+)\b (?!\s*\()
    (?: \s+ (?:AS\s+)? (?!(?:ON|USING|WHERE|SET|JOIN|LEFT|CROSS|ORDER|AS)\b) (?P<alias>[a-z_]+) )?
    """,
    re.VERBOSE,
)
COMMENT = re.compile(r"--[^\n]*")
TEXT = re.compile(r"'(?:[^']|'')*'")


class Select(NamedTuple):
    """A SELECT, with the text of those inside it left out."""

    words: str
    before: str  # the words in front of its bracket: EXISTS, IN, AS, FROM ...
    outer: "Select | None"

    @property
    def tables(self) -> Mapping[str, str]:
        """Returns the tables that it reads, by their alias."""
        return {found["alias"] or found["table"]: found["table"] for found in SOURCE.finditer(self.words)}

    @property
    def left_joined(self) -> set[str]:
        """Returns the tables of its LEFT JOINs."""
        return {found["table"] for found in SOURCE.finditer(self.words) if found["how"].startswith("LEFT JOIN")}

    def enclosing(self) -> Iterator["Select"]:
        """Yields the SELECTs around it."""
        if self.outer is not None:
            yield self.outer
            yield from self.outer.enclosing()


def statements_of(module: Path) -> Iterator[str]:
    """Yields the texts of a module that are statements, or begin with the tables of one."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and STATEMENT.match(node.value):
            yield node.value


def selects(statement: str) -> list[Select]:
    """Returns the SELECTs of a text, the outermost first; other brackets belong to the SELECT around them."""
    text = TEXT.sub("''", COMMENT.sub("", statement))
    found: list[Select] = []
    for part in text.split(";"):
        _read(part, 0, "", None, found)
    return found


def _read(text: str, begin: int, before: str, outer: Select | None, found: list[Select]) -> int:
    """Reads up to the bracket that closes this SELECT; returns the place behind it."""
    place = len(found)
    found.append(Select("", before, outer))
    words, at, depth, inner = list[str](), begin, 0, list[tuple[int, str]]()
    while at < len(text):
        letter = text[at]
        if letter == "(" and re.match(r"\(\s*(SELECT|WITH|DELETE|INSERT|UPDATE)\b", text[at:]):
            inner.append((at + 1, " ".join("".join(words).split()[-3:])))
            at = _skip(text, at)
            words.append(" _ ")
            continue
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            break
        words.append(letter)
        at += 1
    found[place] = Select("".join(words), before, outer)
    for start, preceding in inner:
        _read(text, start, preceding, found[place], found)
    return at


def _skip(text: str, opening: int) -> int:
    """Returns the place behind the bracket that closes the one at a place."""
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if not depth:
            return at + 1
    return len(text)
