"""Tags of a page's script: the module, and hints for all modules that it imports, so that none waits for another."""

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

from flask import current_app, url_for
from markupsafe import Markup

IMPORTED: Final = re.compile(r"""^(?:import|export)\b(?:[^"';]*?\bfrom)?\s*"(\.[^"]+)";""", re.MULTILINE)
PRELOAD: Final = Markup('<link rel="modulepreload" href="{}">')  # one a module
SCRIPT: Final = Markup('<script type="module" src="{}"></script>')


def module(filename: str) -> Markup:
    """Returns the tags of a module in the static folder."""
    folder = Path(current_app.static_folder or "")
    hints = [PRELOAD.format(_url(name)) for name in imported_modules(folder, filename)]
    return Markup("\n").join([*hints, SCRIPT.format(_url(filename))])


@cache
def imported_modules(folder: Path, filename: str) -> tuple[str, ...]:
    """Returns the files that a module imports, and those that they import, nearest first."""
    found, waiting = dict.fromkeys([filename]), [filename]
    while waiting:
        at = waiting.pop(0)
        for path in IMPORTED.findall((folder / at).read_text()):
            name = normpath(join(dirname(at), path))
            if name not in found:
                found[name] = None
                waiting.append(name)
    return tuple(found)[1:]


def _url(filename: str) -> str:
    return url_for("static", filename=filename)
