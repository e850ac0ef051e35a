"""Every form of a move in the notation, by decision, for authors of clients."""

from typing import Final

from projections.rules.move_forms import move_forms
from projections.rules.spice_road.text.labels import CATALOGUE

_PLAYS: Final = ("play create_2", "play upgrade_2 y>r r>g", "play upgrade_2", "play trade_yy_g x3")
OF_DECISIONS: Final = {
    "action": (*_PLAYS, "buy 1", "buy 4 y,y,r", "rest", "claim 2", "claim 2 -coin"),
    "caravan_limit": ("drop y=1 r=2",),
}
EXAMPLES: Final = move_forms(OF_DECISIONS, CATALOGUE)
