"""The document as a seat may see it; hidden values are null, counted, and named under `hides` (R-28, R-29)."""

from events.json_types import Json
from projections.rules.spice_road.state.document import document, player
from projections.rules.spice_road.state.position import Position


def hides(position: Position, viewer: int | None, seat: int) -> bool:
    """Whether a seat's hand and point cards are hidden from the viewer; everything is shown at the end."""
    return position.rulings.hand_visibility == "owner_only" and viewer != seat and not position.over


def view(position: Position, viewer: int | None) -> dict[str, Json]:
    """The document for a seat, or for a spectator (None).

    Hands and point cards are open unless the game is played with `hand_visibility` `owner_only`. Then what is still
    face down is hidden too, since it would tell the hidden hands. The order of the decks is not stored.
    """
    players = [_player(position, viewer, seat) for seat in range(position.seats)]
    hidden = [f"players[{seat}].{name}" for seat, owned in enumerate(players) for name in owned if owned[name] is None]
    seen = document(position) | {
        "players": players,
        "point_deck_count": len(position.point_deck),
        "merchant_deck_count": len(position.merchant_deck),
    }
    if hidden:
        seen |= {"point_deck": None, "merchant_deck": None}
        hidden += ["point_deck", "merchant_deck"]
    return seen | {"viewer": viewer, "hides": hidden}


def _player(position: Position, viewer: int | None, seat: int) -> dict[str, Json]:
    seen = player(position, seat)
    if hides(position, viewer, seat):
        seen |= {"hand": None, "point_cards": None}
    return seen | {"hand_count": len(position.held[seat]), "point_card_count": len(position.claimed[seat])}
