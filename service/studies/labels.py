"""Labels the moves of chapters in the reader's language."""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

from projections.games.replay import steps
from projections.studies.study import Place
from service.container import Container
from service.games.game_state import setting
from service.studies.boards import seen_at
from service.studies.chapter_game import ChapterGame
from service.studies.copies.export import as_numbered
from service.studies.copies.report import Sheet, StudyReport
from service.studies.documents import label, place
from service.studies.queries import StudyReader, seats


def report(here: Container, read: StudyReader, language: str) -> StudyReport:
    """Returns a study as a report in a language."""
    views = [view for view in read.views if view.chapter_game is not None]
    study_script = as_numbered(read)
    sheets = [
        Sheet(
            chapter=view.chapter.id,
            part=part,
            seats=seats(here, view, language),
            labels=dict(labels(view.chapter_game, language)) if view.chapter_game else {},
            board_at=partial(seen_at, view),
        )
        for view, part in zip(views, study_script.parts, strict=True)
    ]
    return StudyReport(study_script.title, language, sheets)


def labels(chapter_game: ChapterGame, language: str) -> Iterator[tuple[Place, str]]:
    """Yields the place and label of every move of a chapter."""
    rules = chapter_game.rules
    if chapter_game.visible is not None:
        for before, step in pairwise(steps(setting(chapter_game.visible.record), chapter_game.events, undone=True)):
            if step.event.kind == "moved":
                move = rules.parse(str(step.event.data["move"]))
                yield str(step.event.seq), rules.report(before.position, move, language)
    for node in chapter_game.chapter.nodes.values():
        yield place(node), label(chapter_game, node, language)
