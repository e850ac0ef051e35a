"""Edits of variations: legal moves from any place, with a chosen source of draws."""

import hashlib
import secrets
from typing import Final

from events.json_types import Json
from projections.games.errors import ImpossibleLine, NeedlessDraw
from projections.games.execute_move import enact
from projections.rules.dealer import Dealer, DeclaredDealer
from projections.rules.errors import IllegalMove, ImpossibleDraw, UnreadableMove
from projections.rules.legal_moves import alternatives
from projections.studies.study import Chapter, Place, hashes_of, node_of
from service.core.errors import NotThere
from service.studies.chapter_game import ChapterGame, random_dealer
from service.studies.editing.context import Edit, EditContext, Made
from service.studies.errors import EditConflict, LimitReached

MOST_NODES: Final = 3_000
SEED_BYTES: Final = 16


def play(context: EditContext, edit: Edit) -> Made:
    """Adds or extends a variation; raises ImpossibleLine for a move or draw that the rules refuse."""
    chapter_game, place = context.chapter_game(edit), edit["at"]
    chapter_game.need_over()
    at = chapter_game.at(place, edit.get("hash"))
    board, chance = chapter_game.board(place), VariationDraws(chapter_game, edit)
    nodes = []
    for number, text in enumerate(edit["moves"], start=1):
        if len(context.chapter(edit).nodes) >= MOST_NODES:
            raise LimitReached("moves of variations in a chapter", MOST_NODES)
        before = chapter_game.rules.copy(board)
        try:
            played = enact(chapter_game.rules, board, text, chance.dealer())
        except (IllegalMove, ImpossibleDraw, UnreadableMove) as cause:
            raise ImpossibleLine(number, text, cause, alternatives(chapter_game.rules, before)) from cause
        node = _known(context.chapter(edit), place, played.move, played.deed.drew)
        source = chance.source_document(drew=bool(played.deed.drew))
        if node is None:
            made = {"chapter": edit["chapter"], "at": at, "seat": played.seat, "move": played.move}
            node = context.unit.write("node_added", {**made, **source, **played.deed.data()})
        nodes.append(f"v{node}")
        place, at = nodes[-1], {"node": node}
    chance.finish()
    return {"nodes": nodes}


def _known(chapter: Chapter, place: Place, move: str, drew: tuple[str, ...]) -> int | None:
    """Returns the existing node of this move with these draws; None when there is none."""
    for node in chapter.branches.get(place, ()):
        if (chapter.nodes[node].move, chapter.nodes[node].drew) == (move, drew):
            return node
    return None


class VariationDraws:
    """The source of a variation's draws; each random move has its own seed."""

    def __init__(self, chapter_game: ChapterGame, edit: Edit) -> None:
        self.kind: str = edit.get("chance", "random")
        self._seed: str = edit.get("seed") or secrets.token_hex(SEED_BYTES)
        self._left = iter(edit.get("draws", ()))
        self._dealer = chapter_game.same(edit["at"]) if self.kind == "same" else DeclaredDealer(self._left)

    def dealer(self) -> Dealer:
        """Returns the dealer of the next move."""
        return random_dealer(self._seed) if self.kind == "random" else self._dealer

    def source_document(self, *, drew: bool) -> dict[str, Json]:
        """Returns the source of draws as a node stores it; `none` for a move without draws."""
        if not drew:
            return {"chance": "none"}
        if self.kind != "random":
            return {"chance": self.kind}
        seed, self._seed = self._seed, next_seed(self._seed)
        return {"chance": self.kind, "seed": seed}

    def finish(self) -> None:
        """Raises NeedlessDraw for declared draws that no move took."""
        left = tuple(self._left)
        if left:
            raise NeedlessDraw(left)


def next_seed(seed: str) -> str:
    """Returns the seed of the next move in a line."""
    return hashlib.sha256(b"next" + bytes.fromhex(seed)).hexdigest()[: 2 * SEED_BYTES]


def _node(context: EditContext, edit: Edit) -> int:
    node = node_of(edit["node"])
    if not node or node not in context.chapter(edit).nodes:
        raise NotThere("node", edit["node"])
    return node


def rank(context: EditContext, edit: Edit) -> Made:
    """Changes the rank of a variation among its siblings."""
    node, chapter = _node(context, edit), context.chapter(edit)
    if context.missed(chapter.nodes[node].version):
        siblings = chapter.branches[chapter.nodes[node].parent]
        raise EditConflict("node", chapter.nodes[node].version, {"rank": siblings.index(node)})
    context.unit.write("node_ranked", {"chapter": chapter.id, "node": node, "rank": edit["rank"]})
    return {}


def delete_node(context: EditContext, edit: Edit) -> Made:
    """Deletes a move and all moves after it; raises EditConflict when any has changed since."""
    node, chapter = _node(context, edit), context.chapter(edit)
    gone = [f"v{id}" for id in chapter.below(node)]
    newest, where = max((chapter.touched(place), place) for place in gone)
    if context.missed(newest):
        raise EditConflict("node", newest, {"at": where})
    context.unit.write("node_deleted", {"chapter": chapter.id, "node": node})
    context.unit.erase(*(text for place in gone for text in hashes_of(chapter.note(place))))
    return {}
