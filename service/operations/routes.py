"""Routes of health checks."""

from http import HTTPStatus
from typing import Final, TypedDict

from service.i18n.messages import translate
from service.operations.queries import Readiness
from service.operations.schemas import Alive, ProblemTypes, Ready
from service.web.problem_types import PROBLEMS, TYPE_PREFIX, Problem
from service.web.responses import request_language
from service.web.routing import Routes, container

REMEDIES: Final = {  # status -> what a program does
    HTTPStatus.UNAUTHORIZED: "authenticate",
    HTTPStatus.CONFLICT: "read_again",
    HTTPStatus.TOO_MANY_REQUESTS: "wait",
    HTTPStatus.SERVICE_UNAVAILABLE: "wait",
}
routes = Routes("operations", "Health, for load balancers and operators")


@routes.on("GET", "/healthz", answers=Alive, counted=False)
def alive() -> dict[str, str]:
    """Whether the process answers; asks no store."""
    return {"status": "ok"}


@routes.on("GET", "/readyz", answers=Ready, refuses=(503,), counted=False)
def ready() -> Readiness:
    """Whether moves can be taken; names the store that is missing, and the state of every check."""
    return container().health.readiness()


class ProblemType(TypedDict):
    """A problem type as clients read it."""

    name: str
    type: str
    status: int
    title: str
    meaning: str
    remedy: str


@routes.on("GET", "/v1/problems", answers=ProblemTypes)
def problem_types() -> dict[str, list[ProblemType]]:
    """Every type of problem with its status and what a program does about it, to make typed errors from."""
    language = request_language()
    found = {problem.name: _problem(problem, error.__doc__ or "", language) for error, problem in PROBLEMS.items()}
    return {"problems": [found[name] for name in sorted(found)]}


def _problem(problem: Problem, meaning: str, language: str) -> ProblemType:
    return {
        "name": problem.name,
        "type": TYPE_PREFIX + problem.name,
        "status": problem.status,
        "title": translate(problem.title, language),
        "meaning": " ".join(meaning.split()),
        "remedy": REMEDIES.get(HTTPStatus(problem.status), "change"),
    }
