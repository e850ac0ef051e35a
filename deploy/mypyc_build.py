"""Compiles the named modules beside their sources, at an optimisation level; runs inside a copy of the project."""

import sys
from typing import Any

from mypyc.build import mypycify
from setuptools import setup

from deploy.compiled_modules import OPTIONS

if __name__ == "__main__":
    level, *modules = sys.argv[1:]
    extensions: list[Any] = list(mypycify([*OPTIONS, *modules], opt_level=level, debug_level="0"))
    setup(name="rules", packages=[], ext_modules=extensions, script_args=["build_ext", "--inplace"])
