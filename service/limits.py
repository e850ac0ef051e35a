"""How much anybody may ask for in a minute, per token or address; told with every answer."""

import time
from collections.abc import Mapping
from typing import Any, Final

import structlog
from flask import Flask, Response, request
from flask_limiter import Limiter

from service.askers import BEARER
from service.credentials import hashed
from service.leases import SCHEME
from service.world import World

STRICTER: Final[Mapping[str, str]] = {  # by address, for what costs more or invites guessing
    "players.register": "600/minute",
    "accounts.register": "600/minute",
    "analysis.analysis": "1200/minute",
    "records.enter": "600/minute",
    "bundles.verify": "120/minute",
}
FREE: Final = frozenset(("operations.alive", "operations.ready", "operations.metrics"))
log = structlog.get_logger("service.limits")


def limit_all(app: Flask, world: World) -> None:
    """Count and limit the requests of the application."""

    def who() -> str:
        """A token that is known, or the address: who makes tokens up gains nothing by it."""
        header = request.headers.get("Authorization", "")
        hidden = hashed(header[len(BEARER) :].strip())
        return f"token {hidden.hex()[:32]}" if world.gate.knows(hidden) else address()

    options: dict[str, Any] = {"client": world.stores.redis}
    limiter = Limiter(
        who,
        app=app,
        storage_uri=f"{SCHEME}://",
        storage_options=options,
        default_limits=[f"{world.settings.requests_per_minute}/minute"],
        default_limits_exempt_when=lambda: request.endpoint in FREE,
    )
    views: dict[str, Any] = app.view_functions
    logins = dict.fromkeys(("players.log_in", "accounts.log_in"), f"{world.settings.logins_per_minute}/minute")
    for endpoint, limit in {**STRICTER, **logins}.items():
        views[endpoint] = limiter.limit(limit, key_func=address)(views[endpoint])

    @app.after_request
    def tell(response: Response) -> Response:
        """The limit that matters most for the request, and what is left of it."""
        current = limiter.current_limit
        if current is not None:
            window = current.limit.get_expiry()
            seconds = min(window, max(1, current.reset_at - int(time.time())))
            response.headers["RateLimit-Policy"] = f'"minute";q={current.limit.amount};w={window}'
            response.headers["RateLimit"] = f'"minute";r={current.remaining};t={seconds}'
            if current.breached:
                response.headers["Retry-After"] = str(seconds)
        return response


def address() -> str:
    """Where a request comes from."""
    return f"address {request.remote_addr}"
