"""The index that browsers search: a row for each section of a guide, operation and problem type."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from projections.rules.catalogue import ENGLISH
from service.pages.docs import game_words, own_documents, reference
from service.pages.docs.contents import GUIDES
from service.web.problem_types import PROBLEMS
from service.web.routing import Routes

EXCERPT: Final = 160  # characters that a result shows
MOST_WORDS: Final = 150  # of a section that can be found
WORD: Final = re.compile(r"[\w-]{3,}")


class IndexEntry(NamedTuple):
    """What can be found; in the index, a list of these fields."""

    address: str
    title: str
    inside: str  # the document
    excerpt: str
    words: str  # of the text, each once


@cache
def entries(routes: tuple[Routes, ...]) -> Sequence[IndexEntry]:
    """Returns all rows: guides, moves and options of the games, then operations, then problem types."""
    return (*_guides(), *_games(), *_operations(routes), *_problems())


def _guides() -> Iterator[IndexEntry]:
    for guide in GUIDES.values():
        document = own_documents.read(guide.file)
        yield _entry(guide.path, document.title, document.title, document.sections[0])
        for heading, text in zip(document.headings, document.sections[1:], strict=True):
            yield _entry(f"{guide.path}#{heading.anchor}", heading.text, document.title, text)


def _games() -> Iterator[IndexEntry]:
    for game in game_words.notation(ENGLISH):
        for decision in game.decisions:
            text = ", ".join(f"{move}: {meaning}" for move, meaning in decision.forms)
            yield _entry(f"/docs/notation#{decision.name}", f"{decision.name}: {decision.words}", game.title, text)
    for table in game_words.options(ENGLISH):
        for option in table.options:
            name, title = option.document["name"], option.document["title"]
            text = f"{option.document['about']} {', '.join(option.choices)}"
            yield _entry(f"/docs/options#opt-{name}", f"{name}: {title}", table.title, text)


def _operations(routes: tuple[Routes, ...]) -> Iterator[IndexEntry]:
    for subject in reference.subjects(routes).values():
        for operation in subject.operations:
            address = f"/docs/reference/{subject.slug}#{operation.key}"
            text = f"{operation.summary} {operation.description}"
            yield _entry(address, f"{operation.method} {operation.path}", f"API: {subject.name}", text)


def _problems() -> Iterator[IndexEntry]:
    for error, problem in PROBLEMS.items():
        text = f"{problem.status}: {problem.title}. {error.__doc__ or ''}"
        yield _entry(f"/docs/errors#{problem.name}", problem.name, GUIDES["errors"].name.capitalize(), text)


def _entry(address: str, title: str, inside: str, text: str) -> IndexEntry:
    text = " ".join(text.split())
    words = dict.fromkeys(word.lower() for word in WORD.findall(text))
    return IndexEntry(address, title, inside, text[:EXCERPT], " ".join([*words][:MOST_WORDS]))
