"""Translations of the rules against the English text: the same structure, and from which English text each was made.

    python -m tests.support.service.rules_translations sv     # after the Swedish texts were brought up to date

writes `deploy/docs/rules/sv/made_from.json`: for each section the hashes of the English blocks that were translated.
"""

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from itertools import pairwise, zip_longest
from typing import Final, NamedTuple
from urllib.parse import quote

from markdown_it.token import Token

from projections.rules.catalogue import ENGLISH, LANGUAGES
from service.rulebook.texts import FOLDER, MARKDOWN, NAMES, source

TRANSLATED: Final = tuple(language for language in LANGUAGES if language != ENGLISH)
MADE_FROM: Final = "made_from.json"
KEPT: Final = re.compile(r"\b(?:R|E|I|GW)-\d+\b|\bD-[A-Z0-9]+(?:-[A-Z]+)*|\d+")  # labels and numbers
BLOCKS: Final = ("heading_open", "paragraph_open", "list_item_open", "tr_open", "fence", "blockquote_open")
HASHED: Final = 8  # hexadecimal digits


class Block(NamedTuple):
    """A heading, a paragraph, an item of a list, a row of a table or a block of code."""

    section: str
    line: int
    text: str

    @property
    def hash(self) -> str:
        """The hash of the words, however their lines are broken."""
        return hashlib.sha256(" ".join(self.text.split()).encode()).hexdigest()[:HASHED]


def blocks(text: str) -> Iterator[Block]:
    """Yields the blocks of a text; what stands inside a block is part of it."""
    lines, section, end = text.splitlines(), "", 0
    for token, inner in pairwise(MARKDOWN.parse(text)):
        if token.type not in BLOCKS or token.map is None or token.map[0] < end:
            continue
        first, end = token.map
        if token.type == "heading_open":
            section = inner.content
        yield Block(section, first + 1, "\n".join(lines[first:end]).strip())


def of_sections(text: str) -> dict[str, str]:
    """Returns the hashes of the blocks of each section."""
    hashes = dict[str, list[str]]()
    for block in blocks(text):
        hashes.setdefault(block.section, []).append(block.hash)
    return {section: " ".join(of_section) for section, of_section in hashes.items()}


def write(language: str) -> None:
    """Ties the translations of a language to the English texts as they are now."""
    texts = {NAMES[game]: of_sections(source(game, ENGLISH).read_text("utf-8")) for game in NAMES}
    path = FOLDER / language / MADE_FROM
    path.write_text(json.dumps(texts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def made_from(game: str, language: str) -> Mapping[str, str]:
    """Returns the hashes of the English blocks that a translation was made from."""
    told: Mapping[str, Mapping[str, str]] = json.loads((FOLDER / language / MADE_FROM).read_text("utf-8"))
    return told[NAMES[game]]


def to_translate(english: str, known: Mapping[str, str]) -> list[str]:
    """Returns what of the English text is new, changed or gone since a translation was made, with its line."""
    sections = dict[str, list[Block]]()
    for block in blocks(english):
        sections.setdefault(block.section, []).append(block)
    found = [f"{section}: gone" for section in known if section not in sections]
    for section, now in sections.items():
        before = known.get(section, "").split()
        for tag, _, _, first, last in SequenceMatcher(a=before, b=[block.hash for block in now]).get_opcodes():
            if tag == "delete":
                found.append(f"{section}: a block is gone")
            elif tag != "equal":
                found += [f"{section}, line {block.line}: {block.text[:60]!r}" for block in now[first:last]]
    return found


def differences(english: str, translation: str) -> list[str]:
    """Returns where a translation has other blocks, marks, code, labels, numbers or links than the English text."""
    places = [dict[str, int](), dict[str, int]()]
    for known, text in zip(places, (english, translation), strict=True):
        known.update({_slug(heading): at for at, heading in enumerate(re.findall(r"^#+ (.+)$", text, re.MULTILINE))})
    found, line = list[str](), 0
    for one, other in zip_longest(MARKDOWN.parse(english), MARKDOWN.parse(translation)):
        line = other.map[0] + 1 if other is not None and other.map else line
        if one is None or other is None or (one.type, one.tag) != (other.type, other.tag):
            return [*found, f"line {line}: another kind of block than in the English text"]
        for what in _kept(one, places[0]) - _kept(other, places[1]):
            found.append(f"line {line}: {' '.join(what)} is missing")
        for what in _kept(other, places[1]) - _kept(one, places[0]):
            found.append(f"line {line}: {' '.join(what)} is not in the English text")
    return found


def _kept(token: Token, places: Mapping[str, int]) -> Counter[tuple[str, str]]:
    """Counts what a translation keeps of a block."""
    kept = Counter[tuple[str, str]]()
    if token.type != "inline":
        kept[token.type, token.content] += 1
    for part in token.children or ():
        if part.type == "text":
            kept.update(("number or label", found) for found in KEPT.findall(part.content))
        elif part.type == "link_open":
            target = str(part.attrGet("href"))
            kept["link to", str(places.get(target[1:], target.removeprefix("../").removeprefix("../")))] += 1
        elif part.type in ("code_inline", "strong_open", "em_open"):
            kept[part.type, part.content] += 1
    return kept


def _slug(heading: str) -> str:
    """Returns the fragment that Markdown viewers give a heading, as links write it."""
    return quote(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"))


if __name__ == "__main__":
    for chosen in sys.argv[1:]:
        write(chosen)
