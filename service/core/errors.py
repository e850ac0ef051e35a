"""Errors of the service, besides those of the rules and the event store."""

from collections.abc import Sequence
from uuid import UUID

from events.errors import CabildoError
from events.messages import Message


class Refusal(CabildoError):
    """A refusal with a code and a sentence with values."""

    def __init__(self, reason: str, sentence: str, /, **values: object) -> None:
        super().__init__(sentence, **values)
        self.reason = reason


class BadSettings(CabildoError):
    """The settings are invalid; the error names every fault."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = tuple(faults)


class StoreUnavailable(CabildoError):
    """A store does not answer."""

    def __init__(self, store: str) -> None:
        super().__init__("{store} does not answer; try again shortly", store=store)
        self.store = store


class ServiceBusy(CabildoError):
    """The service does as much of some work as it does at once, and as much waits as may wait."""

    def __init__(self, work: str, retry_after: int) -> None:
        super().__init__(
            "the service has all the {work} it does at once; try again in {seconds} seconds",
            work=work,
            seconds=retry_after,
        )
        self.work = work
        self.retry_after = retry_after


class TooManyAttempts(CabildoError):
    """Too many logins failed, or too many accounts were registered, here or for this account."""

    def __init__(self, retry_after: int) -> None:
        super().__init__("too many attempts; try again in {seconds} seconds", seconds=retry_after)
        self.retry_after = retry_after


class TooManyStreams(CabildoError):
    """The network or the account has as many open streams as it may have."""

    def __init__(self, counted: str, most: int) -> None:
        super().__init__(
            "one address may have {most} streams open; end another one first"
            if counted == "network"
            else "one account may have {most} streams open; end another one first",
            most=most,
        )
        self.counted = counted
        self.most = most
        self.retry_after = 10


class StreamsFull(CabildoError):
    """As many streams are open as the service serves."""

    def __init__(self) -> None:
        super().__init__("the service has no room for another stream; try again shortly, or ask without one")


class UnreadableBody(CabildoError):
    """The body of the request is not the expected JSON."""

    def __init__(self, reason: str, /, **values: object) -> None:
        super().__init__(reason, **values)
        self.reason = str(self)


class InvalidRequest(CabildoError):
    """The request is readable, but some of its fields are invalid."""

    def __init__(self, errors: object) -> None:
        super().__init__("some fields are invalid")
        self.errors = errors


class Unauthenticated(CabildoError):
    """The request has no valid token or session."""

    def __init__(self, reason: str, /, **values: object) -> None:
        super().__init__(reason, **values)
        self.reason = str(self)


class AccessEnded(CabildoError):
    """The right to a long poll ended while it waited: of the token, session or account, or to what it follows."""

    def __init__(self) -> None:
        super().__init__("your access ended while the request waited; authenticate again")


class ScopeMissing(CabildoError):
    """The token lacks the scope of this operation."""

    def __init__(self, scope: str, has: Sequence[str]) -> None:
        super().__init__("a token with the scope {scope} is required", scope=scope)
        self.scope = scope
        self.has = tuple(has)


class NotAllowed(Refusal):
    """The player may not do this."""


class NotThere(CabildoError):
    """The resource does not exist, or the player may not see it."""

    def __init__(self, what: str, name: object) -> None:
        super().__init__("there is no {what} {name}", what=Message(what), name=name)
        self.what = what
        self.name = str(name)


class TableClosed(CabildoError):
    """The table shares its deal with unfinished tables; it opens when the last of them has ended."""

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


class NameConfusable(CabildoError):
    """The name looks like another player's."""

    def __init__(self, name: str) -> None:
        super().__init__("the name {name!r} looks like the name of another player; choose another", name=name)
        self.name = name


class NameReserved(CabildoError):
    """The name speaks for the service."""

    def __init__(self, name: str) -> None:
        super().__init__("the name {name!r} is reserved for the service; choose another", name=name)
        self.name = name


class BadName(CabildoError):
    """The text cannot be a player's name."""

    def __init__(self, name: str, reason: str, /, **values: object) -> None:
        why = Message(reason, **values)
        super().__init__("the name {name!r} is not allowed: {reason}", name=name, reason=why)
        self.name = name
        self.reason = str(why)


class NotRunning(CabildoError):
    """The operation needs a running game."""

    def __init__(self, status: str) -> None:
        super().__init__("the game is {status}, not running", status=Message(status))
        self.status = status


class NotOpen(CabildoError):
    """The operation needs a game that has not started."""

    def __init__(self, status: str) -> None:
        super().__init__("the game is {status}, not open", status=Message(status))
        self.status = status


class SignatureRefused(Refusal):
    """The move lacks the signature that its seat has promised, or has one that cannot be verified."""


class NoFreeChair(Refusal):
    """There is no chair for this player at the table."""


class ChanceRefused(Refusal):
    """The seat's contribution does not fit the game's level of committed chance or its state."""


class RematchProposed(CabildoError):
    """Another player has proposed the rematch of this game."""

    def __init__(self, game: str) -> None:
        super().__init__("a rematch of {game} exists", game=game)
        self.game = game


class QuotaReached(CabildoError):
    """The account has as many of these as it may have."""

    def __init__(self, quota: str, noun: Message, limit: int) -> None:
        super().__init__(
            "your account may have {limit} {what} and no more; end or delete one first", limit=limit, what=noun
        )
        self.quota = quota
        self.limit = limit


class WebhookRefused(Refusal):
    """The service does not call this address, or accepts no further webhook."""


class TooMuchToVerify(CabildoError):
    """The upload is larger than the service verifies; `cabildo verify` verifies it at home."""

    def __init__(self, size: int, most: int) -> None:
        super().__init__("{size} bytes unpacked, {most} at most; run cabildo verify at home", size=size, most=most)
        self.size = size
        self.most = most


class VerificationStopped(CabildoError):
    """The verification takes more time or memory than the service spends on one; `cabildo verify` has no limits."""

    def __init__(self, lacks: str, seconds: int) -> None:
        super().__init__("not verified within {seconds} seconds and 1 GiB; run cabildo verify at home", seconds=seconds)
        self.lacks = lacks
        self.seconds = seconds


class NotSealed(CabildoError):
    """The request depends on an event that no signed checkpoint covers yet."""

    def __init__(self, seq: int) -> None:
        super().__init__("event {seq} is not sealed yet; try again shortly", seq=seq)
        self.seq = seq


class ChanceHidden(CabildoError):
    """The dry run would draw, and draws stay hidden until the move is made."""

    def __init__(self, possible: tuple[str, ...]) -> None:
        super().__init__("the move draws, and chance is not revealed before it is made")
        self.possible = possible


class UndoRefused(Refusal):
    """The move cannot be taken back."""


class RulesNotMoved(Refusal):
    """The game cannot be moved to these rules; the error names the first event that differs."""

    def __init__(self, reason: str, sentence: str, event: int, /, **values: object) -> None:
        super().__init__(reason, sentence, **values)
        self.event = event


class OfferRefused(Refusal):
    """There is no such offer to answer, or none can be made now."""


class NotAtThisStage(CabildoError):
    """The tournament or its round is at the wrong stage for this operation."""

    def __init__(self, status: str, sentence: str, /, **values: object) -> None:
        super().__init__(sentence, **values)
        self.status = status


class EntryRefused(Refusal):
    """The player cannot enter the tournament, or not in this way."""


class RulingRefused(Refusal):
    """The ruling is not possible."""


class WishRefused(Refusal):
    """The wish for a seat is not possible, or not now."""
