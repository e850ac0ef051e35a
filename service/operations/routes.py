"""Routes of health checks."""

from service.operations.queries import Readiness
from service.operations.schemas import Alive, Ready
from service.web.routing import Routes, container

routes = Routes("operations", "Health, for load balancers and operators")


@routes.on("GET", "/healthz", answers=Alive, counted=False)
def alive() -> dict[str, str]:
    """Whether the process answers; asks no store."""
    return {"status": "ok"}


@routes.on("GET", "/readyz", answers=Ready, refuses=(503,), counted=False)
def ready() -> Readiness:
    """Whether moves can be taken; names the store that is missing, and the state of every check."""
    return container().health.readiness()
