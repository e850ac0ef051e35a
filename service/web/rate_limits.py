"""Rate limits per token or address; every response carries the remaining requests."""

import time
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import structlog
from flask import Flask, Response, g, request
from flask_limiter import Limiter
from werkzeug.exceptions import TooManyRequests

from events.messages import Message
from service.container import Container
from service.players.identity import secret_hash
from service.web.auth import BEARER
from service.web.fastpath import init_limiter, request_header
from service.web.rate_counters import SCHEME, RateCounters

MINUTE: Final = 60
SHARES: Final = 100  # into which a process divides the limit of everybody: with each it asks what the others counted
STRICTER_LIMITS: Final[Mapping[str, str]] = {  # by address, for what costs more or invites guessing
    "players.register": "600/minute",
    "accounts.register": "600/minute",
    "analysis.analysis": "1200/minute",
    "records.enter": "600/minute",
    "bundles.verify": "120/minute",
    "webhooks.create": "600/minute",
    "webhooks.try_out": "600/minute",
    "webhook_pages.make": "600/minute",
    "webhook_pages.try_out": "600/minute",
}
UNLIMITED: Final = frozenset(("operations.alive", "operations.ready"))
log = structlog.get_logger("service.web.rate_limits")


class RemainingRequests(NamedTuple):
    """The remaining requests of a limit."""

    most: int
    left: int
    ends: float

    @property
    def seconds(self) -> int:
        """Seconds until the limit is renewed, at least one."""
        return min(MINUTE, max(1, int(self.ends + 1 - time.time())))


def install_rate_limits(app: Flask, container: Container) -> None:
    """Counts and limits the requests of the application."""
    options: dict[str, Any] = {"client": container.stores.redis}
    limiter = Limiter(client_address, storage_uri=f"{SCHEME}://", storage_options=options)
    init_limiter(limiter, app)
    views: dict[str, Any] = app.view_functions
    logins = dict.fromkeys(("players.log_in", "accounts.log_in"), f"{container.settings.logins_per_minute}/minute")
    for endpoint, limit in {**STRICTER_LIMITS, **logins}.items():
        views[endpoint] = limiter.limit(limit, key_func=client_address, error_message=_message(limit))(views[endpoint])
    strict = STRICTER_LIMITS.keys() | logins.keys()
    counts, most = limiter.storage, container.settings.requests_per_minute
    assert isinstance(counts, RateCounters)

    @app.before_request
    def count() -> None:
        """Counts a request towards the common limit; raises TooManyRequests."""
        if (endpoint := request.endpoint) in UNLIMITED or endpoint in strict:
            return
        who = client_key(container)
        spent = counts.count(who, MINUTE, share=most // SHARES)
        g.budget = RemainingRequests(most, max(0, most - spent), counts.get_expiry(who))
        if spent > most:
            raise TooManyRequests(Message("{most} requests per minute", most=most))

    @app.after_request
    def tell(response: Response) -> Response:
        """Adds the RateLimit headers of the limit that applies to the request."""
        budget = _of_endpoint(limiter) if request.endpoint in strict else g.get("budget")
        if budget is not None:
            response.headers.add("RateLimit-Policy", f'"minute";q={budget.most};w={MINUTE}')
            response.headers.add("RateLimit", f'"minute";r={budget.left};t={budget.seconds}')
            if response.status_code == TooManyRequests.code and "Retry-After" not in response.headers:
                response.headers["Retry-After"] = str(budget.seconds)
        return response


def _message(limit: str) -> Message:
    return Message("{most} per 1 minute", most=limit.partition("/")[0])


def _of_endpoint(limiter: Limiter) -> RemainingRequests | None:
    current = limiter.current_limit
    return None if current is None else RemainingRequests(current.limit.amount, current.remaining, current.reset_at - 1)


def client_key(container: Container) -> str:
    """Returns the key to count by: a valid token or the address; invented tokens gain nothing."""
    header = request_header("Authorization")
    if header is None:
        return client_address()
    hidden = secret_hash(header[len(BEARER) :].strip())
    return f"token {hidden.hex()[:32]}" if container.authenticator.knows(hidden) else client_address()


def client_address() -> str:
    """Returns the address of the client."""
    return f"address {request.remote_addr}"
