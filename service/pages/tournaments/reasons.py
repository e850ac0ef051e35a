"""Phrases for the reasons of pairings and the names of criteria, in the reader's language."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from projections.tournaments.standings.schemes import SCHEMES
from projections.tournaments.values import FigurePart, Reason, Scheme
from service.games.house_bots import marked
from service.i18n import phrases
from service.tournaments.documents import Document

Name = Callable[[str], str]
Says = Mapping[str, Any]
Say = Callable[..., str]


class Sentence(NamedTuple):
    """A sentence, and the events that support it."""

    text: str
    events: tuple[int, ...]


class Naming:
    """Names the entrants of a tournament."""

    def __init__(self, language: str, people: Mapping[str, Document]) -> None:
        self._language = language
        self._say = partial(phrases.phrase, language)
        self._people = people

    def __call__(self, player: str) -> str:
        """Returns an entrant's name; a placeholder for a forgotten player."""
        name = str(self._people[player]["name"] or self._say("common.forgotten"))
        return marked(name, self._language) if self._people[player]["program"] else name


def criterion(language: str, name: str) -> str:
    """Returns the label of a criterion."""
    word, _, number = name.partition(":")
    return phrases.phrase(language, f"tournament.criterion_{word}", n=number)


def scheme(language: str, worth: Scheme) -> str:
    """Returns the label of a known scoring scheme, or the name of a changed one."""
    known = SCHEMES.get(worth.name) == worth
    return phrases.phrase(language, f"declare.scheme_{worth.name}") if known else worth.name


def sentences(language: str, name: Name, reason: Reason) -> Iterator[Sentence]:
    """Yields a reason as sentences."""
    say = partial(phrases.phrase, language)
    who = f"{name(reason.player)}: " if reason.player else ""
    for text in _TEXTS[reason.code](say, name, reason.says):
        yield Sentence(who + text, reason.events)


def part_words(language: str, name: Name, part: FigurePart) -> str:
    """Returns the label of a summand: an opponent, a place, a bye or a forfeit."""
    if part.other is not None:
        return name(part.other)
    if part.what.startswith("place ") and part.what[6:].isdigit():
        return phrases.phrase(language, "common.place", place=part.what[6:])
    said = {"bye": "bye", "forfeited": "forfeited"}.get(part.what)
    return "" if said is None else phrases.phrase(language, f"tournament.{said}")


def _score_group(say: Say, _name: Name, says: Says) -> Iterator[str]:
    away = says["groups_down"]
    yield say("tournament.reason_score_group", points=says["points"], group=says["group"], away=abs(away))


def _pot(say: Say, _name: Name, says: Says) -> Iterator[str]:
    yield say("tournament.reason_pot", **says)


def _plain(code: str) -> Callable[[Say, Name, Says], Iterator[str]]:
    def texts(say: Say, _name: Name, _says: Says) -> Iterator[str]:
        yield say(f"tournament.reason_{code}")

    return texts


def _moved(say: Say, name: Name, says: Says) -> Iterator[str]:
    yield say("tournament.reason_moved", start=says["from"], to=says["to"])
    if says["avoids"]:
        yield say("tournament.reason_avoids", start=says["from"], who=", ".join(map(name, says["avoids"])))
    if says["forbidden"]:
        yield say("tournament.reason_apart", who=", ".join(map(name, says["forbidden"])))


def _met_before(say: Say, name: Name, says: Says) -> Iterator[str]:
    yield say("tournament.reason_met_before", who=name(says["other"]), times=says["times"])


def _seat(say: Say, _name: Name, says: Says) -> Iterator[str]:
    before = " ".join(map(str, says["sat_before"]))
    yield say("tournament.reason_seat", seat=says["seat"] + 1, before=before)


def _bye(say: Say, _name: Name, says: Says) -> Iterator[str]:
    yield say("tournament.reason_bye", n=says["byes_before"])


_TEXTS: Final[Mapping[str, Callable[[Say, Name, Says], Iterator[str]]]] = {
    "score_group": _score_group,
    "pot": _pot,
    "moved": _moved,
    "met_before": _met_before,
    "seat": _seat,
    "bye": _bye,
    **{code: _plain(code) for code in ("lot", "design", "pods", "smaller_table", "went_on", "filled_in")},
}
