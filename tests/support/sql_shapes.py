"""The shape of SQL statements: the SELECTs in one another, and the tables that each reads."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.support.source_tree import dotted, product, tree

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
UNKNOWN = " _ "


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
    """Yields the texts of a module that are statements, or begin with the tables of one; composed ones whole, too."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and STATEMENT.match(node.value):
            yield node.value
        elif isinstance(node, ast.JoinedStr | ast.BinOp) and STATEMENT.match(text := _text(node, module)):
            yield text


@cache
def named_text(module: Path, name: str) -> str:
    """Returns the text that a name of a module stands for, or UNKNOWN."""
    for node in tree(module).body:
        match node:
            case ast.ImportFrom(module=str(source), names=names) if source in _places():
                for one in names:
                    if name == (one.asname or one.name):
                        return named_text(_places()[source], one.name)
            case ast.Assign(targets=[ast.Name(id=given)], value=value) if given == name:
                return _text(value, module)
            case ast.AnnAssign(target=ast.Name(id=given), value=ast.expr() as value) if given == name:
                return _text(value, module)
    return UNKNOWN


@cache
def _places() -> Mapping[str, Path]:
    return {dotted(module): module for module in product()}


def _text(node: ast.expr, module: Path) -> str:
    """Returns a text, composed of others or not, with UNKNOWN for what only a running program knows."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name):
            return named_text(module, name)
        case ast.FormattedValue(value=value):
            return _text(value, module)
        case ast.JoinedStr(values=parts):
            return "".join(_text(part, module) for part in parts)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return _text(left, module) + _text(right, module)
    return UNKNOWN


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
