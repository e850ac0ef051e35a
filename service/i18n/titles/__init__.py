"""The titles of problems in the languages of the service; the English ones stand in the table of problems."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from service.web.problem_types import Problem


@cache
def read(language: str) -> Mapping[str, str]:
    """Titles by name of problem; none for English and for languages nobody wrote."""
    file = Path(__file__).with_name(f"{language}.json")
    return dict(json.loads(file.read_text())) if file.exists() else {}


def problem_title(problem: Problem, language: str) -> str:
    """The title of a problem in a language, in English where nobody wrote it."""
    return read(language).get(problem.name, problem.title)
