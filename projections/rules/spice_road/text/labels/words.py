"""Which words a language needs; a language is one table of them, and a missing word is a type error."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LanguageTable:
    """The words of one language; braces are filled in."""

    # one cube of a kind, several cubes of it: as a list names them, and after a verb
    spices: tuple[tuple[str, str], ...]
    spices_given: tuple[tuple[str, str], ...]
    raised: tuple[str, ...]  # an upgraded cube
    amount: str  # so many cubes of a kind
    nothing: str
    conjunction: str
    # merchant cards
    create_card: str
    spice_card: str
    upgrade_card: str
    trade_card: str
    # moves
    play_create: str
    play_spice: str
    play_upgrade: str
    play_without_upgrade: str
    play_trade: str
    play_trade_once: str
    step: str
    buy: str
    buy_free: str
    rest: str
    claim: str
    claim_gold: str
    claim_silver: str
    claim_without_coin: str
    drop: str
    # effects
    caravan_then: str
    hand_then: str
    found: str
    points_gained: str
    to_return: str
    # the board
    title: str
    to_act: str
    to_drop: str
    final_round: str
    game_over: str
    point_cards: str
    merchant_cards: str
    points: str
    gold: str
    silver: str
    lying: str
    seat: str
    you: str
    caravan: str
    hand: str
    played: str
    claimed: str
    coins: str
    score: str
    hidden: str
    place: str
