"""Reads from the sources every pattern that a refusal tells, through whatever hands it goes until it becomes words."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from service.web.problem_types import PROBLEMS

PROJECT: Final = Path(__file__).parents[3]
ASIDE: Final = frozenset(  # modules without answers, and texts of the log for auditors and operators
    (
        "service/i18n/messages.py",
        "events/merkle/notes.py",
        "events/log/receipts.py",
    )
)
OPERATORS: Final = frozenset(  # refusals that only operators and auditors meet; they stay English
    (
        "AnotherHistoryPublished", "ArchiveUnreadable", "BadProof", "BadSettings", "BrokenChain", "BrokenLog",
        "CannotRecover", "PublishingRaced",
        "GuardsMissing", "LeaseLost", "LogMisbehaves", "MasterKeyMissing", "NotAllowedToMigrate", "ProjectionDiffers",
        "ProjectionParked", "PublishedDiffers", "SchemaMismatch", "SealedSecretLost", "SealingStopped", "UnfitEvent",
        "UnknownKind", "UnreadableCommitment", "UnreadableText", "UnverifiedNote", "WitnessRefusal",
    )
)  # fmt: skip
MAKERS: Final = (  # of words, out of their first argument
    "Message", "of_code", "CabildoError", "ValidationError", "InvalidRequest",
    "TooManyRequests", "UnsupportedMediaType", "InternalServerError",
)  # fmt: skip
NOTHING: Final = ast.Call(func=ast.Name("nothing"), args=[], keywords=[])
MOST_HANDS: Final = 5  # through which a pattern goes


class Said(NamedTuple):
    """A pattern in the sources, and where it stands."""

    pattern: str
    place: str


OWNERS: Final = {  # each error class, and the class whose constructor makes it
    kind.__name__: next(above.__name__ for above in kind.__mro__ if "__init__" in vars(above)) for kind in PROBLEMS
}


class Call(NamedTuple):
    """A call and its surroundings."""

    node: ast.Call
    function: ast.FunctionDef | None
    kind: ast.ClassDef | None
    module: ast.Module
    place: str

    @property
    def named(self) -> list[str]:
        """Returns the last name of the called function; `super().__init__` is the constructor of the base classes."""
        match self.node.func:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__") if self.kind:
                return [base.id for base in self.kind.bases if isinstance(base, ast.Name)]
            case ast.Attribute(attr=name) | ast.Name(id=name):
                return [name]
        return []

    @property
    def callees(self) -> list[str]:
        """The same; an error by the class whose constructor it has."""
        return [OWNERS.get(name, name) for name in self.named]

    @property
    def within(self) -> str:
        """Returns the name of the surrounding function or class."""
        if self.function is None:
            return ""
        return self.kind.name if self.kind and self.function.name == "__init__" else self.function.name

    def given(self, at: Mapping[str, set[int]]) -> Iterator[ast.expr]:
        """Returns the arguments by position."""
        for callee in self.callees:
            yield from (self.node.args[one] for one in at.get(callee, ()) if one < len(self.node.args))

    def parameter(self, name: str) -> int | None:
        """Which argument of the function around has this name."""
        names = [one.arg for one in _parameters(self.function)]
        return names.index(name) if name in names else None


def _parameters(function: ast.FunctionDef | None) -> list[ast.arg]:
    given = [*function.args.posonlyargs, *function.args.args] if function else []
    return given[1:] if given and given[0].arg == "self" else given


@cache
def calls() -> tuple[Call, ...]:
    """Every call in the sources."""
    found: list[Call] = []
    for top in ("events", "projections", "service"):
        for file in sorted((PROJECT / top).rglob("*.py")):
            place, module = file.relative_to(PROJECT).as_posix(), ast.parse(file.read_text())
            if place not in ASIDE:
                found += _within(module, Call(NOTHING, None, None, module, place))
    return tuple(found)


def _within(node: ast.AST, around: Call) -> Iterator[Call]:
    for child in ast.iter_child_nodes(node):
        here = around
        if isinstance(child, ast.Call):
            yield around._replace(node=child)
        elif isinstance(child, ast.FunctionDef):
            here = around._replace(function=child)
        elif isinstance(child, ast.ClassDef):
            here = around._replace(kind=child, function=None)
        yield from _within(child, here)


@cache
def hands() -> Mapping[str, set[int]]:
    """Returns the functions that translate an argument or pass it on, and which argument."""
    known: dict[str, set[int]] = defaultdict(set, {**{maker: {0} for maker in MAKERS}, "Finding": {1}, "CheckRow": {1}})
    for _ in range(MOST_HANDS):
        for call in calls():
            for passed in [*call.given(known)]:
                if isinstance(passed, ast.Name) and (at := call.parameter(passed.id)) is not None:
                    known[call.within].add(at)
    return known


@cache
def said() -> frozenset[Said]:
    """Yields every pattern that is translated."""
    return frozenset(
        Said(pattern, f"{call.place}:{call.node.lineno}")
        for call in calls()
        if not OPERATORS & {call.within, *call.named}
        for given in call.given(hands())
        for pattern in _literals(given, call)
        if pattern
    )


def _literals(given: ast.expr, call: Call) -> Iterator[str]:
    """Returns the possible patterns of an expression; a composed text is reported by its source."""
    match given:
        case ast.Constant(value=str(pattern)):
            yield pattern
        case ast.JoinedStr():
            yield ast.unparse(given)
        case ast.IfExp(body=one, orelse=other):
            yield from chain(_literals(one, call), _literals(other, call))
        case ast.BoolOp(values=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
            yield from chain.from_iterable(_literals(part, call) for part in parts)
        case ast.Name(id=name):
            for value in _values(name, call):
                yield from _literals(value, call)


def _values(name: str, call: Call) -> Iterator[ast.expr]:
    """Returns the values of a name: its assignments in the function or module, or its default."""
    if call.function is not None:
        optional = _parameters(call.function)[-len(call.function.args.defaults) or None :]
        yield from (value for one, value in zip(optional, call.function.args.defaults, strict=False) if one.arg == name)
    for node in chain.from_iterable(ast.walk(around) for around in (call.function, call.module) if around):
        match node:
            case ast.Assign(targets=[ast.Name(id=set_)], value=value) if set_ == name:
                yield value
            case ast.AnnAssign(target=ast.Name(id=set_), value=ast.expr() as value) if set_ == name:
                yield value
