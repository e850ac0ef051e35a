"""Connections of the pool are held for statements alone: what takes long happens before or after."""

import ast
from collections.abc import Iterator
from typing import Final

from tests.support.source_tree import PROJECT, place, tree

LONG: Final = {  # what hashes, signs, verifies, compresses or renders
    *("render_template", "hash", "matches", "sign", "signed", "signed_bundle", "verify", "verify_archive", "judge"),
    *("compress", "pack", "encode", "to_text", "html_report", "markdown_report", "svg", "board_svg", "steps", "replay"),
}


def holding(module: ast.Module) -> Iterator[ast.With]:
    """The blocks that hold a connection of the pool."""
    for node in ast.walk(module):
        if isinstance(node, ast.With):
            calls = (item.context_expr for item in node.items)
            named = (call.func for call in calls if isinstance(call, ast.Call))
            if any(isinstance(name, ast.Attribute) and name.attr == "connection" for name in named):
                yield node


def called(block: ast.With) -> Iterator[tuple[int, str]]:
    """The functions and methods that a block calls, with their lines."""
    for node in (inner for statement in block.body for inner in ast.walk(statement)):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                yield node.lineno, node.func.attr
            elif isinstance(node.func, ast.Name):
                yield node.lineno, node.func.id


def test_nothing_that_takes_long_holds_a_connection() -> None:
    modules = [*(PROJECT / "service").rglob("*.py"), *(PROJECT / "workers").rglob("*.py")]
    blocks = [(place(module), block) for module in modules for block in holding(tree(module))]
    assert len(blocks) > 50
    found = [f"{where}:{line} {name}" for where, block in blocks for line, name in called(block) if name in LONG]
    assert found == []
