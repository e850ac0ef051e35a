"""Imports a script into a new study: compares every hash and replays every move by the rules."""

from typing import Any, Final
from uuid import UUID

from events.json_types import Json, JsonObject
from events.messages import Message
from projections.games.errors import ImpossibleLine
from projections.games.execute_move import enact
from projections.rules.dealer import Dealer, DeclaredDealer
from projections.rules.errors import IllegalMove, ImpossibleDraw, UnreadableMove
from projections.rules.legal_moves import alternatives
from projections.rules.registry import GAMES
from projections.studies.glyphs import GLYPHS
from projections.studies.script import Annotations, Branch, ScriptChapter, Task, canonical
from projections.studies.study import Place
from service.core.errors import InvalidRequest, NotThere
from service.studies import board_parts
from service.studies.chapter_game import ChapterGame, random_dealer
from service.studies.copies.clone import MOST_EVENTS
from service.studies.editing import headings
from service.studies.editing.context import EditContext
from service.studies.editing.notes import MOST_COMMENTS
from service.studies.editing.variations import MOST_NODES
from service.studies.errors import LimitReached, StudyRefused

LONGEST_TEXT: Final = 10_000
LONGEST_NAME: Final = 80
UNFIT: Final = frozenset(map(chr, (*range(9), *range(11, 32), 127)))


