"""The setup script of wheels with compiled rules; pyproject.toml says everything else."""

import sys
from pathlib import Path
from typing import Any

from setuptools import setup

if __name__ == "__main__":
    sys.path.insert(0, str(Path.cwd()))
    from mypyc.build import mypycify

    from deploy.compiled_modules import BEST, OPTIONS, modules

    extensions: list[Any] = list(mypycify([*OPTIONS, *modules()], opt_level=BEST, debug_level="0"))
    setup(ext_modules=extensions)
