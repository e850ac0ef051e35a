"""Dead code: every class, function, method and constant of the product is used by the product."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.support.source_tree import CLIENT, LAYERS, PROJECT, dotted, place, product, tree

WORD = re.compile(r"[A-Za-z_]\w*")
OTHER_TEXTS = {".html", ".js", ".json", ".sql"}  # may name functions that a template or a table uses
CALLED_BY_A_LIBRARY: Mapping[str, str] = {  # name -> the library that calls it
    "convert": "click",
    "find_spec": "importlib",
    "list_commands": "click",
    "ensure_sync": "flask",
    "url_rule_class": "flask",
    "init_spec": "apispec",
    "response_helper": "apispec",
    "operation_helper": "apispec",
    "reset": "pettingzoo",
    "chunk": "gunicorn",
    "get_thread_pool": "gunicorn",
    "handle_request": "gunicorn",
    "init_process": "gunicorn",
    "load_wsgi": "gunicorn",
    "data_ready": "gunicorn",
    "initialized": "gunicorn",
    "is_http2": "gunicorn",
    "observation_space": "pettingzoo",
    "action_space": "pettingzoo",
    "verification_uri": "authlib",
    "verification_uri_complete": "authlib",
}
SETTINGS_OF_GUNICORN = "service/gunicorn_conf.py"  # gunicorn reads every name of it
CLASSES_OF_AUTHLIB = "service/oauth/authlib_"  # modules whose classes Authlib calls
DISPATCHED = ("on_",)  # methods that are found by the kind of an event
OPTIONS_OF_A_SCHEMA = "Meta"  # marshmallow reads the class and its fields
SCHEMA_HOOKS = {"post_load", "pre_load", "post_dump", "validates_schema"}  # marshmallow calls the decorated functions
USED_OUTSIDE: Mapping[str, str] = {  # name -> the user
    "MemoryStore": "the contract of stores, in the tests",
    "COMMANDS": "the table of an area's commands, for its readers; a test holds it complete",
}
TABLE_OF_NUMBERS = "projections/rules/puerto_rico/buildings/printed.py"  # names each building, used or not


class Definition(NamedTuple):
    """A name that a module gives, and the class it stands in."""

    module: Path
    name: str
    line: int
    owner: str | None


def definitions() -> Iterator[Definition]:
    for module in product():
        if place(module) not in (SETTINGS_OF_GUNICORN, TABLE_OF_NUMBERS) and not place(module).startswith(CLIENT):
            found = defined(module, tree(module).body, None)
            called = place(module).startswith(CLASSES_OF_AUTHLIB)
            yield from (one for one in found if not (called and one.owner))


def defined(module: Path, body: list[ast.stmt], owner: str | None) -> Iterator[Definition]:
    for node in body:
        if isinstance(node, ast.ClassDef) and node.name != OPTIONS_OF_A_SCHEMA:
            if not registered(node):
                yield Definition(module, node.name, node.lineno, owner)
            yield from defined(module, node.body, node.name)
        elif isinstance(node, ast.FunctionDef) and not registered(node):
            yield Definition(module, node.name, node.lineno, owner)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for name in (part for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)):
                yield Definition(module, name.id, node.lineno, owner)


def registered(node: ast.ClassDef | ast.FunctionDef) -> bool:
    """Whether a decorator such as `@blueprint.get("/")` hands the definition to an object that calls it."""
    decorators = [one.func if isinstance(one, ast.Call) else one for one in node.decorator_list]
    return any(
        one.attr not in ("setter", "wraps") if isinstance(one, ast.Attribute) else one.id in SCHEMA_HOOKS
        for one in decorators
        if isinstance(one, ast.Attribute | ast.Name)
    )


class Uses(NamedTuple):
    """The names that the product uses, by how it reaches them."""

    by_module: Mapping[Path, frozenset[str]]  # loaded in the module that gives them
    imported: frozenset[tuple[str, str]]  # module and name
    reached: frozenset[str]  # as an attribute, a keyword, or a word in a string


@cache
def uses() -> Uses:
    loaded, imported, reached = defaultdict[Path, set[str]](set), set[tuple[str, str]](), set[str]()
    for module in product():
        docstrings = set(map(id, docstring_nodes(tree(module))))
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                loaded[module].add(node.id)
            elif isinstance(node, ast.ImportFrom):
                imported |= {(node.module or "", alias.name) for alias in node.names}
            elif isinstance(node, ast.Attribute):
                reached.add(node.attr)
            elif isinstance(node, ast.keyword):
                reached.add(node.arg or "")
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                reached.update(WORD.findall(node.value))
    for text in other_texts():
        reached.update(WORD.findall(text.read_text()))
    return Uses({module: frozenset(names) for module, names in loaded.items()}, frozenset(imported), frozenset(reached))


def docstring_nodes(module: ast.Module) -> Iterator[ast.Constant]:
    for node in ast.walk(module):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield first.value


def other_texts() -> Iterator[Path]:
    for layer in LAYERS:
        texts = (path for path in (PROJECT / layer).rglob("*") if path.suffix in OTHER_TEXTS)
        yield from (path for path in texts if "node_modules" not in path.parts)


def is_used(found: Definition) -> bool:
    name, used = found.name, uses()
    if name.startswith("__") or (found.owner and name.startswith(DISPATCHED)):
        return True
    if name in CALLED_BY_A_LIBRARY or name in USED_OUTSIDE:
        return True
    if found.owner is None and (dotted(found.module), name) in used.imported:
        return True
    return name in used.reached or name in used.by_module.get(found.module, ())


def test_the_product_uses_all_its_code() -> None:
    unused = [f"{place(one.module)}:{one.line} {one.name}" for one in definitions() if not is_used(one)]
    assert unused == []


def test_the_lists_name_existing_code() -> None:
    given = {one.name for one in definitions()}
    assert (CALLED_BY_A_LIBRARY.keys() | USED_OUTSIDE.keys()) - given == set()
