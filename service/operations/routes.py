"""Whether this process lives, whether it can serve, and the numbers an operator watches."""

from flask import Response
from marshmallow import Schema, fields
from prometheus_client import CONTENT_TYPE_LATEST

from service.core.errors import StoreUnavailable
from service.web.metrics import exposition
from service.web.routing import Routes, container

routes = Routes("operations", "Health and metrics, for load balancers and operators")
NEEDED = "postgresql"  # without Redis moves are still accepted; bots and streams catch up


class Alive(Schema):
    """The process answers."""

    status = fields.String(required=True, metadata={"description": "always ok"})


class Ready(Schema):
    """Which stores answer."""

    status = fields.String(required=True, metadata={"description": "ready, or degraded while Redis is away"})
    missing = fields.List(fields.String(), required=True, metadata={"description": "the stores that do not answer"})


@routes.on("GET", "/healthz", answers=Alive, counted=False)
def alive() -> dict[str, str]:
    """Whether the process answers; asks no store."""
    return {"status": "ok"}


@routes.on("GET", "/readyz", answers=Ready, refuses=(503,), counted=False)
def ready() -> dict[str, object]:
    """Whether moves can be taken; names the store that is missing."""
    missing = container().stores.missing()
    if NEEDED in missing:
        raise StoreUnavailable(" and ".join(missing))
    return {"status": "degraded" if missing else "ready", "missing": missing}


@routes.on("GET", "/metrics", streams=("text/plain",), counted=False)
def metrics() -> Response:
    """Metrics in Prometheus' text format."""
    return Response(exposition(container().stores), content_type=CONTENT_TYPE_LATEST)