class ScriptImporter:
    """Imports the chapters of a script."""

    def __init__(self, context: EditContext, own_name: str | None) -> None:
        self._context = context
        self._own = own_name
        self._number = 0
        self._places: dict[Place, Place] = {}

    def part(self, part: ScriptChapter) -> int:
        """Imports a chapter; returns its number."""
        known, part = len(part.branches), canonical(part)
        if len(part.branches) < known:
            raise StudyRefused("no_parent", "a move of a variation has no parent in its chapter")
        edit: dict[str, Any] = {"title": checked(part.title), "eyes": part.eyes, "lesson": part.lesson}
        if part.of is not None:
            edit["of"] = _id(part.of)
        elif part.game in GAMES:
            edit |= {"game": part.game, "position": part.position}
        else:
            raise NotThere("game", part.game)
        self._number = headings.new_chapter(self._context, edit)
        self._places = {}
        for step in part.steps:
            self._chapter_game().anchor(step.seq, step.hash or None)
            self._import_annotations(str(step.seq), step.said)
        self._import_annotations("v0", part.opening)
        for branch in part.branches:
            self._branch(branch)
        self._rank(part)
        return self._number

    def _chapter_game(self) -> ChapterGame:
        return self._context.chapter_game({"chapter": self._number})

    def _branch(self, branch: Branch) -> None:
        chapter_game = self._chapter_game()
        chapter_game.need_over()
        if len(chapter_game.chapter.nodes) >= MOST_NODES:
            raise LimitReached("moves of variations in a chapter", MOST_NODES)
        parent = self._places.get(branch.parent, branch.parent)
        at, board = chapter_game.at(parent), chapter_game.board(parent)
        before = chapter_game.rules.copy(board)
        try:
            played = enact(chapter_game.rules, board, branch.move, _dealer(chapter_game, parent, branch))
        except (IllegalMove, ImpossibleDraw, UnreadableMove) as cause:
            raise ImpossibleLine(branch.number, branch.move, cause, alternatives(chapter_game.rules, before)) from cause
        if (played.seat, played.deed.drew) != (branch.seat, branch.drew):
            raise StudyRefused(
                "draws_differ", "move {number} of the variations differs from the game", number=branch.number
            )
        data: dict[str, Json] = {"seat": played.seat, "move": played.move, "chance": branch.chance}
        if branch.seed is not None:
            data["seed"] = branch.seed
        where: JsonObject = {"chapter": self._number, "at": at}
        node = self._context.unit.write("node_added", {**where, **data, **played.deed.data()})
        self._places[f"v{branch.number}"] = f"v{node}"
        self._import_annotations(f"v{node}", branch.said)

    def _rank(self, part: ScriptChapter) -> None:
        """Moves siblings to the ranks that the script gives them."""
        for branch in sorted(part.branches, key=lambda one: one.rank):
            chapter = self._context.chapter({"chapter": self._number})
            node = int(self._places[f"v{branch.number}"][1:])
            siblings = chapter.branches[chapter.nodes[node].parent]
            if siblings.index(node) != branch.rank:
                ranked: JsonObject = {"chapter": self._number, "node": node, "rank": branch.rank}
                self._context.unit.write("node_ranked", ranked)

    def _import_annotations(self, place: Place, said: Annotations) -> None:
        if said == Annotations():
            return
        if len(said.remarks) > MOST_COMMENTS:
            raise LimitReached("comments at one place", MOST_COMMENTS)
        if len(self._context.unit.events) > MOST_EVENTS:
            raise LimitReached("edits that can be copied at once", MOST_EVENTS)
        chapter_game, unit = self._chapter_game(), self._context.unit
        where: dict[str, Json] = {"chapter": self._number, "at": chapter_game.at(place)}
        for remark in said.remarks:
            chapter_game.need_seat(remark.eyes)
            data: dict[str, Json] = {"comment": None, "text": unit.text(checked(remark.text)), "eyes": remark.eyes}
            unit.write("comment_written", {**where, **data, **self._credit(remark.author)})
        for marking in said.markings:
            if any(number not in GLYPHS for number in marking.glyphs):
                raise StudyRefused("unknown_glyph", "there is no such glyph among {glyphs}", glyphs=marking.glyphs)
            if marking.markers:
                board_parts.check(chapter_game.rules.document(chapter_game.board(place)), marking.markers)
            marks: dict[str, Json] = {"glyphs": list(marking.glyphs), "markers": list(marking.markers)}
            unit.write("place_marked", {**where, "by": unit.actor, **marks, **self._credit(marking.author)})
        if said.task is not None:
            chapter_game.need_over()
            unit.write("question_set", {**where, "question": self._question(chapter_game, place, said.task)})

    def _question(self, chapter_game: ChapterGame, place: Place, task: Task) -> JsonObject:
        board, unit = chapter_game.board(place), self._context.unit
        answers: list[Json] = []
        for move, reply in task.answers:
            made = chapter_game.rules.notation(chapter_game.rules.canonical(board, chapter_game.rules.parse(move)))
            answers.append({"move": made, "reply": None if reply is None else unit.text(checked(reply))})
        return {
            "text": unit.text(checked(task.text)),
            "answers": answers,
            "hints": [unit.text(checked(hint)) for hint in task.hints],
            "otherwise": None if task.otherwise is None else unit.text(checked(task.otherwise)),
        }

    def _credit(self, author: str | None) -> dict[str, Json]:
        """Returns the credit of a foreign author; empty for the importer's own notes."""
        if author in (None, self._own):
            return {}
        return {"credit": self._context.unit.text(checked(str(author), LONGEST_NAME))}


def _id(text: str) -> UUID:
    """Returns the id of a game; raises NotThere for a text that is not an id."""
    try:
        return UUID(text)
    except ValueError as none:
        raise NotThere("game", text[:80]) from none


def checked(text: str, longest: int = LONGEST_TEXT) -> str:
    """Returns the text; raises InvalidRequest when it is too long or has control characters."""
    if not 1 <= len(text) <= longest or UNFIT.intersection(text):
        raise InvalidRequest(
            {"json": {"script": [Message("a text has 1 to {longest} visible characters", longest=longest)]}}
        )
    return text


def _dealer(chapter_game: ChapterGame, parent: Place, branch: Branch) -> Dealer:
    """Returns the dealer of a branch; random and the game's own draws are drawn again, declared ones repeated."""
    if branch.chance == "same":
        return chapter_game.same(parent)
    if branch.chance == "random" and branch.seed is not None:
        return random_dealer(branch.seed)
    return DeclaredDealer(branch.drew)
