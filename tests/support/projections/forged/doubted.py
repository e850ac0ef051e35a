"""What is remarked on, noted, or left undecided."""

from dataclasses import replace
from functools import partial

from projections.games.chance import ChanceLevel
from tests.support.projections.bundles import honest
from tests.support.projections.forged.chance import imported, never_sealed, shared_deal
from tests.support.projections.forged.log import (
    dated_a_month_ago,
    game_that_lost_events,
    late_receipts_missing,
    nameless_start,
    receipt_of_a_later_event,
    receipts_of_lost_events,
    withheld_reason,
)
from tests.support.projections.forged.pauses import AWAY
from tests.support.projections.forged.play import moves_on_to, of_unknown_rules, unstated_clocks
from tests.support.projections.forged.tools import (
    NO_WITNESSES,
    Claim,
    forged_result,
    replaced_player,
    retold,
    short,
    stand_in_moves_for_player,
    whole_game,
)
from tests.support.projections.played_games import SEATED
from tests.support.projections.rewritten_history import KEY, changed_at, signing

REMARKED: tuple[Claim, ...] = (
    Claim(
        "is in no checkpoint",
        lambda: replace(honest(), proof=None, barriers=(), growth=()).encode(),
        "V3",
        "not_sealed",
    ),
    Claim("is dated a month before it was seen", dated_a_month_ago, "V3", "seen_late"),
    Claim("names no tree at its start", nameless_start, "V3", "undated"),
    Claim("never sealed its commitments", never_sealed, "V5", "not_sealed_first"),
    Claim("shares a seed that is not revealed", shared_deal, "V5", "seed_shared"),
    Claim("was written down from another table", imported, "V5", "imported"),
    Claim("is not over", lambda: retold(short()), "V8", "unfinished"),
    Claim("hides its seed while it goes on", lambda: retold(short()), "V6", "draws_unread"),
    Claim("gives a seat away", lambda: retold(replaced_player(short(), "player-n", 0)), "V7", "intervened"),
    Claim("lets the replaced player move on", lambda: retold(replaced_player(short(), SEATED[0], 0)), "V7", "left"),
    Claim("lets a player move who has resigned", stand_in_moves_for_player, "V7", "left"),
    Claim("states no clocks with an undo", unstated_clocks, "V9", "clocks_unstated"),
    Claim("tells of lost events", lambda: game_that_lost_events().encode(), "V11", "history_lost"),
    Claim("has receipts of lost events", receipts_of_lost_events, "V11", "lost_receipts"),
    Claim("has a newer receipt", receipt_of_a_later_event, "V11", "newer_receipts"),
    Claim("withholds a reason", withheld_reason, "V13", "withheld"),
)

UNDECIDED: tuple[Claim, ...] = (
    Claim(
        "is of a game nobody knows", lambda: retold(changed_at(forged_result(), 1, game="halma")), "V7", "rules_unknown"
    ),
    Claim("is under rules nobody knows", partial(of_unknown_rules, forged_result()), "V8", "rules_unknown"),
    Claim("moves on to rules nobody knows", partial(moves_on_to, "spice-road-99"), "V7", "rules_unknown"),
)

NOTED: tuple[Claim, ...] = (
    Claim("has no policy", lambda: honest().encode(), "V3", "no_policy", policy=None),
    Claim("has receipts and no policy", lambda: honest().encode(), "V11", "receipts_unread", policy=None),
    Claim("has no receipts", late_receipts_missing, "V11", "no_receipts"),
    Claim("needs no witnesses", lambda: honest().encode(), "V3", "no_witnesses", policy=NO_WITNESSES),
    Claim("has witnesses nobody asked for", lambda: honest().encode(), "V3", "unknown_signature", policy=NO_WITNESSES),
    Claim("has no witnessed times", lambda: honest().encode(), "V3", "undated", policy=NO_WITNESSES),
    Claim("has witnessed times", lambda: retold(whole_game()), "V3", "dates"),
    Claim(
        "has a chosen seed", lambda: retold(changed_at(whole_game(ChanceLevel.DECLARED), 1, chosen=True)), "V5", "level"
    ),
    Claim("is of level 2", lambda: retold(whole_game()), "V5", "level"),
    Claim("says that the service was away", lambda: honest().encode(), "V9", "away"),
    AWAY,
    Claim("was aborted", lambda: honest().encode(), "V8", "aborted"),
    Claim("is signed by a seat", lambda: retold(signing(short(), KEY, 0)), "V10", "keys_named"),
    Claim("is signed by nobody", lambda: retold(whole_game()), "V10", "unsigned"),
    Claim("states nothing", lambda: honest().encode(), "V10", "no_statements"),
    Claim("hides its seed before the end", lambda: retold(short()), "V5", "seed_pending"),
    Claim("draws what the scribe wrote", imported, "V6", "draws_declared"),
)
