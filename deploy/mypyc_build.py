"""Run inside a copy of the project: compiles the modules named on the command line beside their sources."""

import sys
from typing import Any

from mypyc.build import mypycify
from setuptools import setup

if __name__ == "__main__":
    options = ["--config-file=", "--strict", "--explicit-package-bases"]
    extensions: list[Any] = list(mypycify([*options, *sys.argv[1:]], opt_level="3"))
    setup(name="rules", packages=[], ext_modules=extensions, script_args=["build_ext", "--inplace"])
