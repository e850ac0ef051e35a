"""Forged promises of chance."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any
from uuid import UUID

from events.event import received
from events.log.bundle import Barrier, Bundle
from projections.games.chance import ChanceLevel
from tests.support.projections.bundles import EARLIER, PublicLog
from tests.support.projections.forged.tools import (
    closing,
    events_of,
    inserted,
    kind_is,
    move_of,
    retold,
    seq_of,
    short,
    whole_game,
    without,
)
from tests.support.projections.played_games import SEATED
from tests.support.projections.rewritten_history import Body, bundle, changed_at, renumbered


def chosen_seed(level: ChanceLevel) -> bytes:
    """The host declares the seed beforehand in a game that is said to be of a higher level."""
    told = whole_game(level)
    seed = told[-1]["data"]["seed"]
    return retold(changed_at(told, 1, seed=seed))


def uncommitted(level: ChanceLevel) -> bytes:
    told = changed_at(whole_game(level), 1, commitment=None)
    return retold([changed_at([body], body["seq"], echo=None)[0] if "echo" in body["data"] else body for body in told])


def linkless() -> bytes:
    told = short(ChanceLevel.CHAINED)
    return retold(without(told, move_of(told), "link"))


def changed_seat(kind: str, **data: Any) -> bytes:
    """Another player's chair is given back, or taken, after the game has started."""
    told = short(ChanceLevel.OPEN)
    return retold(inserted(told, move_of(told), kind, chair=0, player=SEATED[0], **data))


def revealed_twice() -> bytes:
    told = short()
    reveal = seq_of("entropy_revealed", told)
    return retold(inserted(told, reveal, "entropy_revealed", SEATED[0], **told[reveal - 1]["data"]))


def committed_unasked() -> bytes:
    """A commitment that answers none of the server's: their order is unknown."""
    told = short()
    taken = [body["seq"] for body in told if kind_is("seat_taken", body) and body["data"]["commitment"]]
    return retold(changed_at(told, taken[0], echo=None))


def revealed_early() -> bytes:
    told = short()
    closed = seq_of("commitments_closed", told)
    return retold([*told[: closed - 1], *told[closed:]])


def other_entropy() -> bytes:
    told = short()
    return retold(changed_at(told, seq_of("entropy_revealed", told), entropy="ab" * 32))


def shared_above_level_0() -> bytes:
    return retold(changed_at(whole_game(), 1, deal=str(UUID(int=3))))


def bound_to_another_seed() -> bytes:
    """A deal that tables share is bound to a seed that is declared, and to another one."""
    return retold(changed_at(whole_game(ChanceLevel.DECLARED), 1, commitment="ab" * 32))


def shared_deal() -> bytes:
    """A game whose tables share a deal that goes on elsewhere: its seed is not revealed."""
    told = changed_at(whole_game(ChanceLevel.DECLARED)[:-1], 1, deal=str(UUID(int=3)), commitment="ab" * 32, seed=None)
    return retold([changed_at([body], body["seq"], echo=None)[0] if "echo" in body["data"] else body for body in told])


def never_sealed() -> bytes:
    made = bundle(events_of(whole_game()))
    kept = tuple(barrier for barrier in made.barriers if barrier.seq != closing(whole_game())[0])
    return replace(made, barriers=kept, growth=_growth(made, kept)).encode()


def _growth(made: Bundle, kept: Sequence[Barrier]) -> Any:
    sizes = {barrier.proof.checkpoint.text.split("\n")[1] for barrier in kept}
    final = made.proof.checkpoint.text.split("\n")[1] if made.proof else "0"
    known = {int(size) for size in (*sizes, final)} | {EARLIER["size"]}
    events = [received(body) for body in made.events]
    log = PublicLog(events, (*closing(whole_game()), events[-1].seq))
    return log.growth([int(str(size)) for size in known])


def imported() -> bytes:
    return retold(changed_at(_declared(), 1, imported=True))


@cache
def _declared() -> tuple[Body, ...]:
    """A game whose chance is declared, as if a scribe had written it down."""
    told = [body for body in whole_game(ChanceLevel.DECLARED)[:-1] if body["kind"] != "seat_taken"]
    host = told[0]["actor"]
    kept = [{**body, "actor": host, "data": {n: v for n, v in body["data"].items() if n != "saw"}} for body in told]
    return tuple(changed_at(renumbered(kept), 1, seed=None))
