"""Form fields for values of a document: how to render, parse and format each."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from werkzeug.datastructures import MultiDict

from events.json_types import Json
from events.messages import Message
from service.core.errors import InvalidRequest

Form = MultiDict[str, str]
Texts = Sequence[str]
WHOLE: Final = re.compile(r"[0-9]{1,9}")
SEPARATED: Final = re.compile(r"[\s,;/]+")


class FormField(NamedTuple):
    """A field: its widget, parser (None: omitted), formatter and choices."""

    drawn: str
    read: Callable[[Texts], Json]
    show: Callable[[Any], Texts]
    values: tuple[str, ...] = ()
    words: str = ""  # prefix of the phrases for the values
    limits: tuple[int, int] = (0, 0)


def text(longest: int) -> FormField:
    """Returns a field for a line of text."""
    return FormField("text", _stripped, _one, limits=(0, longest))


def number(least: int, most: int) -> FormField:
    """Returns a field for an optional whole number."""
    return FormField("number", _number, _one, limits=(least, most))


def numbers(longest: int) -> FormField:
    """Returns a field for an ordered list of whole numbers."""
    return FormField("text", _numbers, lambda value: [" ".join(map(str, value))], limits=(0, longest))


def choice(values: Sequence[str], words: str) -> FormField:
    """Returns a field for one of some words; omits an empty one."""
    return FormField("choice", _stripped, _one, tuple(values), words)


def tick() -> FormField:
    """Returns a checkbox."""
    return FormField("tick", bool, lambda value: ["on"] if value else [])


def usual_or_not() -> FormField:
    """Returns a field for yes, no or the default."""
    return FormField("choice", _truth, lambda value: ["yes" if value else "no"], ("", *TRUTH), "common.")


def several(values: Sequence[str], drawn: str) -> FormField:
    """Returns a field for some of these words, in the order of the inputs."""
    return FormField(drawn, lambda given: [one for one in given if one] or None, list, tuple(values))


def rows() -> FormField:
    """Returns a field for lines such as `4: 10 5 2 0`."""
    return FormField(
        "rows", _rows, lambda value: ["\n".join(f"{name}: {' '.join(row)}" for name, row in value.items())]
    )


def read(fields: Mapping[str, FormField], form: Form, prefix: str = "") -> dict[str, Any]:
    """Parses a form into a document; a dot in a field's name leads into an object. Raises InvalidRequest."""
    document: dict[str, Any] = {}
    for path, field in fields.items():
        try:
            value = field.read(form.getlist(prefix + path))
        except ValueError as wrong:
            raise InvalidRequest({prefix + path: [str(wrong)]}) from None
        if value is not None:
            *outer, name = path.split(".")
            inside = document
            for one in outer:
                inside = inside.setdefault(one, {})
            inside[name] = value
    return document


def show(fields: Mapping[str, FormField], document: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yields the form fields and texts that stand for a document."""
    for path, field in fields.items():
        value: Any = document
        for name in path.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
        if value is not None:
            yield from ((prefix + path, text) for text in field.show(value))


def _stripped(given: Texts) -> str | None:
    return (given[0].strip() if given else "") or None


def _number(given: Texts) -> int | None:
    stripped = _stripped(given)
    return None if stripped is None else _whole(stripped)


def _numbers(given: Texts) -> Json:
    stripped = _stripped(given)
    return None if stripped is None else [_whole(one) for one in SEPARATED.split(stripped)]


def _whole(given: str) -> int:
    if not WHOLE.fullmatch(given):
        raise ValueError(Message("takes a whole number"))
    return int(given)


def _truth(given: Texts) -> bool | None:
    stripped = _stripped(given)
    if stripped is not None and stripped not in TRUTH:
        raise ValueError(Message("takes yes or no"))
    return None if stripped is None else TRUTH[stripped]


def _rows(given: Texts) -> Json:
    table: dict[str, Json] = {}
    for line in (_stripped(given) or "").splitlines():
        name, colon, row = line.partition(":")
        if not colon or not row.split():
            raise ValueError(Message("takes lines such as 4: 10 5 2 0"))
        table[name.strip()] = list(row.split())
    return table or None


def _one(value: object) -> Texts:
    return [str(value)]


TRUTH: Final = {"yes": True, "no": False}
