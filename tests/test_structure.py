"""Measures of how easily a newcomer finds the way: names of modules, typed signatures."""

import ast
import re
from collections import defaultdict

import pytest

from tests.support.source_tree import LAYERS, dotted, place, product, tree

ANY = 10  # % of the signatures of a package
SHARED_STEMS = 3  # modules of one name in different folders, before the name says nothing any more
ROOMS_OF_AN_AREA = {"__init__", "commands", "documents", "errors", "queries", "repository", "routes", "schemas"}
TWIN = re.compile("puerto_rico|spice_road")  # the folders of the two games may use the same names


def test_a_module_name_is_not_used_everywhere() -> None:
    places = defaultdict[str, set[str]](set)
    for module in product():
        if ROOMS_OF_AN_AREA.isdisjoint((module.stem, module.parent.name)):
            places[module.stem].add(TWIN.sub("*", place(module)))
    assert {name: sorted(where) for name, where in places.items() if len(where) > SHARED_STEMS} == {}


@pytest.mark.parametrize("package", [layer for layer in LAYERS if layer != "service"])
def test_few_signatures_say_any(package: str) -> None:
    signatures, untyped = 0, list[str]()
    for module in product():
        if dotted(module).split(".")[0] == package:
            for node in ast.walk(tree(module)):
                if isinstance(node, ast.FunctionDef):
                    signatures += 1
                    untyped += [f"{place(module)}: {node.name}"] if says_any(node) else []
    assert len(untyped) <= ANY * signatures / 100, untyped


def says_any(function: ast.FunctionDef) -> bool:
    arguments = function.args
    annotated = [one.annotation for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    notes = [note for note in (*annotated, function.returns) if note is not None]
    return any(isinstance(part, ast.Name) and part.id == "Any" for note in notes for part in ast.walk(note))
