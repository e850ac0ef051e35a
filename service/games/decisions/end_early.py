"""Ends a game early: resigning, aborting, and offers that need consent."""

from projections.games.record import OPEN, RUNNING
from service.core.errors import NotAllowed, NotRunning, OfferRefused
from service.games.decisions import clocks, endings, undo
from service.games.decisions.undo import TAKE_BACK, agreed_by_all, check_running, make_offer
from service.games.game_state import GameUnitOfWork

ABORT = "abort"
SECOND_ROUND = 2  # from this round on, aborting needs consent


def resign(act: GameUnitOfWork, seat: int, *, absent: bool = False) -> None:
    """Resign; by the game's option a bot plays on, or the seat is forfeited. An absent player always comes last."""
    check_running(act.record)
    act.write("resigned", seat=seat, **clocks.consequence(act.record), **({"absent": True} if absent else {}))
    endings.end_if_over(act)


def cancel(act: GameUnitOfWork, player: str, reason: str | None = None) -> None:
    """Abort a game before its start. Raises NotAllowed unless the player is the host."""
    if player != act.record.host:
        raise NotAllowed("not_host", "only the host can cancel a game that has not started")
    endings.abort(act, "cancelled", reason)


def abort(act: GameUnitOfWork, seat: int, reason: str | None = None) -> None:
    """Abort in the first round; later, offer to abort, which takes no reason. Raises OfferRefused."""
    check_running(act.record)
    _check_free(act, "only the directors can end a game of a tournament")
    if _round(act) < SECOND_ROUND:
        endings.abort(act, "early", reason)
    elif reason is not None:
        raise OfferRefused("reason", "a proposal to abort the game carries no reason")
    else:
        make_offer(act, seat, ABORT, None)
        _conclude(act)


def abort_as_maker(act: GameUnitOfWork, reason: str | None) -> None:
    """Abort a running game that concerns its maker alone, in any round."""
    endings.abort(act, "maker", reason)


def abort_as_administrator(act: GameUnitOfWork, reason: str) -> None:
    """Abort a game that is not over. Raises NotRunning."""
    if act.record.status not in (OPEN, RUNNING):
        raise NotRunning(act.record.status)
    endings.abort(act, "administrator", reason)


def take_back(act: GameUnitOfWork, seat: int, to: int) -> None:
    """Offer to return to an earlier version; without other human players, return at once."""
    _check_free(act, "a game of a tournament has no take-back after another player's answer")
    undo.offer_take_back(act, seat, to)
    _conclude(act)


def answer(act: GameUnitOfWork, seat: int, *, agrees: bool) -> None:
    """Answer an offer; the last consent executes it. Raises OfferRefused."""
    offer = act.record.offer
    if offer is None:
        raise OfferRefused("none", "there is no open offer")
    if seat in offer.agreed:
        raise OfferRefused("answered", "you have already agreed")
    act.write("offer_answered", seat=seat, agrees=agrees)
    _conclude(act)


def withdraw(act: GameUnitOfWork, seat: int) -> None:
    """Withdraw the seat's own offer. Raises OfferRefused."""
    offer = act.record.offer
    if offer is None:
        raise OfferRefused("none", "there is no open offer")
    if offer.seat != seat:
        raise OfferRefused("not_yours", "only the seat that made the offer can withdraw it")
    act.write("offer_withdrawn", seat=seat)


def _check_free(act: GameUnitOfWork, why: str) -> None:
    """Raises NotAllowed for a tournament game, on which other tables depend."""
    if act.record.tournament is not None:
        raise NotAllowed("tournament", why)


def _conclude(act: GameUnitOfWork) -> None:
    if not agreed_by_all(act.record):
        return
    offer = act.record.offer
    if offer is not None and offer.what == TAKE_BACK:
        undo.take_back_as_agreed(act)
    else:
        endings.abort(act, "agreement")


def _round(act: GameUnitOfWork) -> int:
    """Returns the round of the board; every game counts from 1."""
    number = act.game.document(act.now.board)["round"]
    assert isinstance(number, int)
    return number
