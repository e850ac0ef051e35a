"""What the service itself refuses, beside what the rules and the log refuse."""

from collections.abc import Sequence

from events.errors import CabildoError


class BadSettings(CabildoError):
    """The settings cannot be used; every fault is named."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = tuple(faults)


class StoreUnavailable(CabildoError):
    """A store does not answer."""

    def __init__(self, store: str) -> None:
        super().__init__(f"{store} does not answer; try again shortly")
        self.store = store


class UnreadableBody(CabildoError):
    """The body of a request is not the JSON it should be."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class InvalidRequest(CabildoError):
    """The request can be read, but its fields are not what the operation takes."""

    def __init__(self, errors: object) -> None:
        super().__init__("some fields are not what this operation takes")
        self.errors = errors


class Unauthenticated(CabildoError):
    """The request does not say who asks, or with a token or session that is not valid."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ScopeMissing(CabildoError):
    """The token does not give the right to this."""

    def __init__(self, scope: str, has: Sequence[str]) -> None:
        super().__init__(f"this takes a token with the scope {scope}")
        self.scope = scope
        self.has = tuple(has)


class NotAllowed(CabildoError):
    """The one who asks may not do this."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class NotThere(CabildoError):
    """There is no such thing, or it is not for the asker to know of it."""

    def __init__(self, what: str, name: object) -> None:
        super().__init__(f"there is no {what} {name}")
        self.what = what
        self.name = str(name)


class NameTaken(CabildoError):
    """Another player has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the name {name!r} is taken")
        self.name = name


class BadName(CabildoError):
    """The text cannot be a player's name."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name!r} cannot be a name: {reason}")
        self.name = name
        self.reason = reason


class NotRunning(CabildoError):
    """This takes a running game."""

    def __init__(self, status: str) -> None:
        super().__init__(f"the game is {status}, not running")
        self.status = status


class NotOpen(CabildoError):
    """This takes a game that has not started."""

    def __init__(self, status: str) -> None:
        super().__init__(f"the game is {status}, not open")
        self.status = status


class SignatureRefused(CabildoError):
    """A move lacks the signature its seat has promised, or carries one that nobody could check."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class NoFreeChair(CabildoError):
    """There is no chair for this player at the table."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class ChanceRefused(CabildoError):
    """What a seat brings to the deal does not fit the game's level of committed chance or its state."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class RematchProposed(CabildoError):
    """Somebody else has proposed the rematch of this game."""

    def __init__(self, game: str) -> None:
        super().__init__(f"a rematch of {game} exists")
        self.game = game


class WebhookRefused(CabildoError):
    """The service does not call the address of a webhook, or not one more."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class TooMuchToVerify(CabildoError):
    """What is to be verified is larger than this service examines; at home it can be."""

    def __init__(self, size: int, most: int) -> None:
        super().__init__(f"{size} bytes unpacked, {most} at most; run cabildo verify at home")
        self.size = size
        self.most = most


class NotSealed(CabildoError):
    """What this builds on is not covered by a signed checkpoint yet."""

    def __init__(self, seq: int) -> None:
        super().__init__(f"event {seq} is not sealed yet; try again shortly")
        self.seq = seq


class ChanceHidden(CabildoError):
    """A move that is only tried would draw, and nobody learns a draw beforehand."""

    def __init__(self, possible: tuple[str, ...]) -> None:
        super().__init__("the move draws, and chance is not revealed before it is made")
        self.possible = possible


class UndoRefused(CabildoError):
    """The move cannot be taken back."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class RulesNotMoved(CabildoError):
    """A game cannot be moved to these rules; the event is the first that is against it."""

    def __init__(self, reason: str, sentence: str, event: int) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.event = event


class OfferRefused(CabildoError):
    """There is no such offer to answer, or none can be made now."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class NotAtThisStage(CabildoError):
    """The tournament, or its round, is not where this can be done."""

    def __init__(self, status: str, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class EntryRefused(CabildoError):
    """Somebody cannot enter a tournament, or not so."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class RulingRefused(CabildoError):
    """A ruling that cannot be given."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class WishRefused(CabildoError):
    """A wish for a seat that cannot be had, or not now."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason
