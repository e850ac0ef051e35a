"""Single faults that can be put into a module: each replaces one piece of its source by another."""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

SWAPPED: Final[Mapping[type, str]] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
ARITHMETIC: Final[Mapping[type, str]] = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.FloorDiv: "*", ast.Mod: "//",
    ast.BitAnd: "|", ast.BitOr: "&", ast.LShift: ">>", ast.RShift: "<<",
}  # fmt: skip
OPPOSITE: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
LEAVES: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)
TEXT: Final = "utf-8"


class Fault(NamedTuple):
    """A mutant: a piece of source, its replacement, and the name of the fault."""

    start: int  # bytes
    end: int
    instead: str
    line: int
    what: str

    def put_into(self, source: bytes) -> bytes:
        """The source with the fault."""
        return source[: self.start] + self.instead.encode(TEXT) + source[self.end :]

    def fits(self, source: bytes) -> bool:
        """Whether the source still compiles with it."""
        try:
            compile(self.put_into(source), "mutant", "exec", dont_inherit=True)
        except SyntaxError:
            return False
        return True


def faults(source: bytes) -> list[Fault]:
    """Every single fault of a module, in the order of its lines."""
    piece = _Pieces(source)
    return sorted({fault for node in _code(ast.parse(source)) for fault in _of(node, piece)})


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Returns the executable nodes: no annotations, docstrings, decorators, imports or names of types."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_said(child):
                yield child
                yield from _code(child)


def _is_said(node: ast.AST) -> bool:
    """Whether a node is a docstring, a template of a text, an import, an assertion or the alias of a type."""
    if isinstance(node, ast.AnnAssign):
        return isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"
    text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return text or isinstance(node, ast.Import | ast.ImportFrom | ast.Assert | ast.JoinedStr)


class _Pieces:
    """Where nodes stand in a source."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._lines = [0]
        for line in source.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def span(self, node: Any) -> tuple[int, int]:
        """The bytes from the first to the last of a node."""
        return self._lines[node.lineno - 1] + node.col_offset, self._lines[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: Any) -> str:
        """The source of a node."""
        start, end = self.span(node)
        return self.source[start:end].decode(TEXT)

    def instead(self, node: Any, text: str, what: str) -> Fault:
        """Another text in the place of a node."""
        start, end = self.span(node)
        return Fault(start, end, text, node.lineno, what)

    def between(self, left: Any, right: Any, text: str, what: str) -> Fault:
        """Another operator between two nodes; brackets around them stay."""
        start, end = self.span(left)[1], self.span(right)[0]
        gap = self.source[start:end].decode(TEXT)
        closing = gap[: len(gap) - len(gap.lstrip(") \n"))]
        opening = gap[len(gap.rstrip("( \n")) :]
        return Fault(start, end, f"{closing} {text} {opening}", left.lineno, what)


def _of(node: ast.AST, piece: _Pieces) -> Iterator[Fault]:
    for kind, makes in MAKERS.items():
        if isinstance(node, kind):
            yield from makes(node, piece)


def _half(node: ast.BoolOp, piece: _Pieces) -> Iterator[Fault]:
    word = " and " if isinstance(node.op, ast.And) else " or "
    for dropped in node.values:
        rest = word.join(f"({piece.text(value)})" for value in node.values if value is not dropped)
        yield piece.instead(node, f"({rest})", f"without {piece.text(dropped)!r}")


def _compared(node: ast.Compare, piece: _Pieces) -> Iterator[Fault]:
    for (left, right), op in zip(pairwise([node.left, *node.comparators]), node.ops, strict=True):
        yield piece.between(left, right, SWAPPED[type(op)], f"{SWAPPED[type(op)]!r} in {piece.text(node)!r}")


def _computed(node: ast.BinOp, piece: _Pieces) -> Iterator[Fault]:
    if (other := ARITHMETIC.get(type(node.op))) and not isinstance(node.left, ast.Constant | ast.JoinedStr):
        yield piece.between(node.left, node.right, other, f"{other!r} in {piece.text(node)!r}")


def _constant(node: ast.Constant, piece: _Pieces) -> Iterator[Fault]:
    value = node.value
    if isinstance(value, bool):
        yield piece.instead(node, str(not value), f"{not value} for {value}")
    elif isinstance(value, int):
        yield piece.instead(node, str(value + 1), f"{value + 1} for {value}")
    elif isinstance(value, str | bytes) and value and not value.split()[1:]:
        other = value + (b"~" if isinstance(value, bytes) else "~")  # type: ignore[operator]
        yield piece.instead(node, repr(other), f"{other!r} for {value!r}")


def _negated(node: ast.UnaryOp, piece: _Pieces) -> Iterator[Fault]:
    if isinstance(node.op, ast.Not):
        yield piece.instead(node, f"({piece.text(node.operand)})", f"without the 'not' of {piece.text(node)!r}")


def _guard(node: ast.If, piece: _Pieces) -> Iterator[Fault]:
    if isinstance(node.body[-1], LEAVES) and not node.orelse:
        yield piece.instead(node.test, "False", f"without the guard {piece.text(node.test)!r}")


def _filter(node: ast.comprehension, piece: _Pieces) -> Iterator[Fault]:
    for test in node.ifs:
        yield piece.instead(test, "True", f"without the filter {piece.text(test)!r}")


def _one_side(node: ast.IfExp, piece: _Pieces) -> Iterator[Fault]:
    for side in (node.body, node.orelse):
        yield piece.instead(node, f"({piece.text(side)})", f"always {piece.text(side)!r}")


def _called(node: ast.Call, piece: _Pieces) -> Iterator[Fault]:
    if isinstance(node.func, ast.Name) and node.func.id in OPPOSITE:
        other = OPPOSITE[node.func.id]
        yield piece.instead(node.func, other, f"{other} for {node.func.id}")
    if len(node.args) > 1 and not any(isinstance(one, ast.Starred | ast.GeneratorExp) for one in node.args[:2]):
        first, second = map(piece.text, node.args[:2])
        start, end = piece.span(node.args[0])[0], piece.span(node.args[1])[1]
        yield Fault(start, end, f"{second}, {first}", node.lineno, f"arguments of {piece.text(node.func)!r} swapped")


def _dropped(node: ast.Expr, piece: _Pieces) -> Iterator[Fault]:
    if isinstance(node.value, ast.Call):
        yield piece.instead(node, "pass", f"without {piece.text(node)!r}")


def _added_up(node: ast.AugAssign, piece: _Pieces) -> Iterator[Fault]:
    if other := ARITHMETIC.get(type(node.op)):
        yield piece.between(node.target, node.value, f"{other}=", f"'{other}=' in {piece.text(node)!r}")


MAKERS: Final[Mapping[type, Callable[[Any, _Pieces], Iterator[Fault]]]] = {
    ast.BoolOp: _half,
    ast.Compare: _compared,
    ast.BinOp: _computed,
    ast.Constant: _constant,
    ast.UnaryOp: _negated,
    ast.If: _guard,
    ast.comprehension: _filter,
    ast.IfExp: _one_side,
    ast.Call: _called,
    ast.Expr: _dropped,
    ast.AugAssign: _added_up,
}
__all__: Sequence[str] = ("Fault", "faults")
