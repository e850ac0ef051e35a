"""Changes of the position when a seat gains doubloons or victory points."""

from typing import Final

from projections.rules.fact_recorder import Changes
from projections.rules.puerto_rico.facts import bank as f
from projections.rules.puerto_rico.state.position import Position


def doubloons_gained(position: Position, fact: f.DoubloonsGained) -> None:
    seat, doubloons = fact
    position.doubloons[seat] += doubloons


def vp_gained(position: Position, fact: f.VpGained) -> None:
    seat, chips, noted = fact
    position.chips[seat] += chips
    position.vp_supply -= chips
    position.noted[seat] += noted


CHANGES: Final[Changes[Position]] = {
    f.DoubloonsGained: doubloons_gained,
    f.VpGained: vp_gained,
}
