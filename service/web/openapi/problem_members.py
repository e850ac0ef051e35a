"""The members of each problem type beside those that all problems have: what the code puts there, and what it means."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypedDict

from service.web.problem_types import PROBLEMS, TYPE_PREFIX

FILE: Final = Path(__file__).with_name("problem_members.json")
BASE: Final = "ProblemDocument"


class ProblemMember(TypedDict):
    """A member, as JSON Schema describes it."""

    type: str | list[str]
    description: str


MEMBERS: Final[Mapping[str, Mapping[str, ProblemMember]]] = json.loads(FILE.read_text(encoding="utf-8"))


def members_of(name: str) -> Mapping[str, ProblemMember]:
    """Returns the members of a problem type."""
    return MEMBERS.get(name, {})


def add_problem_schemas(document: Mapping[str, Any]) -> None:
    """Adds a schema of each problem type to an OpenAPI document."""
    schemas = document["components"]["schemas"]
    for error, problem in sorted(PROBLEMS.items(), key=lambda row: row[1].name):
        told = {
            "type": {"const": TYPE_PREFIX + problem.name},
            "status": {"const": problem.status},
            **members_of(problem.name),
        }
        schemas[f"Problem_{problem.name}"] = {
            "description": (error.__doc__ or "").strip(),
            "allOf": [{"$ref": f"#/components/schemas/{BASE}"}, {"type": "object", "properties": told}],
        }
