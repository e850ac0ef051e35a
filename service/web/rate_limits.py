"""Limits what clients ask for, by cost: address, account and token are counted together, and each has the limit."""

import time
from collections.abc import Mapping
from typing import Final, NamedTuple

from flask import Flask, Response, g, request
from werkzeug.exceptions import TooManyRequests

from events.messages import Message
from service.container import Container
from service.core.networks import network_of
from service.players.identity import Identity, secret_hash
from service.web.auth import BEARER, SESSION_COOKIE
from service.web.live.parking import runs_again
from service.web.rate_counters import RateCounters
from service.web.request_costs import LOGINS, answer_cost, request_cost, scaled

MINUTE: Final = 60
SHARES: Final = 100  # into which a process divides the limit of everybody: with each it asks what the others counted
NO_QUERY: Final[Mapping[str, str]] = {}
MOST_OF_A_COOKIE: Final = 200  # characters that are hashed before authentication


class RemainingRequests(NamedTuple):
    """The state of the limit that is nearest, and what this request cost."""

    most: int
    spent: int
    ends: float
    cost: int

    @property
    def left(self) -> int:
        """What may still be spent."""
        return max(0, self.most - self.spent)

    @property
    def seconds(self) -> int:
        """Seconds until the limit is renewed, at least one."""
        return min(MINUTE, max(1, int(self.ends + 1 - time.time())))


class RateLimits:
    """Counts the costs of requests for all who are behind them."""

    def __init__(self, container: Container) -> None:
        self._container = container
        self._counts = RateCounters(container.stores.redis)
        self._most = container.settings.requests_per_minute
        self._login = max(1, self._most // container.settings.logins_per_minute)

    def count(self) -> None:
        """Counts a request; raises TooManyRequests when the address, the account or the token has spent the limit."""
        cost = self._cost()
        if not cost:
            return
        g.limited = clients(self._container)
        if runs_again():
            g.budget = self._spend(g.limited, 0)._replace(cost=cost)  # was counted before it waited
            return
        g.budget = self._spend(g.limited, cost)
        if g.budget.spent > self._most:
            raise TooManyRequests(Message("{most} units per minute", most=self._most))

    def tell(self, response: Response) -> Response:
        """Counts the size of an answer, and adds the headers of the limit."""
        budget: RemainingRequests | None = g.get("budget")
        if budget is None:
            return response
        size = 0 if response.is_streamed else response.content_length or 0
        if more := answer_cost(size):
            further = self._spend(g.limited, scaled(more, self._most))
            budget = further._replace(cost=budget.cost + further.cost)
        response.headers.add("RateLimit-Policy", f'"minute";q={budget.most};w={MINUTE}')
        response.headers.add("RateLimit", f'"minute";r={budget.left};t={budget.seconds}')
        response.headers.add("RateLimit-Cost", str(budget.cost))
        if response.status_code == TooManyRequests.code and "Retry-After" not in response.headers:
            response.headers["Retry-After"] = str(budget.seconds)
        return response

    def _cost(self) -> int:
        if request.endpoint in LOGINS:
            return self._login
        query = request.args if request.query_string else NO_QUERY
        return scaled(request_cost(request.endpoint, request.method, query), self._most)

    def _spend(self, limited: list[str], cost: int) -> RemainingRequests:
        """Counts a cost for all of them. Returns the state of the one that has spent most."""
        share = max(1, self._most // SHARES)
        spent = {name: self._counts.count(name, MINUTE, cost, share) for name in limited}
        nearest = max(limited, key=spent.__getitem__)
        return RemainingRequests(self._most, spent[nearest], self._counts.ends(nearest), cost)


def install_rate_limits(app: Flask, container: Container) -> None:
    """Counts and limits the requests of the application."""
    limits = RateLimits(container)
    app.before_request(limits.count)
    app.after_request(limits.tell)


def clients(container: Container) -> list[str]:
    """Returns who is counted: the address and, for a valid token or session, the account and the token.

    Invented tokens gain nothing; many accounts at one address gain nothing either.
    """
    counted = [f"address {network_of(request.remote_addr)}"]
    hidden = _secret_hash()
    known: Identity | None = None if hidden is None else container.authenticator.known(hidden)
    if hidden is not None and known is not None:
        counted += [f"account {known.id}", f"token {hidden.hex()[:32]}"]
    return counted


def is_known(container: Container) -> bool:
    """Returns whether the client is a guest, or has an account that this process knows."""
    hidden = _secret_hash()
    return hidden is None or container.authenticator.known(hidden) is not None


def _secret_hash() -> bytes | None:
    """Returns the hash of the token or session of the request; None without one."""
    header = request.headers.get("Authorization")
    secret = request.cookies.get(SESSION_COOKIE) if header is None else header[len(BEARER) :].strip()
    return None if not secret else secret_hash(secret[:MOST_OF_A_COOKIE])
