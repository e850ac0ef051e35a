"""Compiles the named modules beside their sources, at an optimisation level; runs inside a copy of the project."""

import sys
from typing import Any

from mypyc.build import mypycify
from setuptools import setup

if __name__ == "__main__":
    options = ["--config-file=", "--strict", "--explicit-package-bases"]
    level, *modules = sys.argv[1:]
    extensions: list[Any] = list(mypycify([*options, *modules], opt_level=level))
    setup(name="rules", packages=[], ext_modules=extensions, script_args=["build_ext", "--inplace"])
