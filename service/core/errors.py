"""What the service itself refuses, beside what the rules and the log refuse."""

from collections.abc import Sequence
from uuid import UUID

from events.errors import CabildoError
from events.messages import Message


class Refusal(CabildoError):
    """Refused under a code, with a sentence whose places the values fill."""

    def __init__(self, reason: str, sentence: str, /, **values: object) -> None:
        super().__init__(sentence, **values)
        self.reason = reason


class BadSettings(CabildoError):
    """The settings cannot be used; every fault is named."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = tuple(faults)


class StoreUnavailable(CabildoError):
    """A store does not answer."""

    def __init__(self, store: str) -> None:
        super().__init__("{store} does not answer; try again shortly", store=store)
        self.store = store


class UnreadableBody(CabildoError):
    """The body of a request is not the JSON it should be."""

    def __init__(self, reason: str, /, **values: object) -> None:
        super().__init__(reason, **values)
        self.reason = str(self)


class InvalidRequest(CabildoError):
    """The request can be read, but its fields are not what the operation takes."""

    def __init__(self, errors: object) -> None:
        super().__init__("some fields are not what this operation takes")
        self.errors = errors


class Unauthenticated(CabildoError):
    """The request does not say who asks, or with a token or session that is not valid."""

    def __init__(self, reason: str, /, **values: object) -> None:
        super().__init__(reason, **values)
        self.reason = str(self)


class ScopeMissing(CabildoError):
    """The token does not give the right to this."""

    def __init__(self, scope: str, has: Sequence[str]) -> None:
        super().__init__("this takes a token with the scope {scope}", scope=scope)
        self.scope = scope
        self.has = tuple(has)


class NotAllowed(Refusal):
    """The one who asks may not do this."""


class NotThere(CabildoError):
    """There is no such thing, or it is not for the asker to know of it."""

    def __init__(self, what: str, name: object) -> None:
        super().__init__("there is no {what} {name}", what=Message(what), name=name)
        self.what = what
        self.name = str(name)


class TableClosed(CabildoError):
    """The table shares its deal with others that are still being played; it opens when the last of them has ended."""

    def __init__(self, game: UUID, tournament: str, playing: int) -> None:
        super().__init__(
            "other tables have the same deal, so this one is closed to all but its own players and the directors; "
            "it opens when the last of them has ended, and {playing} have not",
            playing=playing,
        )
        self.game = str(game)
        self.tournament = tournament
        self.playing = playing


class NameTaken(CabildoError):
    """Another player has this name."""

    def __init__(self, name: str) -> None:
        super().__init__("the name {name!r} is taken", name=name)
        self.name = name


class BadName(CabildoError):
    """The text cannot be a player's name."""

    def __init__(self, name: str, reason: str, /, **values: object) -> None:
        why = Message(reason, **values)
        super().__init__("{name!r} cannot be a name: {reason}", name=name, reason=why)
        self.name = name
        self.reason = str(why)


class NotRunning(CabildoError):
    """This takes a running game."""

    def __init__(self, status: str) -> None:
        super().__init__("the game is {status}, not running", status=Message(status))
        self.status = status


class NotOpen(CabildoError):
    """This takes a game that has not started."""

    def __init__(self, status: str) -> None:
        super().__init__("the game is {status}, not open", status=Message(status))
        self.status = status


class SignatureRefused(Refusal):
    """A move lacks the signature its seat has promised, or carries one that nobody could check."""


class NoFreeChair(Refusal):
    """There is no chair for this player at the table."""


class ChanceRefused(Refusal):
    """What a seat brings to the deal does not fit the game's level of committed chance or its state."""


class RematchProposed(CabildoError):
    """Somebody else has proposed the rematch of this game."""

    def __init__(self, game: str) -> None:
        super().__init__("a rematch of {game} exists", game=game)
        self.game = game


class WebhookRefused(Refusal):
    """The service does not call the address of a webhook, or not one more."""


class TooMuchToVerify(CabildoError):
    """What is to be verified is larger than this service examines; at home it can be."""

    def __init__(self, size: int, most: int) -> None:
        super().__init__("{size} bytes unpacked, {most} at most; run cabildo verify at home", size=size, most=most)
        self.size = size
        self.most = most


class NotSealed(CabildoError):
    """What this builds on is not covered by a signed checkpoint yet."""

    def __init__(self, seq: int) -> None:
        super().__init__("event {seq} is not sealed yet; try again shortly", seq=seq)
        self.seq = seq


class ChanceHidden(CabildoError):
    """A move that is only tried would draw, and nobody learns a draw beforehand."""

    def __init__(self, possible: tuple[str, ...]) -> None:
        super().__init__("the move draws, and chance is not revealed before it is made")
        self.possible = possible


class UndoRefused(Refusal):
    """The move cannot be taken back."""


class RulesNotMoved(Refusal):
    """A game cannot be moved to these rules; the event is the first that is against it."""

    def __init__(self, reason: str, sentence: str, event: int, /, **values: object) -> None:
        super().__init__(reason, sentence, **values)
        self.event = event


class OfferRefused(Refusal):
    """There is no such offer to answer, or none can be made now."""


class NotAtThisStage(CabildoError):
    """The tournament, or its round, is not where this can be done."""

    def __init__(self, status: str, sentence: str, /, **values: object) -> None:
        super().__init__(sentence, **values)
        self.status = status


class EntryRefused(Refusal):
    """Somebody cannot enter a tournament, or not so."""


class RulingRefused(Refusal):
    """A ruling that cannot be given."""


class WishRefused(Refusal):
    """A wish for a seat that cannot be had, or not now."""
