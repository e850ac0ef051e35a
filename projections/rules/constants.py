"""Rows and numbers that rules read as one document, so that a hash tells whether two programs play by the same."""

from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from types import ModuleType
from typing import Any

from events.json_types import Json


def constants(module: ModuleType, *names: str) -> dict[str, Json]:
    """Constants of a module by their names."""
    return {name.lower(): as_document(getattr(module, name)) for name in names}


def as_document(value: Any) -> Json:
    """Data as JSON, without fields that have their default. Raises TypeError for anything else."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): as_document(item) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted(map(str, value))
    if isinstance(value, tuple | list | range):
        return [as_document(item) for item in value]
    if is_dataclass(value):
        given = {field.name: (getattr(value, field.name), field.default) for field in fields(value)}
        return {name: as_document(data) for name, (data, default) in given.items() if data != default}
    raise TypeError(f"{type(value).__name__} is not data")
