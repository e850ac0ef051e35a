"""What is refused, and by which check."""

from dataclasses import replace
from functools import partial
from uuid import UUID

from events.log.bundle import RulesData
from projections.games.chance import ChanceLevel
from tests.support.projections.bundles import bundle_of, chained, drafts, honest
from tests.support.projections.forged.chance import (
    bound_to_another_seed,
    changed_seat,
    chosen_seed,
    committed_unasked,
    linkless,
    other_entropy,
    revealed_early,
    revealed_twice,
    shared_above_level_0,
    uncommitted,
)
from tests.support.projections.forged.log import (
    LOST,
    of_two_logs,
    out_of_order,
    receipt_of_another_game,
    receipts_of_lost_events,
    root_of_no_event,
    stray_key,
)
from tests.support.projections.forged.pauses import PAUSES
from tests.support.projections.forged.play import (
    aborted_after_its_end,
    aborted_as,
    absent_at_once,
    absent_player,
    agreed_without,
    as_booleans,
    backwards,
    clocks_after_undo,
    early_flag,
    ended_early,
    ended_one_later,
    late_move,
    late_undo,
    moves_on_to,
    options_as_numbers,
    resigned_without_consequence,
    struck_out,
    talk_after_the_end,
    under_other_rules,
    undone_alone,
    undone_draw,
    undone_to,
)
from tests.support.projections.forged.tools import (
    SHORT,
    STRANGER,
    Claim,
    closing,
    evening,
    forged_result,
    inserted,
    move_of,
    put,
    replaced_player,
    resign,
    retold,
    seq_of,
    short,
    whole_game,
    withdrawn_by_another,
    without,
)
from tests.support.projections.forgeries import moved_proof, two_histories
from tests.support.projections.played_games import SEATED, played
from tests.support.projections.rewritten_history import (
    BANK,
    KEY,
    bodies,
    bundle,
    changed_at,
    first,
    has_drawn,
    is_end,
    signing,
)

