"""All commands of tournaments with the functions that routes, pages and the keeper call."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from service.container import Container
from service.core.command_handler import Request
from service.tournaments.commands.entries import (
    AdmitEntrant,
    CheckIn,
    EnterBots,
    EnterPlayer,
    InvitePlayer,
    SitOut,
    WithdrawEntrant,
    admit_entrant,
    check_in,
    enter_bots,
    enter_player,
    invite_player,
    sit_out,
    withdraw_entrant,
)
from service.tournaments.commands.regulations import (
    AmendDraft,
    CallOffTournament,
    DeclareTournament,
    NameDirector,
    PublishTournament,
    RelieveDirector,
    amend_draft,
    call_off_tournament,
    declare_tournament,
    name_director,
    publish_tournament,
    relieve_director,
)
from service.tournaments.commands.rounds import (
    BeginStage,
    ChooseSeats,
    CloseRound,
    CloseStage,
    FinishTournament,
    PairRound,
    PublishRound,
    StartRound,
    begin_stage,
    choose_seats,
    close_round,
    close_stage,
    finish_tournament,
    pair_round,
    publish_round,
    start_round,
)
from service.tournaments.commands.rulings import (
    AddTime,
    DisqualifyEntrant,
    RuleResult,
    SubstituteEntrant,
    VoidTable,
    add_time,
    disqualify_entrant,
    rule_result,
    substitute_entrant,
    void_table,
)
from service.tournaments.commands.upkeep import (
    GiveSeats,
    NoteNoShow,
    PairOrCloseStage,
    RecordClosedArrivals,
    RecordResult,
    RecordStart,
    give_seats,
    note_no_show,
    pair_or_close_stage,
    record_closed_arrivals,
    record_result,
    record_start,
)
from service.tournaments.tournament_repository import TournamentOutcome

COMMANDS: Final[Mapping[type, Callable[[Container, Any, Request], TournamentOutcome]]] = {
    DeclareTournament: declare_tournament,
    AmendDraft: amend_draft,
    PublishTournament: publish_tournament,
    CallOffTournament: call_off_tournament,
    NameDirector: name_director,
    RelieveDirector: relieve_director,
    InvitePlayer: invite_player,
    EnterPlayer: enter_player,
    EnterBots: enter_bots,
    CheckIn: check_in,
    SitOut: sit_out,
    WithdrawEntrant: withdraw_entrant,
    AdmitEntrant: admit_entrant,
    BeginStage: begin_stage,
    CloseStage: close_stage,
    FinishTournament: finish_tournament,
    PairRound: pair_round,
    PublishRound: publish_round,
    StartRound: start_round,
    CloseRound: close_round,
    ChooseSeats: choose_seats,
    AddTime: add_time,
    RuleResult: rule_result,
    VoidTable: void_table,
    SubstituteEntrant: substitute_entrant,
    DisqualifyEntrant: disqualify_entrant,
    PairOrCloseStage: pair_or_close_stage,
    GiveSeats: give_seats,
    RecordStart: record_start,
    NoteNoShow: note_no_show,
    RecordClosedArrivals: record_closed_arrivals,
    RecordResult: record_result,
}


def execute_command(here: Container, command: object, request: Request) -> TournamentOutcome:
    """Execute a command of the table; used by pages with many forms."""
    return COMMANDS[type(command)](here, command, request)
