"""A tournament as its pages show it to a visitor, and the variables that all its pages share."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final
from uuid import UUID

from flask import render_template, request

from events.json_types import Json
from projections.tournaments import inputs
from projections.tournaments.documents import rounded_text
from service.core.errors import NotThere
from service.i18n import phrases
from service.pages.games.game_lists import TITLES
from service.pages.site.visitor import reader
from service.pages.tournaments.reasons import Naming, criterion, part_words, scheme, sentences
from service.players.identity import Identity, player_id
from service.tournaments import documents
from service.tournaments.documents import Document, TournamentNames
from service.tournaments.queries import directed_tournament, tournament_names, visible_tournament
from service.tournaments.tournament_repository import TournamentState
from service.web.responses import request_language
from service.web.routing import container

MINUTE: Final = 60


class Board:
    """A tournament as its pages show it to a visitor."""

    def __init__(self, state: TournamentState) -> None:
        self.state = state
        self.names: TournamentNames = tournament_names(container(), state, request_language())
        self.record = state.known
        self.people: dict[str, Document] = self.names.entrants(self.record)
        self.name = Naming(request_language(), self.people)

    def stage(self) -> int:
        """Returns the stage of the query, or the newest; raises NotThere."""
        number = request.args.get("stage", str(len(self.record.stages)))
        if not number.isdecimal() or not 1 <= int(number) <= len(self.record.stages):
            raise NotThere("stage", number)
        return int(number)

    def rounds(self, stage: int) -> list[int]:
        """Returns the tournament's numbers of a stage's rounds."""
        return [one.number for one in self.record.rounds_of(stage)]

    def ruled(self, ruling: Document) -> str:
        """Returns a ruling as a sentence of the log."""
        about: dict[str, Json] = dict(ruling["about"]) if isinstance(ruling["about"], Mapping) else {}
        for name in ("entrant", "by"):
            if name in about:
                about[name] = self.name(self.record.entry(int(str(about[name]))).player)
        if isinstance(seconds := about.get("seconds"), int):
            about["minutes"] = f"{seconds / MINUTE:g}"
        return phrases.phrase(request_language(), f"desk.did_{ruling['ruling']}", **about)

    def page(self, template: str, **more: Any) -> str:
        """Renders a template with the variables that all pages of the tournament share."""
        words = request_language()
        return render_template(
            template,
            about=documents.summary(self.state, self.names),
            record=self.record,
            people=self.people,
            bots=self.names.bots,
            name=self.name,
            rounded=rounded_text,
            criterion=partial(criterion, words),
            scheme=partial(scheme, words),
            sentences=partial(sentences, words, self.name),
            part_words=partial(part_words, words, self.name),
            stages=[inputs.stage_of(self.record, number + 1) for number in range(self._declared())],
            titles=TITLES,
            **more,
        )

    def _declared(self) -> int:
        return len(self.record.regulations["stages"])


def board_of(tournament: UUID) -> Board:
    """Returns a tournament that the visitor may see; raises NotThere."""
    return Board(visible_tournament(container(), tournament, player_id(reader())))


def directed(tournament: UUID, identity: Identity) -> Board:
    """Returns a tournament for its directors; raises NotAllowed for others."""
    return Board(directed_tournament(container(), tournament, identity.id))
