"""Dealers of games: commitments of server and seats, lazy seeds, dry runs."""

from collections.abc import Callable, Mapping
from uuid import UUID

from projections.games.chance import Link
from projections.games.commitments import Commitments
from projections.games.errors import BrokenCommitment
from projections.games.record import GameRecord
from projections.rules.dealer import Dealer
from service.core.errors import ChanceHidden


class LazyDealer:
    """Creates the dealer on the first draw: most moves draw nothing, and opening a seed takes time."""

    def __init__(self, make: Callable[[], Dealer]) -> None:
        self._make = make
        self._dealer: Dealer | None = None

    def draw(self, counts: Mapping[str, int]) -> str:
        """Draws one kind that has a positive count."""
        if self._dealer is None:
            self._dealer = self._make()
        return self._dealer.draw(counts)


class Hidden:
    """The dealer of a dry run, which reveals no draw."""

    def draw(self, counts: Mapping[str, int]) -> str:
        """Raises ChanceHidden."""
        raise ChanceHidden(tuple(sorted(kind for kind, count in counts.items() if count > 0)))


def commitments_of(game: UUID, record: GameRecord) -> Commitments:
    """Returns the commitments to chance made so far."""
    chairs = record.chairs
    return Commitments(
        game=game,
        level=record.level,
        deal=None if record.deal is None else UUID(record.deal),
        chairs=len(chairs),
        commitment=_bytes(record.commitment),
        entropy_commitments={n: bytes.fromhex(chair.commitment) for n, chair in enumerate(chairs) if chair.commitment},
        entropies={n: bytes.fromhex(chair.entropy) for n, chair in enumerate(chairs) if chair.entropy},
        links={n: Link(chair.link[0], bytes.fromhex(chair.link[1])) for n, chair in enumerate(chairs) if chair.link},
        order=record.order,
        draws=record.draws,
    )


def check_link(game: UUID, record: GameRecord, seat: int, link: str | None) -> None:
    """Raises BrokenCommitment for a missing link that the seat owes, or for a link out of its chain's order."""
    if link is not None:
        commitments_of(game, record).hear_link(seat, bytes.fromhex(link))
    elif record.chair_at(seat).owes_link:
        raise BrokenCommitment("link", record.order[seat])


def _bytes(text: str | None) -> bytes | None:
    return bytes.fromhex(text) if text else None
