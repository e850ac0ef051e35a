"""Builds wheels: setuptools as it is, and with CABILDO_COMPILED_WHEEL=1 the rules compiled to C in them.

`[tool.cibuildwheel]` in pyproject.toml sets that for the usual platforms; `deploy/up` compiles by itself instead.
"""

import os
from pathlib import Path
from typing import Any, Final

from setuptools import build_meta

COMPILED: Final = "CABILDO_COMPILED_WHEEL"
MYPYC: Final = ("mypy>=2.4,<3",)  # as the extra `compile` has it
SETUP: Final = str(Path(__file__).with_name("compiled_setup.py"))


class Backend(build_meta._BuildMetaBackend):  # noqa: SLF001  # the class of setuptools' own hooks
    """The hooks of setuptools; wheels with compiled rules take a setup script that names them."""

    def run_setup(self, setup_script: str = "setup.py") -> None:
        """Runs the setup script of the wheel that is built."""
        super().run_setup(SETUP if os.environ.get(COMPILED) == "1" else setup_script)

    def get_requires_for_build_wheel(self, config_settings: Any = None) -> list[str]:
        """Returns what the build of a wheel needs: the compiler besides, where rules are compiled."""
        return [*MYPYC] if os.environ.get(COMPILED) == "1" else super().get_requires_for_build_wheel(config_settings)


_BACKEND: Final = Backend()
build_editable = _BACKEND.build_editable
build_sdist = _BACKEND.build_sdist
build_wheel = _BACKEND.build_wheel
get_requires_for_build_editable = _BACKEND.get_requires_for_build_editable
get_requires_for_build_sdist = _BACKEND.get_requires_for_build_sdist
get_requires_for_build_wheel = _BACKEND.get_requires_for_build_wheel
prepare_metadata_for_build_editable = _BACKEND.prepare_metadata_for_build_editable
prepare_metadata_for_build_wheel = _BACKEND.prepare_metadata_for_build_wheel
