"""Takes the rules and the bots compiled to C where the environment names a folder of them that fits the sources.

This runs before any other module of the rules is imported, so that a process has one kind of them and never both.
"""

import hashlib
import os
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

VARIABLE: Final = "CABILDO_COMPILED_RULES"
SUFFIX: Final = str(sysconfig.get_config_var("EXT_SUFFIX"))  # of compiled modules of this Python
PROJECT: Final = Path(__file__).resolve().parents[2]
SOURCES: Final = ("events/json_types.py", "projections/rules", "workers/bots")  # what compiled code was made of


class CompiledModules(MetaPathFinder):
    """Finds modules in a folder of compiled ones, by their places in the project."""

    def __init__(self, folder: Path) -> None:
        places = folder.rglob(f"*{SUFFIX}")
        self._places: Mapping[str, Path] = {
            ".".join(place.relative_to(folder).parts).removesuffix(SUFFIX): place for place in places
        }

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Returns where a compiled module lies; None for any other."""
        place = self._places.get(fullname)
        return None if place is None else spec_from_file_location(fullname, place)


def install() -> None:
    """Takes compiled modules from the folder that the environment names, if they were made of these sources."""
    named = os.environ.get(VARIABLE)
    if named and Path(named).name == folder_name() and Path(named).is_dir():
        sys.meta_path.insert(0, CompiledModules(Path(named)))


def folder_name(project: Path = PROJECT) -> str:
    """Returns the name of the folder for compiled modules of these sources and this Python."""
    found = hashlib.sha256(f"{sys.version} {SUFFIX}".encode())
    for source in SOURCES:
        place = project / source
        for module in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            found.update(module.relative_to(project).as_posix().encode() + b"\0" + module.read_bytes() + b"\0")
    return f"rules-{found.hexdigest()[:16]}"
