"""Every form of a move in the notation, by decision, for authors of clients."""

from typing import Final

from projections.rules.move_forms import move_forms
from projections.rules.puerto_rico.text.labels import CATALOGUE

_TAKES: Final = ("take corn", "take quarry", "forest coffee")
_UNPLANTS: Final = ("unplant corn", "unplant corn colonist", "unplant forest sugar")
_SALES: Final = ("sell coffee", "sell coffee trading_post", "plant", "plant corn", "plant corn forest")
_BLACK_MARKET: Final = "build harbor black_market=colonist@corn,sugar,vp"
OF_DECISIONS: Final = {
    "D-DRAFT": ("draft church",),
    "D-ROLE": ("role settler", "role prospector_b"),
    "D-SET-HAC": ("draw", "pass"),
    "D-SET-HAC-F": ("keep", "forest"),
    "D-SET-TAKE": (*_TAKES, "take corn -hospice", "forest coffee -hospice", "pass"),
    "D-SET-LIB": (*_TAKES, "pass"),
    "D-SET-LODGE": (*_UNPLANTS, "pass"),
    "D-MAY-PICK": ("pick colonist", "pick noble"),
    "D-MAY-PLACE": ("place corn=2 quarry=1 hospice=1", "place corn=1 chapel=0+1n", "place"),
    "D-BLD": ("build harbor", "build factory -university", _BLACK_MARKET, "pass"),
    "D-CRA-PRIV": ("bonus corn", "bonus corn sugar", "pass"),
    "D-TRD": (*_SALES, *_UNPLANTS, "ask_guests", "pass"),
    "D-TRD-F": ("keep", "forest"),
    "D-CAP-RS": ("supply corn sugar", "supply"),
    "D-CAP-LOAD": ("ship corn 6", "wharf corn", "small_wharf corn=3 sugar=1", "pass"),
    "D-CAP-STORE": ("store corn=3 coffee=1", "store"),
    "D-GUEST": ("guest coffee_roaster", "guest corn coffee_roaster", "guest noble@chapel", "stay", "stay phase"),
}
EXAMPLES: Final = move_forms(OF_DECISIONS, CATALOGUE)
