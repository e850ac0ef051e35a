"""The cards, with ids made of their effects: an id is its card's whole text, so it can be proof-read as a row."""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, TypeAlias

from projections.rules.spice_road.cubes import NONE, Cubes, counted

Kind: TypeAlias = Literal["spice", "upgrade", "trade"]


class MerchantCard(NamedTuple):
    """The effect of a merchant card."""

    id: str
    kind: Kind
    give: Cubes
    receive: Cubes
    steps: int


class PointCard(NamedTuple):
    """The cost and the points of a point card."""

    id: str
    points: int
    cost: Cubes


# get_<cubes>: a spice card; upgrade_<steps>; trade_<given>_<received>. In the order of the reference, M01-M43.
_MARKET: Final = """
    get_yyy get_yr get_g get_yyyy get_yyr get_yg get_rr get_b
    upgrade_3
    trade_yy_g trade_yy_rr trade_r_yyy trade_yyy_b trade_yyy_rg trade_yyy_rrr trade_yr_b
    trade_g_rr trade_g_yrr trade_g_yyyyr trade_yyyy_gg trade_yyyy_gb trade_rr_yyyg trade_rr_yyb trade_rr_gg
    trade_b_yyyg trade_b_yyrr trade_b_yrg trade_b_rrr trade_b_gg trade_yyyyy_bb trade_yyyyy_ggg trade_yyg_bb
    trade_rrr_yygg trade_rrr_ygb trade_rrr_bb trade_rrr_ggg trade_gg_yyrrr trade_gg_yyrb trade_gg_rrb trade_gg_bb
    trade_bb_yrggg trade_bb_rrrgg trade_ggg_bbb
"""

# points_<worth>_<cost>, in the order of the reference, P01-P36.
_POINT_CARDS: Final = """
    points_6_yyrr points_7_yyyrr points_8_yyrrr points_8_yygg points_8_rrrr points_9_yyygg points_9_yyrb
    points_10_yybb points_10_rrrrr points_10_rrgg points_11_yyybb points_11_yyggg
    points_12_yrgb points_12_yggb points_12_rrrgg points_12_rrgb points_12_rrbb points_12_gggg
    points_13_yyrrgg points_13_rrggg points_14_yyyrgb points_14_yybbb points_14_rrrbb points_14_ggbb
    points_15_yyrrbb points_15_ggggg points_16_yrrrgb points_16_rrbbb points_16_bbbb points_17_yyggbb points_17_gggbb
    points_18_yrgggb points_18_ggbbb points_19_rrggbb points_20_yrgbbb points_20_bbbbb
"""

MARKET: Final = tuple(_MARKET.split())
POINT_CARDS: Final = tuple(_POINT_CARDS.split())
CREATE: Final = "create_2"  # S01-S05, gives two turmeric
UPGRADE: Final = "upgrade_2"  # S06-S10
STARTING: Final = (CREATE, UPGRADE)


def coded(cards: Iterable[str]) -> bytes:
    """Returns merchant cards as their numbers. Raises KeyError."""
    return b"".join([CODES[card] for card in cards])


def decoded(codes: bytes) -> tuple[str, ...]:
    """Returns the merchant cards with these numbers."""
    return tuple([ORDER[number] for number in codes])


def _merchant(card: str) -> MerchantCard:
    kind, *rest = card.split("_")
    if kind == "upgrade":
        return MerchantCard(card, "upgrade", NONE, NONE, int(rest[0]))
    if kind == "trade":
        return MerchantCard(card, "trade", counted(rest[0]), counted(rest[1]), 0)
    return MerchantCard(card, "spice", NONE, (int(rest[0]), 0, 0, 0) if kind == "create" else counted(rest[0]), 0)


def _point_card(card: str) -> PointCard:
    _, points, cost = card.split("_")
    return PointCard(card, int(points), counted(cost))


ORDER: Final = (*STARTING, *MARKET)  # a merchant card's number is its place here
NUMBERS: Final = {card: number for number, card in enumerate(ORDER)}
CODES: Final = {card: bytes([number]) for number, card in enumerate(ORDER)}

MERCHANT: Final = {card: _merchant(card) for card in ORDER}
POINT: Final = {card: _point_card(card) for card in POINT_CARDS}
