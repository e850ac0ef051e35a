"""The game under a chapter: the events that a reader may see, and the boards at its places."""

import hashlib
from collections.abc import Callable, MutableMapping, Sequence
from typing import Final, NamedTuple, cast
from uuid import UUID

from cachetools import LRUCache

from events.event import Event
from events.json_types import Json, JsonObject
from projections.games.commitments import Commitments
from projections.rules.dealer import Dealer, SeededDealer
from projections.rules.protocol import AnyGame, Board
from projections.rules.registry import rules_of
from projections.studies.study import START, Chapter, Eyes, Place, VariationMove, node_of
from service.core.errors import NotThere
from service.games.game_repository import GameRepository
from service.games.shared_deals import SharedDeals
from service.games.visibility import Visibility, events_seen, visibility_of
from service.studies.errors import AnotherHistory, GameRuns, StudyRefused

STARTED: Final = "game_started"
CACHED_BOARDS: Final = 256  # by chapter and place, so that a long line is replayed once
NO_SAME: Final = "the draws of this game cannot be repeated: its seed was not revealed"


class GameReader(NamedTuple):
    """What a chapter reads of its game."""

    events: Callable[[Visibility], Sequence[Event]]
    board: Callable[[Visibility, int], Board]


class ChapterGame:
    """The game under one chapter for one reader; for an analysis, its position, which is public."""

    def __init__(
        self,
        chapter: Chapter,
        visible: Visibility | None,
        read: GameReader,
        boards: MutableMapping[tuple[int, Place], Board],
        reader: str | None,
    ) -> None:
        self.chapter = chapter
        self.visible = visible
        self._read = read
        self._boards = boards
        self._reader = reader

    @property
    def rules(self) -> AnyGame:
        """Returns the rules of the game, or the rules that the analysis began with."""
        return rules_of(self.chapter.game, self.chapter.rules) if self.visible is None else self.visible.game

    @property
    def is_over(self) -> bool:
        """Returns whether nothing is hidden any more."""
        return self.visible is None or self.visible.is_over

    def need_over(self) -> None:
        """Raises GameRuns while the game runs."""
        if not self.is_over:
            assert self.visible is not None
            raise GameRuns(str(self.visible.table.id))

    @property
    def seats(self) -> int:
        """Returns the number of seats."""
        if self.visible is not None:
            return len(self.visible.record.seats)
        return len(cast(Sequence[Json], self.rules.document(self.board(START))["players"]))

    def need_seat(self, eyes: Eyes) -> None:
        """Raises NotThere for a viewpoint of a seat that the game does not have."""
        if isinstance(eyes, int) and eyes >= self.seats:
            raise NotThere("seat", eyes)

    @property
    def events(self) -> Sequence[Event]:
        """Returns the events of the game that the reader may see."""
        return () if self.visible is None else self._read.events(self.visible)

    def shows(self, author: str, place: Place) -> bool:
        """Returns whether the reader may see an author's notes at a place.

        In a running game the notes of players are private, and players see no others.
        """
        if self.is_over or author == self._reader:
            return True
        assert self.visible is not None
        seated = self.visible.record.chair_of(author) is not None or self.visible.seat is not None
        return not seated and self.reaches(int(place))

    def reaches(self, seq: int) -> bool:
        """Returns whether the reader may know of an event of the game."""
        return self.visible is None or self.is_over or seq <= self.visible.version

    def anchor(self, seq: int, claimed: str | None) -> JsonObject:
        """Returns the sequence number and hash of an event; raises NotThere or AnotherHistory."""
        if self.visible is None:
            raise NotThere("event of a game in an analysis:", seq)
        first = next((event.seq for event in self.events if event.kind == STARTED), None)
        if first is None or not first <= seq <= len(self.events):
            raise NotThere("board after event", seq)
        found = self.events[seq - 1].hash.hex()
        if claimed is not None and not found.startswith(claimed):
            raise AnotherHistory(str(self.visible.table.id), seq)
        return {"seq": seq, "hash": found}

    def at(self, place: Place, claimed: str | None = None) -> JsonObject:
        """Returns a place as events store it; raises NotThere."""
        node = node_of(place)
        if node is None:
            return self.anchor(int(place), claimed)
        if node not in self.chapter.nodes and (node or self.visible is not None):
            raise NotThere("node", place)
        return {"node": node}

    def board(self, place: Place) -> Board:
        """Returns a copy of the board at a place, which the caller may change."""
        missing: list[VariationMove] = []
        at = place
        while (board := self._boards.get((self.chapter.id, at))) is None and node_of(at):
            missing.append(self.chapter.nodes[int(at[1:])])
            at = missing[-1].parent
        if board is None:
            board = self._root(at)
            self._boards[self.chapter.id, at] = board
        for node in reversed(missing):
            board = self.rules.copy(board)
            for fact in cast(Sequence[Json], node.deed["facts"]):
                self.rules.apply(board, self.rules.decode(fact))
            self._boards[self.chapter.id, f"v{node.id}"] = board
        return self.rules.copy(board)

    def _root(self, place: Place) -> Board:
        """Returns the board at an event of the game or at the start of an analysis."""
        if place == START:
            assert self.chapter.position is not None
            return self.rules.restore(self.chapter.position)
        assert self.visible is not None
        return self._read.board(self.visible, int(place))

    def same(self, place: Place) -> Dealer:
        """Returns a dealer that repeats the game's own draws from a place on; raises GameRuns or StudyRefused."""
        self.need_over()
        node = node_of(place)
        line = self.chapter.line(node) if node else []
        root = line[0].parent if line else place
        seed = None if self.visible is None else self.visible.record.seed
        if seed is None or node_of(root) is not None:
            raise StudyRefused("no_same_draws", NO_SAME)
        commitments = self._commitments(int(root))
        commitments.draws += sum(len(step.drew) for step in line)
        return commitments.dealer(bytes.fromhex(seed))

    def _commitments(self, seq: int) -> Commitments:
        """Returns the chance commitments after an event, with the link revealed by the next move."""
        assert self.visible is not None
        commitments = Commitments(self.visible.table.id)
        for event in self.events[:seq]:
            commitments.hear(event.kind, event.data)
        if not commitments.dealt:
            raise StudyRefused("no_same_draws", NO_SAME)
        follows = next((event for event in self.events[seq:] if event.kind == "moved"), None)
        if follows is not None and follows.data.get("link") is not None:
            commitments.hear("moved", {**follows.data, "drew": []})
        return commitments


