"""Typed errors: one class for each kind of refusal that a program treats in its own way."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from cabildo_client.json_values import Json


class ClientError(Exception):
    """Base class of all errors of this package."""


class Unreachable(ClientError):
    """The service did not answer in time."""


class UnreadableAnswer(ClientError):
    """The service answered something else than its documents promise."""


class BrokenHistory(ClientError):
    """The events of a stream do not form one hash chain: the service shows another history than before."""


class BrokenReceipt(ClientError):
    """A receipt does not fit the answer that it came with."""


class MissingExtra(ClientError):
    """A function needs a package that is not installed."""

    def __init__(self, extra: str) -> None:
        super().__init__(
            f"this needs the extra {extra}: in a checkout of Cabildo, "
            f"python -m pip install './deploy/clients/python[{extra}]'"
        )
        self.extra = extra


class NoToken(ClientError):
    """No token was given, or the file or variable holds something else."""


class Refused(ClientError):
    """The service refuses a request, with an RFC 9457 problem. Base class of all typed refusals."""

    def __init__(self, status: int, problem: Mapping[str, Json]) -> None:
        super().__init__(str(problem.get("detail") or problem.get("title") or f"status {status}"))
        self.status = status
        self.problem = problem
        self.reason = str(problem.get("type", "")).rpartition("#")[2]

    def detail(self, name: str) -> Json:
        """Returns a member of the problem, None when it is absent."""
        return self.problem.get(name)


class RefusedRequest(Refused):
    """The request does not fit its schema, or its body cannot be read."""


class BadMove(Refused):
    """The move is not legal now."""

    @property
    def alternatives(self) -> list[str]:
        """Moves that are legal instead, where the service names some."""
        named = self.detail("alternatives")
        return [str(move) for move in named] if isinstance(named, list) else []


class BadNotation(BadMove):
    """The text is not a move in the notation."""


class OtherTurn(BadMove):
    """Another seat is to act."""


class EndedGame(BadMove):
    """The game is over."""


class OutdatedVersion(Refused):
    """Another request was faster: read the game again."""


class RefusedAccess(Refused):
    """The token is missing, wrong, or may not do this."""


class WrongToken(RefusedAccess):
    """The request is not authenticated."""


class MissingScope(RefusedAccess):
    """The token lacks a scope."""


class Blocked(RefusedAccess):
    """The account is blocked until a time."""


class Absent(Refused):
    """Not found, or hidden from the player."""


class WrongMoment(Refused):
    """The state of the game, study or tournament does not allow this now."""


class ReachedLimit(Refused):
    """The account has as many of these as it may have, or asked too often."""


BY_TYPE: Final[Mapping[str, type[Refused]]] = {  # name of the problem type -> class
    "invalid_request": RefusedRequest,
    "unreadable_body": RefusedRequest,
    "illegal_move": BadMove,
    "unreadable_move": BadNotation,
    "not_your_turn": OtherTurn,
    "game_is_over": EndedGame,
    "stale_version": OutdatedVersion,
    "unauthenticated": WrongToken,
    "scope_missing": MissingScope,
    "not_allowed": RefusedAccess,
    "access_ended": RefusedAccess,
    "blocked": Blocked,
    "not_there": Absent,
    "not_open": WrongMoment,
    "not_running": WrongMoment,
    "not_sealed": WrongMoment,
    "no_free_chair": WrongMoment,
    "not_at_this_stage": WrongMoment,
    "game_runs": WrongMoment,
    "quota_reached": ReachedLimit,
    "limit_reached": ReachedLimit,
    "too_many_attempts": ReachedLimit,
    "too_many_streams": ReachedLimit,
}
BY_STATUS: Final[Mapping[int, type[Refused]]] = {  # for types that have no class of their own
    HTTPStatus.UNAUTHORIZED: WrongToken,
    HTTPStatus.FORBIDDEN: RefusedAccess,
    HTTPStatus.NOT_FOUND: Absent,
    HTTPStatus.GONE: Absent,
    HTTPStatus.TOO_MANY_REQUESTS: ReachedLimit,
}


def refusal(status: int, problem: Mapping[str, Json]) -> Refused:
    """Returns the error of a problem document, in its own class where it has one."""
    name = str(problem.get("type", "")).rpartition("#")[2]
    return BY_TYPE.get(name, BY_STATUS.get(status, Refused))(status, problem)
