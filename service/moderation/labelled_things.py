"""Things with what a reader recognises them by: the kind, the author, the beginning of the text."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from events.store.free_texts import shown_texts
from service.container import Container
from service.i18n import messages
from service.moderation.things import NOUNS, PLAYER, FreeText, Thing
from service.players.queries import names_of

LONGEST_EXCERPT: Final = 80  # characters
MOST: Final = 500  # of one study or tournament, in a form


class LabelledThing(NamedTuple):
    """A thing and its label in a reader's language."""

    thing: Thing
    kind: str
    author: str | None
    excerpt: str | None

    @property
    def value(self) -> str:
        """Returns the thing as the value of a form."""
        return f"{self.thing.about}:{self.thing.number}"


def labelled(here: Container, found: Sequence[FreeText], language: str) -> list[LabelledThing]:
    """Returns things of one stream with their labels; hidden texts stay hidden."""
    shown = found[:MOST]
    hashes = {one.hashes[0] for one in shown if one.hashes}
    people = {one.author for one in shown if one.author} | {str(o.thing.id) for o in shown if o.thing.about == PLAYER}
    with here.stores.pool.connection() as connection:
        names = names_of(connection, people)
        texts = shown_texts(connection, shown[0].thing.id, hashes, messages.hidden_notice(language)) if hashes else {}
    return [
        LabelledThing(
            one.thing,
            messages.translate(NOUNS[one.thing.about], language),
            names.get(str(one.thing.id)) if one.thing.about == PLAYER else names.get(one.author or ""),
            _excerpt(texts.get(one.hashes[0]) if one.hashes else one.text),
        )
        for one in shown
    ]


def _excerpt(text: str | None) -> str | None:
    if text is None:
        return None
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_EXCERPT else line[: LONGEST_EXCERPT - 1] + "…"
