"""The problem types as the page of errors shows them."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import NamedTuple

from service.i18n.messages import translate
from service.web.openapi.problem_members import ProblemMember, members_of
from service.web.problem_types import PROBLEMS, remedy


class ShownProblem(NamedTuple):
    """A problem type on the page."""

    name: str  # the anchor
    status: int
    phrase: str  # of the status
    title: str
    meaning: str  # in English
    remedy: str
    members: Mapping[str, ProblemMember]


def shown_problems(language: str) -> Sequence[ShownProblem]:
    """Returns every problem type, by name."""
    rows = [
        ShownProblem(
            problem.name,
            problem.status,
            HTTPStatus(problem.status).phrase,
            translate(problem.title, language),
            (error.__doc__ or "").strip(),
            remedy(problem),
            members_of(problem.name),
        )
        for error, problem in PROBLEMS.items()
    ]
    return sorted({row.name: row for row in rows}.values(), key=lambda row: row.name)
