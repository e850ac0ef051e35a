"""Routes of health checks."""

from collections.abc import Sequence
from typing import TypedDict

from service.i18n.messages import translate
from service.operations.queries import Readiness
from service.operations.schemas import Alive, ProblemTypes, Ready
from service.web.openapi.problem_members import members_of
from service.web.problem_types import PROBLEMS, TYPE_PREFIX, Problem, remedy
from service.web.responses import request_language
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


class ListedMember(TypedDict):
    """A member of problems of a type as clients read it."""

    name: str
    types: Sequence[str]
    meaning: str


class ProblemType(TypedDict):
    """A problem type as clients read it."""

    name: str
    type: str
    status: int
    title: str
    meaning: str
    remedy: str
    members: Sequence[ListedMember]


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
        "remedy": remedy(problem),
        "members": [
            {
                "name": name,
                "types": [member["type"]] if isinstance(member["type"], str) else member["type"],
                "meaning": member["description"],
            }
            for name, member in members_of(problem.name).items()
        ],
    }
