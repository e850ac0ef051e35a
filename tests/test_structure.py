"""Measures of how easily a newcomer finds the way: names, lengths and imports of modules, typed signatures."""

import ast
import re
from collections import Counter, defaultdict
from graphlib import TopologicalSorter

import pytest

from tests.support.source_tree import LAYERS, dotted, imports_of_product, place, product, tree

LONGEST_MODULE = 300  # lines
MOST_IN_A_FOLDER = 20  # modules
LONGEST_CHAIN = 25  # modules, each of which imports the next
ONE_FILE_ON_PURPOSE = "deploy/verify_standalone.py"  # an auditor takes it away and reads it alone
ANY = 10  # % of the signatures of a package
SHARED_STEMS = 3  # modules of one name in different folders, before the name says nothing any more
ROOMS_OF_AN_AREA = {"__init__", "commands", "documents", "errors", "queries", "repository", "routes", "schemas"}
TWIN = re.compile("puerto_rico|spice_road")  # the folders of the two games may use the same names


def test_modules_are_short() -> None:
    lengths = {place(module): len(module.read_text().splitlines()) for module in product()}
    assert [name for name, lines in lengths.items() if lines > LONGEST_MODULE and name != ONE_FILE_ON_PURPOSE] == []


def test_folders_hold_few_modules() -> None:
    folders = Counter(place(module.parent) for module in product() if module.name != "__init__.py")
    assert {folder: count for folder, count in folders.items() if count > MOST_IN_A_FOLDER} == {}


def test_chains_of_imports_are_short() -> None:
    imports, longest = imports_of_product(), dict[str, list[str]]()
    for module in TopologicalSorter(imports).static_order():  # imported modules first; raises CycleError
        chains = [longest[name] for name in sorted(imports[module])]
        longest[module] = [module, *max(chains, key=len, default=[])]
    chain = max(longest.values(), key=len)
    assert len(chain) <= LONGEST_CHAIN, chain


def test_pages_import_no_routes() -> None:
    pages = {name: modules for name, modules in imports_of_product().items() if name.startswith("service.pages")}
    found = {name: [module for module in modules if "routes" in module] for name, modules in pages.items()}
    assert {name: modules for name, modules in found.items() if modules} == {}


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
