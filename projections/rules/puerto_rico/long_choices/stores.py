"""The goods a seat may keep at the end of a captain phase: every set that its stores hold (D-CAP-STORE)."""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import prod

from events.json_types import JsonObject
from projections.rules.puerto_rico.kinds import GOODS, Goods5
from projections.rules.puerto_rico.moves import Store


class StoreChoices:
    """All multisets of owned goods that fit: some kinds complete, and single goods besides (R-61)."""

    def __init__(self, owned: Goods5, kinds: int, singles: int) -> None:
        self.owned = owned
        self.kinds = kinds
        self.singles = singles

    def fits(self, kept: Sequence[int]) -> bool:
        """Whether whole kinds take the largest heaps and singles the rest."""
        return sum(sorted(kept)[: 5 - self.kinds]) <= self.singles

    @property
    def single(self) -> bool:
        """Whether everything fits, so that it is kept without asking."""
        return self.fits(self.owned)

    def __iter__(self) -> Iterator[Store]:
        for corn, indigo, sugar, tobacco, coffee in product(*(range(amount + 1) for amount in self.owned)):
            if self.fits((corn, indigo, sugar, tobacco, coffee)):
                yield Store((corn, indigo, sugar, tobacco, coffee))

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Store) or len(move.goods) != len(self.owned):
            return False
        within = all(0 <= kept <= amount for kept, amount in zip(move.goods, self.owned, strict=True))
        return within and self.fits(move.goods)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def sample(self, source: random.Random) -> Store:
        """Any one of them."""
        while True:
            corn, indigo, sugar, tobacco, coffee = [int(source.random() * (amount + 1)) for amount in self.owned]
            if self.fits((corn, indigo, sugar, tobacco, coffee)):
                return Store((corn, indigo, sugar, tobacco, coffee))

    def slots(self) -> JsonObject | None:
        """Returns the goods and the stores; None when the list is short."""
        if prod(amount + 1 for amount in self.owned) <= 24:
            return None
        return {
            "goods": {name: amount for name, amount in zip(GOODS, self.owned, strict=True) if amount},
            "kinds": self.kinds,
            "singles": self.singles,
        }

    def suggested(self) -> Sequence[Store]:
        """The fullest choices: each choice of complete kinds, the dearest singles besides."""
        return sorted(set(self._fullest()), key=lambda store: store.goods, reverse=True)

    def _fullest(self) -> Iterator[Store]:
        owned_goods = [good for good, amount in enumerate(self.owned) if amount]
        for whole in combinations(owned_goods, min(self.kinds, len(owned_goods))):
            kept = [amount if good in whole else 0 for good, amount in enumerate(self.owned)]
            singles = self.singles
            for good in reversed(owned_goods):
                if good not in whole:
                    kept[good] = min(singles, self.owned[good])
                    singles -= kept[good]
            corn, indigo, sugar, tobacco, coffee = kept
            yield Store((corn, indigo, sugar, tobacco, coffee))
