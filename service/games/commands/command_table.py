"""All commands of games with the functions that routes, pages, jobs and the keeper call."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from service.container import Container
from service.core.command_handler import Request
from service.games.command_handler import GameOutcome
from service.games.commands.moves import (
    AbortGame,
    AnswerOffer,
    PlayBotMove,
    PlayMove,
    ProposePause,
    ProposeTakeBack,
    Resign,
    ResumeClock,
    UndoMove,
    WithdrawOffer,
    abort_game,
    answer_offer,
    play_bot_move,
    play_move,
    propose_pause,
    propose_take_back,
    resign,
    resume_clock,
    undo_move,
    withdraw_offer,
)
from service.games.commands.records import ContinueImport, ImportGame, continue_record, enter_record
from service.games.commands.seats import (
    CreateGame,
    DeclineSeat,
    JoinGame,
    LeaveGame,
    ProposeRematch,
    RevealEntropy,
    create_game,
    decline_seat,
    join_game,
    leave_game,
    propose_rematch,
    reveal_entropy,
)
from service.games.commands.settle import SettleTime, settle_time
from service.games.commands.tournament_games import (
    CarryRuling,
    OpenDeclaredGame,
    ShowSharedSeed,
    StartWithoutAbsent,
    carry_ruling,
    open_declared_game,
    show_shared_seed,
    start_without_absent,
)
from service.games.commands.upkeep import (
    AnnounceExpiry,
    ChangeRules,
    EndGame,
    announce_expiry,
    change_game_rules,
    end_game,
)

COMMANDS: Final[Mapping[type, Callable[[Container, Any, Request], GameOutcome]]] = {
    CreateGame: create_game,
    JoinGame: join_game,
    RevealEntropy: reveal_entropy,
    LeaveGame: leave_game,
    DeclineSeat: decline_seat,
    ProposeRematch: propose_rematch,
    PlayMove: play_move,
    PlayBotMove: play_bot_move,
    UndoMove: undo_move,
    ProposeTakeBack: propose_take_back,
    AnswerOffer: answer_offer,
    WithdrawOffer: withdraw_offer,
    ProposePause: propose_pause,
    ResumeClock: resume_clock,
    Resign: resign,
    AbortGame: abort_game,
    ImportGame: enter_record,
    ContinueImport: continue_record,
    ChangeRules: change_game_rules,
    EndGame: end_game,
    AnnounceExpiry: announce_expiry,
    SettleTime: settle_time,
    OpenDeclaredGame: open_declared_game,
    StartWithoutAbsent: start_without_absent,
    CarryRuling: carry_ruling,
    ShowSharedSeed: show_shared_seed,
}
