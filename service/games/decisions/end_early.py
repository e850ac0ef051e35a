"""Ends a game early: resigning, aborting, and offers that need consent."""

from contextlib import suppress

from projections.games.record import OPEN, RUNNING
from service.core.errors import NotAllowed, NotRunning, OfferRefused, UndoRefused
from service.games.decisions import clocks, endings, pauses, undo
from service.games.decisions.undo import TAKE_BACK, agreed_by_all, check_running, make_offer
from service.games.game_state import GameUnitOfWork

ABORT = "abort"
SECOND_ROUND = 2  # from this round on, aborting needs consent


def resign(unit: GameUnitOfWork, seat: int, *, absent: bool = False) -> None:
    """Resign; by the game's option a bot plays on, or the seat is forfeited. An absent player always comes last."""
    check_running(unit.record)
    unit.write("resigned", seat=seat, **clocks.consequence(unit.record), **({"absent": True} if absent else {}))
    endings.end_if_over(unit)
    with suppress(UndoRefused):  # a take-back that is no longer possible
        _conclude(unit)  # the seat that has left is not asked


def cancel(unit: GameUnitOfWork, player: str, reason: str | None = None) -> None:
    """Abort a game before its start. Raises NotAllowed unless the player is the host."""
    if player != unit.record.host:
        raise NotAllowed("not_host", "only the host can cancel a game that has not started")
    endings.abort(unit, "cancelled", reason)


def abort(unit: GameUnitOfWork, seat: int, reason: str | None = None) -> None:
    """Abort in the first round; later, offer to abort, which takes no reason. Raises OfferRefused."""
    check_running(unit.record)
    _check_free(unit, "only the directors can end a game of a tournament")
    if _round(unit) < SECOND_ROUND:
        endings.abort(unit, "early", reason)
    elif reason is not None:
        raise OfferRefused("reason", "a proposal to abort the game carries no reason")
    else:
        make_offer(unit, seat, ABORT, None)
        _conclude(unit)


def abort_as_maker(unit: GameUnitOfWork, reason: str | None) -> None:
    """Abort a running game that concerns its maker alone, in any round."""
    endings.abort(unit, "maker", reason)


def abort_as_administrator(unit: GameUnitOfWork, reason: str) -> None:
    """Abort a game that is not over. Raises NotRunning."""
    if unit.record.status not in (OPEN, RUNNING):
        raise NotRunning(unit.record.status)
    endings.abort(unit, "administrator", reason)


def take_back(unit: GameUnitOfWork, seat: int, to: int) -> None:
    """Offer to return to an earlier version; without other human players, return at once."""
    _check_free(unit, "a game of a tournament has no take-back after another player's answer")
    undo.offer_take_back(unit, seat, to)
    _conclude(unit)


def answer(unit: GameUnitOfWork, seat: int, *, agrees: bool) -> None:
    """Answer an offer; the last consent executes it. Raises OfferRefused."""
    offer = unit.record.offer
    if offer is None:
        raise OfferRefused("none", "there is no open offer")
    if seat in offer.agreed:
        raise OfferRefused("answered", "you have already agreed")
    unit.write("offer_answered", seat=seat, agrees=agrees)
    _conclude(unit)


def withdraw(unit: GameUnitOfWork, seat: int) -> None:
    """Withdraw the seat's own offer. Raises OfferRefused."""
    offer = unit.record.offer
    if offer is None:
        raise OfferRefused("none", "there is no open offer")
    if offer.seat != seat:
        raise OfferRefused("not_yours", "only the seat that made the offer can withdraw it")
    unit.write("offer_withdrawn", seat=seat)


def _check_free(unit: GameUnitOfWork, why: str) -> None:
    """Raises NotAllowed for a tournament game, on which other tables depend."""
    if unit.record.tournament is not None:
        raise NotAllowed("tournament", why)


def _conclude(unit: GameUnitOfWork) -> None:
    if not agreed_by_all(unit.record):
        return
    offer = unit.record.offer
    if offer is not None and offer.what == TAKE_BACK:
        undo.take_back_as_agreed(unit)
    elif offer is not None and offer.what == pauses.PAUSE:
        pauses.begin(unit)
    else:
        endings.abort(unit, "agreement")


def _round(unit: GameUnitOfWork) -> int:
    """Returns the round of the board; every game counts from 1."""
    number = unit.game.document(unit.now.board)["round"]
    assert isinstance(number, int)
    return number
