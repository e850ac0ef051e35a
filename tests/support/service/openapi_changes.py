"""Compares two OpenAPI documents and names the changes that break clients of the older one.

A client breaks when something that it sends is refused, or when something that it reads is gone or of another type. New
operations, optional parameters, fields of answers and values of answers break nobody.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

Document = Mapping[str, Any]
METHODS: Final = ("get", "post", "put", "patch", "delete")
LOWER_BOUNDS: Final = ("minimum", "minLength", "minItems")
UPPER_BOUNDS: Final = ("maximum", "maxLength", "maxItems")
DEEPEST: Final = 12  # schemas within schemas


def breaking_changes(old: Document, new: Document) -> list[str]:
    """Returns the breaking changes, sorted, a line each."""
    return sorted(dict.fromkeys(_changes(old, new)))


def _changes(old: Document, new: Document) -> Iterator[str]:
    for path, item in old["paths"].items():
        for method in METHODS:
            if method in item:
                name, later = f"{method.upper()} {path}", new["paths"].get(path, {}).get(method)
                if later is None:
                    yield f"{name}: is gone"
                else:
                    for change in _Comparison(old, new).operation(item[method], later):
                        yield f"{name}: {change}"


class _Comparison:
    """Compares operations and schemas of two documents."""

    def __init__(self, old: Document, new: Document) -> None:
        self._old = old
        self._new = new

    def operation(self, old: Document, new: Document) -> Iterator[str]:
        """Yields the breaking changes of an operation."""
        yield from self._parameters(old, new)
        yield from self._security(old, new)
        yield from self._body(old, new)
        yield from self._answers(old, new)

    def _parameters(self, old: Document, new: Document) -> Iterator[str]:
        before = {one["name"]: one for one in (_resolved(self._old, one) for one in old.get("parameters", ()))}
        after = {one["name"]: one for one in (_resolved(self._new, one) for one in new.get("parameters", ()))}
        for name, parameter in after.items():
            if parameter.get("required") and not before.get(name, {}).get("required"):
                yield f"parameter {name}: is required"
        for name, parameter in before.items():
            if name not in after:
                yield f"parameter {name}: is gone"
            else:
                yield from self._taken(parameter.get("schema", {}), after[name].get("schema", {}), f"parameter {name}")

    def _security(self, old: Document, new: Document) -> Iterator[str]:
        """Yields rights that are newly required."""
        before = [need.get("bearer", []) for need in old.get("security", [{}])]
        after = [need.get("bearer", []) for need in new.get("security", [{}])]
        if not any(set(scopes) <= set(known) for known in before for scopes in after):
            yield f"security: takes {' or '.join(str(scopes) for scopes in after)}"
        elif {} in old.get("security", [{}]) and {} not in new.get("security", [{}]):
            yield "security: anonymous clients are refused"

    def _body(self, old: Document, new: Document) -> Iterator[str]:
        before, after = old.get("requestBody", {}), new.get("requestBody", {})
        if after.get("required") and not before.get("required"):
            yield "body: is required"
        for media_type, content in before.get("content", {}).items():
            if media_type not in after.get("content", {}):
                yield f"body: {media_type} is refused"
            else:
                yield from self._taken(content["schema"], after["content"][media_type]["schema"], "body")

    def _answers(self, old: Document, new: Document) -> Iterator[str]:
        for status, answer in old["responses"].items():
            if not status.startswith("2"):
                continue
            later = new["responses"].get(status)
            if later is None:
                yield f"answer {status}: is gone"
                continue
            before, after = _resolved(self._old, answer), _resolved(self._new, later)
            for media_type, content in before.get("content", {}).items():
                if media_type not in after.get("content", {}):
                    yield f"answer {status}: {media_type} is gone"
                elif "schema" in content:
                    told = after["content"][media_type].get("schema", {})
                    yield from self._given(content["schema"], told, f"answer {status}")

    def _taken(self, old: Document, new: Document, where: str, depth: int = 0) -> Iterator[str]:
        """Yields what a client could send and now must not."""
        before, after = _resolved(self._old, old), _resolved(self._new, new)
        if depth > DEEPEST or not after or "anyOf" in after or "oneOf" in after:
            return
        if gone := _types(before) - _types(after):
            yield f"{where}: {', '.join(sorted(gone))} is refused"
        if "enum" in after and (gone := {*map(str, before.get("enum", ["other values"]))} - {*map(str, after["enum"])}):
            yield f"{where}: {', '.join(sorted(gone))} is refused"
        for bound in (*LOWER_BOUNDS, *UPPER_BOUNDS):
            if bound in after and _is_narrower(bound, before.get(bound), after[bound]):
                yield f"{where}: {bound} is {after[bound]}"
        for name in sorted({*after.get("required", ())} - {*before.get("required", ())}):
            yield f"{where}.{name}: is required"
        yield from self._members(before, after, where, depth, self._taken)

    def _given(self, old: Document, new: Document, where: str, depth: int = 0) -> Iterator[str]:
        """Yields what a client could read and now cannot, or reads as another type."""
        before, after = _resolved(self._old, old), _resolved(self._new, new)
        if depth > DEEPEST:
            return
        if _types(before) and (more := _types(after) - _types(before)):
            yield f"{where}: may be {', '.join(sorted(more))}"
        for name in sorted({*before.get("required", ())} - {*after.get("required", ())}):
            if name in after.get("properties", {}):
                yield f"{where}.{name}: may be left out"
        yield from self._members(before, after, where, depth, self._given)

    def _members(self, before: Document, after: Document, where: str, depth: int, compare: Any) -> Iterator[str]:
        for name, schema in before.get("properties", {}).items():
            if name not in after.get("properties", {}):
                yield f"{where}.{name}: is gone"
            else:
                yield from compare(schema, after["properties"][name], f"{where}.{name}", depth + 1)
        if "items" in before and "items" in after:
            yield from compare(before["items"], after["items"], f"{where}[]", depth + 1)


def _types(schema: Document) -> set[str]:
    """Returns the JSON types of a schema; an integer is a number, too."""
    parts = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    if parts:
        return {kind for part in parts for kind in (_types(part) or {"string"})}
    kind = schema.get("type", [])
    kinds = {kind} if isinstance(kind, str) else {*kind}
    return kinds | ({"integer"} if "number" in kinds else set())


def _is_narrower(bound: str, before: float | None, after: float) -> bool:
    if before is None:
        return True
    return after > before if bound in LOWER_BOUNDS else after < before


def _resolved(document: Document, value: Document) -> Document:
    """Returns the target of a reference, or of the one reference among alternatives with null."""
    parts = [part for part in (*value.get("anyOf", ()), *value.get("oneOf", ())) if part.get("type") != "null"]
    if len(parts) == 1 and "$ref" in parts[0]:
        value = parts[0]
    if "$ref" not in value:
        return value
    target: Any = document
    for step in value["$ref"].removeprefix("#/").split("/"):
        target = target[step]
    return _resolved(document, target)
