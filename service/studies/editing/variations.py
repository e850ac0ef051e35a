"""Edits of variations: moves that the rules accept, from any place, with chance as it is chosen."""

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
from service.studies.chapter_game import Ground, random_dealer
from service.studies.editing.context import Edit, EditContext, Made
from service.studies.errors import EditConflict, LimitReached

MOST_NODES: Final = 3_000
SEED_BYTES: Final = 16


def play(context: EditContext, edit: Edit) -> Made:
    """Add a variation, or go on with one: moves that the rules accept, with chance as it is chosen."""
    ground, place = context.ground(edit), edit["at"]
    ground.need_over()
    at = ground.at(place, edit.get("hash"))
    board, chance = ground.board(place), VariationDraws(ground, edit)
    nodes = []
    for number, text in enumerate(edit["moves"], start=1):
        if len(context.chapter(edit).nodes) >= MOST_NODES:
            raise LimitReached("moves of variations in a chapter", MOST_NODES)
        before = ground.rules.copy(board)
        try:
            played = enact(ground.rules, board, text, chance.dealer())
        except (IllegalMove, ImpossibleDraw, UnreadableMove) as cause:
            raise ImpossibleLine(number, text, cause, alternatives(ground.rules, before)) from cause
        node = _known(context.chapter(edit), place, played.move, played.deed.drew)
        source = chance.told(drew=bool(played.deed.drew))
        if node is None:
            made = {"chapter": edit["chapter"], "at": at, "seat": played.seat, "move": played.move}
            node = context.unit.write("node_added", {**made, **source, **played.deed.data()})
        nodes.append(f"v{node}")
        place, at = nodes[-1], {"node": node}
    chance.finish()
    return {"nodes": nodes}


def _known(chapter: Chapter, place: Place, move: str, drew: tuple[str, ...]) -> int | None:
    """The node that has this move and these draws already."""
    for node in chapter.branches.get(place, ()):
        if (chapter.nodes[node].move, chapter.nodes[node].drew) == (move, drew):
            return node
    return None


class VariationDraws:
    """Where the draws of a variation come from; each move that draws at random has a seed of its own."""

    def __init__(self, ground: Ground, edit: Edit) -> None:
        self.kind: str = edit.get("chance", "random")
        self._seed: str = edit.get("seed") or secrets.token_hex(SEED_BYTES)
        self._left = iter(edit.get("draws", ()))
        self._dealer = ground.same(edit["at"]) if self.kind == "same" else DeclaredDealer(self._left)

    def dealer(self) -> Dealer:
        """Who deals for the next move."""
        return random_dealer(self._seed) if self.kind == "random" else self._dealer

    def told(self, *, drew: bool) -> dict[str, Json]:
        """As a node records it; a move that drew nothing owes nothing to chance."""
        if not drew:
            return {"chance": "none"}
        if self.kind != "random":
            return {"chance": self.kind}
        seed, self._seed = self._seed, next_seed(self._seed)
        return {"chance": self.kind, "seed": seed}

    def finish(self) -> None:
        """Refuse with NeedlessDraw what was declared and never drawn."""
        left = tuple(self._left)
        if left:
            raise NeedlessDraw(left)


def next_seed(seed: str) -> str:
    """The seed of the next move of a line that began with a seed."""
    return hashlib.sha256(b"next" + bytes.fromhex(seed)).hexdigest()[: 2 * SEED_BYTES]


def _node(context: EditContext, edit: Edit) -> int:
    node = node_of(edit["node"])
    if not node or node not in context.chapter(edit).nodes:
        raise NotThere("node", edit["node"])
    return node


def rank(context: EditContext, edit: Edit) -> Made:
    """Promote or demote a variation among those that begin at the same place."""
    node, chapter = _node(context, edit), context.chapter(edit)
    if context.missed(chapter.nodes[node].version):
        siblings = chapter.branches[chapter.nodes[node].parent]
        raise EditConflict("node", chapter.nodes[node].version, {"rank": siblings.index(node)})
    context.unit.write("node_ranked", {"chapter": chapter.id, "node": node, "rank": edit["rank"]})
    return {}


def delete_node(context: EditContext, edit: Edit) -> Made:
    """Delete a move and all that follows it, unless somebody has added to it meanwhile."""
    node, chapter = _node(context, edit), context.chapter(edit)
    gone = [f"v{id}" for id in chapter.below(node)]
    newest, where = max((chapter.touched(place), place) for place in gone)
    if context.missed(newest):
        raise EditConflict("node", newest, {"at": where})
    context.unit.write("node_deleted", {"chapter": chapter.id, "node": node})
    context.unit.erase(*(text for place in gone for text in hashes_of(chapter.note(place))))
    return {}
