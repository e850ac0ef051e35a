"""Checks the JavaScript of the pages and the TypeScript client with Node; `deploy/test` runs it."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parent.parent
PAGES: Final = PROJECT / ".javascript"  # checks of the pages' scripts: npm packages, their settings
CLIENT: Final = PROJECT / "deploy" / "clients" / "typescript"
NPM_TIMEOUT = 300  # seconds for all packages of a folder; a registry that hangs must not stop the tests
INSTALL: Final = ("npm", "ci", "--no-audit", "--no-fund")
LINT_PAGES: Final = (("npm", "run", "--silent", "lint"), ("npm", "run", "--silent", "types"))
TEST_PAGES: Final = ("npm", "test", "--silent")
CHECK_CLIENT: Final = (
    (sys.executable, "-m", "deploy.cli", "openapi", "--output", str(CLIENT / "build" / "openapi.json")),
    ("npm", "run", "--silent", "schema"),
    ("npm", "run", "--silent", "build"),
    ("npm", "test", "--silent"),
    ("npm", "pack", "--silent", "--pack-destination", "build"),
    (sys.executable, "-m", "pytest", "-q", "tests/service/client/drill_typescript.py"),
)
REQUIRED: Final = "CABILDO_SCRIPTS"  # a variable: with `required`, nothing may be left out
OLDEST_NODE: Final = (20, 19)
Status = int
Check = tuple[Path, Sequence[str]]  # a command, and where it runs


class Incomplete(Exception):
    """A check is left out, and none may be."""


def main() -> Status:
    """Runs the checks; returns the status of the first that fails, or 0.

    Says which checks are left out where Node, or a registry with the npm packages, is missing; with the variable
    CABILDO_SCRIPTS=required that is a failure, too.
    """
    try:
        if fault := fault_of_node():
            _leave_out(f"the JavaScript of the pages and the TypeScript client are NOT checked: {fault}")
            return 0
        return next(filter(None, (run(check) for checks in (pages(), client()) for check in checks)), 0)
    except Incomplete as missing:
        print(missing, file=sys.stderr)
        return 1


def pages() -> Iterator[Check]:
    """Yields the checks of the pages' scripts. Raises Incomplete."""
    if install_packages(PAGES):
        yield from ((PAGES, check) for check in LINT_PAGES)
    else:
        _leave_out("the JavaScript of the pages is tested, but NOT linted and type-checked: npm found no packages")
    yield PAGES, TEST_PAGES


def client() -> Iterator[Check]:
    """Yields the checks of the TypeScript client. Raises Incomplete."""
    if not install_packages(CLIENT):
        _leave_out("the TypeScript client is NOT checked: npm found no packages")
        return
    for check in CHECK_CLIENT:
        yield (PROJECT if check[0] == sys.executable else CLIENT), check


def fault_of_node() -> str:
    """Returns why Node cannot run the checks, empty where it can."""
    wanted = ".".join(map(str, OLDEST_NODE))
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return f"that needs Node {wanted}, with npm"
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    numbers = tuple(int(number) for number in re.findall(r"\d+", told)[:2])
    return "" if numbers >= OLDEST_NODE else f"that needs Node {wanted}, and this is {told or 'of no version'}"


def run(check: Check) -> Status:
    """Runs a check; returns its status."""
    where, command = check
    print("$", *command, flush=True)
    return subprocess.run(command, cwd=where, check=False).returncode


def install_packages(folder: Path) -> bool:
    """Installs the packages of a folder's lock file, unless they are there; returns whether that worked."""
    lock = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()
    installed = folder / "node_modules" / f"installed-{lock[:16]}"
    if installed.exists():
        return True
    print("$", *INSTALL, flush=True)
    try:
        subprocess.run(INSTALL, cwd=folder, check=True, timeout=NPM_TIMEOUT)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return False
    installed.touch()
    return True


def _leave_out(sentence: str) -> None:
    """Says what is not checked; raises Incomplete where everything has to be."""
    if os.environ.get(REQUIRED) == "required":
        raise Incomplete(sentence)
    print(sentence, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
