"""The ways through the product that the architecture page draws follow the imports of the code."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STEP = re.compile(r"^( {4,})((?:events|projections|service|workers)/[\w/]+)\.py")
DISPATCHED = {  # a step calls the next one by a table, a name or a message
    "service.web.routing": "routes are registered with the application",
    "service.live.protocol": "the source is given to it",
    "service.core.announce": "jobs and messages travel through Redis",
    "workers.queue_worker": "RQ imports a job by its name",
}


@cache
def imported(module: str) -> frozenset[str]:
    """Returns the modules of the project that a module imports."""
    path = ROOT / (module.replace(".", "/") + ".py")
    path = path if path.exists() else path.with_suffix("") / "__init__.py"
    found: set[str] = set()
    if path.exists():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(found)


@cache
def reachable(module: str) -> frozenset[str]:
    """Returns the modules that a module imports, directly or not."""
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        new = imported(waiting.pop()) - seen
        seen |= new
        waiting += new
    return frozenset(seen)


def steps() -> Iterator[tuple[str, str]]:
    """Yields each drawn step with the one that it is drawn under."""
    above: list[tuple[int, str]] = []
    for line in (ROOT / "deploy" / "docs" / "architecture.md").read_text().splitlines():
        if not line.startswith("    "):
            above.clear()
        elif step := STEP.match(line):
            depth, name = len(step[1]), step[2].replace("/", ".")
            while above and above[-1][0] >= depth:
                above.pop()
            if above:
                yield above[-1][1], name
            above.append((depth, name))


@pytest.mark.parametrize(("caller", "callee"), [step for step in steps() if step[0] not in DISPATCHED])
def test_a_step_of_a_walk_is_imported_by_the_one_above(caller: str, callee: str) -> None:
    assert callee in reachable(caller)


def test_the_page_draws_the_six_walks() -> None:
    page = (ROOT / "deploy" / "docs" / "architecture.md").read_text()
    assert len(re.findall(r"^## The way of ", page, re.MULTILINE)) == 6
    assert len(list(steps())) > 40
