"""Shipments by a small wharf: any own goods, listed only on iteration."""

import random
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import cast

from events.json_types import JsonObject
from projections.rules.puerto_rico.kinds import GOODS, NO_GOODS, Goods5
from projections.rules.puerto_rico.moves import SmallWharf


class Shipments:
    """All multisets of owned goods but the empty one (R-58)."""

    def __init__(self, owned: Sequence[int]) -> None:
        self.owned = cast(Goods5, tuple(owned))

    def __iter__(self) -> Iterator[SmallWharf]:
        for goods in product(*(range(amount + 1) for amount in self.owned)):
            if any(goods):
                yield SmallWharf(cast(Goods5, goods))

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, SmallWharf) or len(move.goods) != len(self.owned) or not any(move.goods):
            return False
        return all(0 <= goods <= amount for goods, amount in zip(move.goods, self.owned, strict=True))

    def __len__(self) -> int:
        return prod(amount + 1 for amount in self.owned) - 1

    def sample(self, source: random.Random) -> SmallWharf:
        """Any one of them."""
        goods = NO_GOODS
        while not any(goods):
            goods = cast(Goods5, tuple([int(source.random() * (amount + 1)) for amount in self.owned]))
        return SmallWharf(goods)

    def slots(self) -> JsonObject | None:
        """Returns the goods to ship; None when the list is short."""
        if len(self) <= 24:
            return None
        return {"small_wharf": {name: amount for name, amount in zip(GOODS, self.owned, strict=True) if amount}}

    def suggested(self) -> Sequence[SmallWharf]:
        """Everything, everything of one kind, and an even number of everything."""
        whole = [SmallWharf(self.owned)]
        for good, amount in enumerate(self.owned):
            if amount:
                kind = [amount if other == good else 0 for other in range(len(self.owned))]
                whole.append(SmallWharf(cast(Goods5, tuple(kind))))
        if sum(self.owned) % 2 and sum(self.owned) > 1:
            odd = next(good for good, amount in enumerate(self.owned) if amount)
            less = [amount - (good == odd) for good, amount in enumerate(self.owned)]
            whole.append(SmallWharf(cast(Goods5, tuple(less))))
        return list(dict.fromkeys(whole))
