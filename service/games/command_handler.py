"""Command handler of games: settles time first, stores boards and list rows, wakes players and bots."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final
from uuid import UUID

import psycopg

from events.store.postgres import ALONE
from events.store.protocol import Appended, IdempotencyKey
from events.store.statements import AppendFunctions, Statement
from events.store.stream_lock import StreamLock
from projections.games.away_budget import Span
from projections.games.record import BOT, OPEN, PLAYER, RUNNING, Chair, GameRecord
from projections.read_models import lobby
from service.core.announce import LISTS, Announcement, Announcer
from service.core.bot_turns import BotTurn
from service.core.command_handler import BY_SERVICE, Answer, CommandHandler, CommandOutcome
from service.core.errors import RematchProposed
from service.core.outages import Outage, Outages
from service.core.quotas import BOT_SEATS, GAMES, OPEN_TABLES, Quotas
from service.games.decisions import clocks, pauses
from service.games.game_repository import BOARD_EVERY, GameRepository, stored_board
from service.games.game_state import GameState, GameUnitOfWork
from service.games.kept_boards import boards_to_keep
from service.players.names import is_id
from service.players.vacation.days_away import DaysAway, due_again
from service.programmed_answers.clearing import clearing

HAS_REMATCH: Final = "CAB07"  # the SQLSTATE of note_rematch

GameOutcome = CommandOutcome[GameState]


class GameCommandHandler(CommandHandler[GameState, GameUnitOfWork]):
    """Executes commands on games."""

    def __init__(
        self,
        games: GameRepository,
        announcer: Announcer,
        now: Callable[[], int],
        lock: StreamLock,
        quotas: Quotas,
        outages: Outages,
        days_away: DaysAway,
    ) -> None:
        super().__init__(games, announcer, now, lock)
        self._games = games
        self._quotas = quotas
        self._outages = outages
        self._days_away = days_away

    def settle_time(self, game: UUID) -> GameState:
        """Append the due flags and deadlines of a game. Returns the game."""
        return self._lock.settle(game, lambda: self._load_settled(game, self._now(), lambda _state: None), lambda: None)

    def bot_turn(self, state: GameState) -> BotTurn | None:
        """Returns the turn of a house bot for its queue; None when no house bot is to act."""
        record = state.known
        if record.engine is None:
            return None
        maker = record.tournament or self._games.makers.maker_of(record.host or str(state.id))
        return BotTurn(state.id, state.head.seq, maker, record.is_left_to_bots)

    def programmed_turn(self, state: GameState) -> BotTurn | None:
        """Returns the turn of a player for the queue of bots, where an answer may play it; None when none is to act."""
        record = state.known
        if record.turn is None or record.engine is not None:
            return None
        return BotTurn(state.id, state.head.seq, record.host or str(state.id), alone=False)

    def _unit(self, state: GameState, actor: str, at: int) -> GameUnitOfWork:
        return GameUnitOfWork(state, at, actor, self._games.sources(state))

    def _load_settled(self, stream: UUID, at: int, authorise: Callable[[GameState], object]) -> GameState:
        state = self._games.load(stream)
        if not self._is_due(state, at):
            return state
        authorise(state)  # else a stranger's requests would write
        outcome = self._run(state, BY_SERVICE, self._settle, lambda _state: None, at)
        assert outcome.state is not None  # no idempotency key, no stored answer
        return outcome.state

    def _settle(self, unit: GameUnitOfWork) -> Answer:
        clocks.settle(unit, self._outages_of(unit.record, unit.at), self._away(unit.record, unit.at))
        return {}

    def _is_due(self, state: GameState, at: int) -> bool:
        """Returns whether time is due; deadlines stand still while entropies wait for a checkpoint of the log."""
        record = state.known
        if not self._is_time_due(record, max(at, record.changed)):
            return False
        sealed = record.sealed if record.status == OPEN else None
        return sealed is None or self._games.is_sealed(state.id, sealed)

    def _is_time_due(self, record: GameRecord, at: int) -> bool:
        return clocks.is_due(record, self._outages_of(record, at), self._away(record, at), at)

    def _away(self, record: GameRecord, at: int) -> Mapping[str, Span]:
        """Returns the players of a slow game that are away; nothing is read for other games."""
        if not pauses.stops_while_away(record):
            return clocks.NOBODY
        return self._days_away.now([UUID(player) for player in _people(record)], at)

    def _outages_of(self, record: GameRecord, at: int) -> Sequence[Outage]:
        """Returns the outages that the events of a game do not state yet."""
        charged = clocks.charged_until(record)
        return () if charged is None else self._outages.after(charged, at)

    def _statements(self, unit: GameUnitOfWork) -> list[Statement]:
        kinds = {event.kind for event in unit.events}
        moved = lobby.MOVED.issuperset(kinds)
        beside = [] if moved else lobby.rows(unit.id, unit.now.head, unit.record, kinds)
        crossed = unit.before.head.seq // BOARD_EVERY < unit.now.head.seq // BOARD_EVERY
        if crossed or self._games.lacks_board(unit.id):
            beside.append(stored_board(unit.now))
        beside += boards_to_keep(unit)
        beside += unit.beside
        beside += clearing(unit)
        if unit.new_seed is not None:
            beside.append(self._games.seeds.insertion(unit.id, unit.new_seed))
        if pauses.SEATED_ANEW.intersection(kinds) and pauses.stops_while_away(unit.record):
            beside.append(due_again([UUID(player) for player in _people(unit.record)], unit.at))
        host = unit.record.host
        if "game_created" in kinds and host is not None and is_id(host):  # a tournament's games are made by the service
            beside.append(self._quotas.check(host, GAMES, OPEN_TABLES, BOT_SEATS))
        return beside

    def _append_functions(self, unit: GameUnitOfWork) -> AppendFunctions:
        return (
            lobby.append_and_turn(unit.record)
            if lobby.MOVED.issuperset({event.kind for event in unit.events})
            else ALONE
        )

    def _append(self, unit: GameUnitOfWork, key: IdempotencyKey | None, answer: bytes) -> Appended:
        try:
            with self._quotas.refusals():
                appended = super()._append(unit, key, answer)
        except psycopg.DatabaseError as problem:
            if problem.sqlstate != HAS_REMATCH:
                raise
            raise RematchProposed(str(unit.record.rematch_of)) from problem
        self._games.note_board_stored(unit.id)
        return appended

    def _announcement(self, unit: GameUnitOfWork) -> Announcement:
        """Returns the followers to wake, and the players when the turn changes; a bot's own job makes its next move."""
        record, before = unit.record, unit.before.record
        players = {chair.player for chair in record.chairs if chair.player is not None and chair.bot is None}
        if before is not None and before.status == record.status and record.turn is not None:
            players &= {record.chair_at(record.turn.seat).player}
        if before is None:
            players |= {player for chair in record.chairs for player in _awaited(chair)}
        turn = None if unit.actor.startswith(BOT) else self.bot_turn(unit.now)
        is_listed_anew = any(event.kind not in lobby.MOVED for event in unit.events)
        first = record.rematch_of if before is None or before.status != record.status else None  # its players are told
        lists = (LISTS,) if is_listed_anew else ()
        topics = (str(unit.id), *sorted(players), *lists, *(() if first is None else (first,)))
        has_ended = before is not None and before.status == RUNNING and record.status != RUNNING
        return Announcement(topics, turn, self.programmed_turn(unit.now), ended=unit.id if has_ended else None)


def _people(record: GameRecord) -> list[str]:
    """Returns the players of seats that have accounts."""
    return [chair.player for chair in record.seats if chair.player is not None and is_id(chair.player)]


def _awaited(chair: Chair) -> list[str]:
    """Returns the invited player of a chair, if any."""
    kept_for = chair.kept_for or ""
    return [kept_for.removeprefix(PLAYER)] if kept_for.startswith(PLAYER) else []
