"""The kinds of event in the stream of a study: annotations of events of a game, by number and hash."""

from collections.abc import Mapping
from typing import Final

from events.json_types import Json
from events.kinds.field_types import (
    FACTS,
    FLAG,
    FORCED_MOVE,
    HASH,
    ID,
    MOVE,
    NAME,
    SEAT,
    UUID_TEXT,
    VERSION,
    FieldType,
    each,
    either,
    hexadecimal,
    matching,
    nullable,
    one_of,
    optional,
    record,
    whole,
)
from events.kinds.registry import EventKind

DEEPEST: Final = 8  # objects and lists within one another in a position
TEXT = HASH  # of a text stored beside the event, which can be erased
CHAPTER = whole(1, 1_000)
EYES = either(SEAT, one_of("all", "spectator"))  # the seat from which a board is shown
# The place of an annotation: an event of the game, or a node of the study; an analysis begins at node 0.
PLACE = either(record(seq=VERSION, hash=HASH), record(node=VERSION))
GLYPH = whole(1, 255)  # numbered as chess numbers them
PART = matching("a part of a position", r"[a-z_]+(\[[0-9]{1,3}\]|\.[a-z0-9_]{1,64}){0,8}")
MARKER = record(on=PART, kind=one_of("look", "good", "bad", "idea"), to=nullable(PART))
ANSWER = record(move=MOVE, reply=nullable(TEXT))
QUESTION = record(text=TEXT, answers=each(ANSWER, 16), hints=each(TEXT, 16), otherwise=nullable(TEXT))


def _is_position(value: Json, deep: int = 0) -> bool:
    if isinstance(value, Mapping):
        return deep < DEEPEST and all(
            NAME.holds(name) and _is_position(inside, deep + 1) for name, inside in value.items()
        )
    if isinstance(value, list | tuple):
        return deep < DEEPEST and all(_is_position(inside, deep + 1) for inside in value)
    return value is None or type(value) in (int, bool) or ID.holds(value) or value == ""


POSITION = FieldType("a position: names, integers, true, false and null in objects and lists", _is_position)


def kind(name: str, **fields: FieldType) -> EventKind:
    """Returns a kind of event in the stream of a study."""
    return EventKind(name, "study", fields)


def there(name: str, **fields: FieldType) -> EventKind:
    """Returns a kind of event at a place in a chapter."""
    return kind(name, chapter=CHAPTER, at=PLACE, **fields)


KINDS: tuple[EventKind, ...] = (
    kind(
        "study_created",
        title=TEXT,
        visibility=one_of("public", "unlisted", "private"),
        cloned_from=nullable(UUID_TEXT),
    )._replace(opens=True),
    kind("study_deleted"),  # its texts are erased, its events remain
    kind("study_changed", title=optional(TEXT), visibility=optional(one_of("public", "unlisted", "private"))),
    kind("member_changed", player=ID, role=nullable(one_of("owner", "writer", "reader"))),  # null: no member any more
    kind(
        "chapter_added",
        chapter=CHAPTER,
        title=TEXT,
        game=NAME,
        of=nullable(record(stream=UUID_TEXT, seq=VERSION, hash=HASH)),  # the game, as its head was then
        position=nullable(POSITION),  # where an analysis begins
        eyes=nullable(EYES),
        lesson=FLAG,
    ),
    kind(
        "chapter_changed",
        chapter=CHAPTER,
        title=optional(TEXT),
        eyes=optional(nullable(EYES)),
        lesson=optional(FLAG),
        before=optional(nullable(CHAPTER)),  # its new place; null: the last
    ),
    kind("chapter_deleted", chapter=CHAPTER),
    there(
        "node_added",
        by=optional(ID),  # the author, when another player copied it
        seat=SEAT,
        move=MOVE,
        chance=one_of("none", "same", "declared", "random"),  # the source of the draws
        seed=optional(hexadecimal(16)),  # of random ones
        drew=each(NAME, 2_000),
        then=each(FORCED_MOVE, 200),
        facts=FACTS,
        digest=HASH,
    ),
    kind("node_ranked", chapter=CHAPTER, node=VERSION, rank=whole(0, 10_000)),  # 0: the first of its alternatives
    kind("node_deleted", chapter=CHAPTER, node=VERSION),  # with all nodes after it
    there(
        "comment_written",
        comment=nullable(VERSION),  # the comment to replace; null: a new one
        text=TEXT,
        eyes=nullable(EYES),
        by=optional(ID),
        credit=optional(TEXT),  # the name of an author outside the service
    ),
    there("comment_deleted", comment=VERSION),
    there("place_marked", by=ID, glyphs=each(GLYPH, 8), markers=each(MARKER, 64), credit=optional(TEXT)),
    there("question_set", question=nullable(QUESTION)),
)