REFUSED: tuple[Claim, ...] = (
    *PAUSES,
    Claim("is of another game", lambda: honest().encode(), "V1", "other_game", stream=UUID(int=4)),
    Claim("has two roots of one size, without a policy", two_histories, "V4", "two_roots", policy=None),
    Claim("lacks its witnesses", lambda: bundle_of(chained(drafts()), cosigned=False).encode(), "V3", "not_witnessed"),
    Claim("stands in the log out of order", out_of_order, "V4", "order", 9),
    Claim("is of two logs", of_two_logs, "V4", "origins", policy=None),
    Claim(
        "stands beyond the tree",
        lambda: moved_proof(lambda proof: replace(proof, index=proof.index + 2**40)),
        "V4",
        "bad_proof",
    ),
    Claim("names the tree of no event", root_of_no_event, "V4", "stray_proof"),
    Claim("brings keys without receipts", stray_key, "V11", "stray_key"),
    Claim("lost another event", partial(receipts_of_lost_events, b"\x55" * 32), "V11", "receipt", LOST.seq),
    Claim("brings a receipt of another game", receipt_of_another_game, "V11", "other_stream", 3),
    *(
        Claim(f"chooses the seed and calls it level {level:d}", partial(chosen_seed, level), "V5", "broken_promise", 1)
        for level in (ChanceLevel.OPEN, ChanceLevel.SEALED, ChanceLevel.CHAINED)
    ),
    *(
        Claim(f"commits to nothing at level {level:d}", partial(uncommitted, level), "V5", "broken_promise", 1)
        for level in (ChanceLevel.OPEN, ChanceLevel.SEALED, ChanceLevel.CHAINED)
    ),
    Claim("moves without the link it owes", linkless, "V5", "broken_promise", move_of(short(ChanceLevel.CHAINED))),
    Claim("declares a seed other than the bound one", bound_to_another_seed, "V5", "broken_promise", 1),
    Claim("shares a deal above level 0", shared_above_level_0, "V5", "broken_promise", 1),
    Claim("commits without an echo", committed_unasked, "V5", "broken_promise", 3),
    Claim("reveals before all have committed", revealed_early, "V5", "broken_promise", closing(short())[0]),
    Claim("reveals twice", revealed_twice, "V5", "broken_promise", seq_of("entropy_revealed", short()) + 1),
    Claim("reveals other entropy", other_entropy, "V5", "broken_promise", seq_of("entropy_revealed", short())),
    Claim(
        "gives a chair back in the middle of the game",
        partial(changed_seat, "seat_left"),
        "V5",
        "broken_promise",
        move_of(short(ChanceLevel.OPEN)) + 1,
    ),
    Claim(
        "is created twice",
        lambda: retold(inserted(short(), 3, "game_created", **short()[0]["data"])),
        "V5",
        "broken_promise",
        4,
    ),
    Claim(
        "is dealt twice",
        lambda: retold(
            inserted(
                short(),
                seq_of("game_started", short()),
                "game_started",
                **short()[seq_of("game_started", short()) - 1]["data"],
            )
        ),
        "V5",
        "broken_promise",
        seq_of("game_started", short()) + 1,
    ),
    Claim(
        "plays by other tables",
        lambda: replace(bundle(played(most=SHORT)), rules=RulesData("1", bytes(32))).encode(),
        "V6",
        "rules_data",
    ),
    Claim(
        "draws another card",
        lambda: retold(changed_at(bodies(), first(bodies(), has_drawn), drew=["gold"])),
        "V6",
        "draws",
        first(bodies(), has_drawn),
    ),
    *(
        Claim(
            f"says at event {seq} that other rules hold, and forges the result",
            partial(under_other_rules, seq, forged_result()),
            "V7",
            "rules",
            max(seq, 2),
        )
        for seq in (1, 2, 30, len(forged_result()))
    ),
    Claim("opens no game", lambda: retold(forged_result()[1:]), "V7", "no_game", 1),
    Claim(
        "opens a study",
        lambda: retold(put(forged_result(), 1, kind="study_created")),
        "V7",
        "no_game",
        1,
    ),
    *(
        Claim(
            f"claims the game {game!r}",
            partial(lambda game: retold(changed_at(forged_result(), 1, game=game)), game),
            "V7",
            "form",
            1,
        )
        for game in (7, None, "", "No Name")
    ),
    Claim("claims no game", lambda: retold(without(forged_result(), 1, "game")), "V7", "form", 1),
    Claim("says true for 1", as_booleans, "V7", "deed"),
    *(
        Claim(
            f"says at level {level:d} that the host chose the seed",
            partial(lambda level: retold(changed_at(whole_game(level), 1, chosen=True)), level),
            "V7",
            "chosen",
            1,
        )
        for level in (ChanceLevel.OPEN, ChanceLevel.SEALED)
    ),
    Claim("says an option otherwise", options_as_numbers, "V7", "form", 1),
    Claim(
        "leaves out an option",
        lambda: retold(changed_at(short(), 1, options={})),
        "V7",
        "options",
        1,
    ),
    Claim(
        "claims an option there is not",
        lambda: retold(changed_at(short(), 1, options={**short()[0]["data"]["options"], "cheating": True})),
        "V7",
        "form",
        1,
    ),
    Claim("names another to move", lambda: retold(changed_at(short(), move_of(short()), turn=None)), "V7", "deed"),
    Claim("leaves out who is to move", lambda: retold(without(short(), move_of(short()), "turn")), "V7", "deed"),
    Claim("has one chair too many", lambda: retold(changed_at(short(), 1, chairs=[None] * 3)), "V7", "table", 1),
    Claim(
        "lets a stranger move",
        lambda: retold(put(whole_game(), move_of(whole_game()), actor=STRANGER)),
        "V7",
        "actor",
        move_of(whole_game()),
    ),
    Claim(
        "lets a bot move for a player",
        lambda: retold(put(whole_game(), move_of(whole_game()), actor="bot:random")),
        "V7",
        "actor",
        move_of(whole_game()),
    ),
    Claim(
        "lets the service move for a player",
        lambda: retold(put(whole_game(), move_of(whole_game()), actor="service")),
        "V7",
        "actor",
        move_of(whole_game()),
    ),
    Claim(
        "lets the opponent move",
        lambda: retold(
            put(
                whole_game(),
                move_of(whole_game()),
                actor=next(p for p in SEATED if p != whole_game()[move_of(whole_game()) - 1]["actor"]),
            )
        ),
        "V7",
        "actor",
        move_of(whole_game()),
    ),
    Claim(
        "lets a stranger move for the substitute",
        lambda: retold(replaced_player(short(), STRANGER, 0)),
        "V7",
        "actor",
    ),
    Claim(
        "resigns for the opponent",
        lambda: retold(put(evening(resign), seq_of("resigned", evening(resign)), actor=SEATED[1])),
        "V7",
        "actor",
        seq_of("resigned", evening(resign)),
    ),
    Claim(
        "names a seat that is not there",
        lambda: retold(inserted(short(), move_of(short()), "offer_answered", SEATED[0], seat=4, agrees=True)),
        "V7",
        "no_such_seat",
        move_of(short()) + 1,
    ),
    Claim(
        "seats a chair twice",
        lambda: retold(changed_at(short(), seq_of("game_started", short()), order=[0, 0])),
        "V7",
        "no_such_seat",
    ),
    Claim(
        "sets clocks for other seats than there are",
        lambda: retold(
            inserted(short(clock=BANK), move_of(short()), "clock_changed", banks=[], cause="ruled", reason=None)
        ),
        "V7",
        "no_such_seat",
    ),
    Claim(
        "offers something before the start",
        lambda: retold(inserted(short(), 1, "offer_made", SEATED[0], seat=0, what="abort", to=None)),
        "V7",
        "out_of_place",
        2,
    ),
    Claim(
        "closes the commitments after the start",
        lambda: retold(
            inserted(short(ChanceLevel.OPEN), move_of(short(ChanceLevel.OPEN)), "commitments_closed", reveal_by=1)
        ),
        "V7",
        "out_of_place",
    ),
    Claim(
        "tells of a study in a game",
        lambda: retold(inserted(short(), move_of(short()), "checked_in", entrant=1)),
        "V7",
        "other_stream",
        move_of(short()) + 1,
    ),
    Claim(
        "is of a kind that there is not",
        lambda: retold(inserted(short(), move_of(short()), "cheated", seat=0)),
        "V7",
        "form",
        move_of(short()) + 1,
    ),
    Claim("undoes to a board that never was", partial(undone_to, lambda _told: 2), "V7", "no_such_board"),
    Claim("undoes to itself", partial(undone_to, partial(seq_of, "undone")), "V7", "no_such_board"),
    Claim("rules the board to where it never was", struck_out, "V7", "no_such_board"),
    Claim("undoes a draw", undone_draw, "V7", "takes_back_draw"),
    Claim("undoes what the other did", undone_alone, "V7", "not_agreed"),
    Claim("withdraws the offer of another", withdrawn_by_another, "V7", "actor"),
    Claim("aborts by an unanswered agreement", partial(agreed_without, "offer_answered"), "V7", "not_agreed"),
    Claim("aborts unasked", partial(agreed_without, "offer_made", "offer_answered"), "V7", "not_agreed"),
    Claim("aborts early in the second round", partial(aborted_as, "early"), "V7", "not_early"),
    Claim("aborts as the maker what others play", partial(aborted_as, "maker"), "V7", "not_makers"),
    Claim("removes a table whose end was not announced", partial(aborted_as, "expired"), "V7", "not_expired"),
    Claim("aborts as an administrator, unreasoned", partial(aborted_as, "administrator"), "V7", "no_reason"),
    Claim("resigns without a consequence", resigned_without_consequence, "V7", "form"),
    Claim(
        "makes an illegal move",
        lambda: retold(changed_at(short(), move_of(short()), move="claim 9")),
        "V7",
        "illegal",
        move_of(short()),
    ),
    Claim("moves on to the rules it has", partial(moves_on_to, "1"), "V7", "moved_on", move_of(short()) + 1),
    Claim("takes an absent player in no tournament", partial(absent_player, None), "V8", "no_show"),
    Claim("takes a player who moved for absent", partial(absent_player, str(UUID(int=8))), "V8", "no_show"),
    Claim("forges the result", lambda: retold(forged_result()), "V8", "result", first(bodies(), is_end)),
    Claim("never ends", lambda: retold(whole_game()[:-2]), "V8", "not_ended", len(whole_game()) - 2),
    Claim("ends early", lambda: retold(ended_early()), "V8", "ended_early"),
    Claim("ends one event late", ended_one_later, "V8", "ended_late"),
    Claim("aborts what was over", aborted_after_its_end, "V8", "aborted_late", first(bodies(), is_end)),
    Claim("talks after the end", talk_after_the_end, "V8", "after_the_end", len(bodies()) + 1),
    Claim("goes back in time", backwards, "V9", "time", len(short())),
    Claim("moves after its flag", late_move, "V9", "overtime"),
    Claim("undoes after the flag of the other", late_undo, "V9", "overtime"),
    Claim("lets a flag fall early", early_flag, "V9", "flag"),
    Claim("takes a player for absent at once", absent_at_once, "V9", "absent_early"),
    Claim("gives time back with an undo", partial(clocks_after_undo, 1), "V9", "undo_clocks"),
    Claim(
        "signs without a key",
        lambda: retold(
            [
                {**body, "data": {n: v for n, v in body["data"].items() if n != "key"}}
                for body in signing(short(), KEY, 0)
            ]
        ),
        "V10",
        "no_key",
    ),
)