def random_dealer(seed: str) -> Dealer:
    """Returns a dealer that repeats the draws of the recorded seed."""
    return SeededDealer(hashlib.sha256(bytes.fromhex(seed)).digest())


class ChapterGames:
    """The games under the chapters of a study for one reader; loads each on first use."""

    def __init__(self, games: GameRepository, deals: SharedDeals, reader: str | None) -> None:
        self._games = games
        self._deals = deals
        self._reader = reader
        self._boards: LRUCache[tuple[int, Place], Board] = LRUCache(CACHED_BOARDS)
        self._visible_games: dict[UUID, Visibility] = {}
        self._events: dict[UUID, Sequence[Event]] = {}

    def of(self, chapter: Chapter) -> ChapterGame:
        """Returns the game under a chapter; raises NotThere or TableClosed when the reader may not see it."""
        try:
            visible = None if chapter.of is None else self.visible_game(chapter.of.stream)
        except NotThere as hidden:  # the error must not reveal the id of a hidden game
            raise NotThere("chapter", chapter.id) from hidden
        return ChapterGame(chapter, visible, GameReader(self._read, self._board), self._boards, self._reader)

    def visible_game(self, game: UUID) -> Visibility:
        """Returns the reader's view of a game."""
        if game not in self._visible_games:
            self._visible_games[game] = visibility_of(self._games, self._deals, self._games.load(game), self._reader)
        return self._visible_games[game]

    def _board(self, visible: Visibility, version: int) -> Board:
        return self._games.board_at(visible.table.id, visible.record, version)

    def _read(self, visible: Visibility) -> Sequence[Event]:
        """Returns the events of a game that the reader may see; reads them once."""
        if visible.table.id not in self._events:
            self._events[visible.table.id] = events_seen(self._games, visible, 0)
        return self._events[visible.table.id]
