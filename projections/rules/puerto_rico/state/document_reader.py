"""A part of a position document that knows where it stands, so that a refusal can name the place."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

from projections.rules.errors import ImpossiblePosition

MOST: Final = 1_000_000  # no amount in a game comes near it


class DocumentNode:
    """A value and its path; every reading is checked."""

    def __init__(self, value: Any, where: str = "position") -> None:
        self.value = value
        self.where = where

    def refuse(self, reason: str, /, **values: object) -> NoReturn:
        """Raises ImpossiblePosition for this part."""
        raise ImpossiblePosition(self.where, reason, **values)

    def __getitem__(self, name: str) -> "DocumentNode":
        """A field of an object."""
        if not isinstance(self.value, Mapping):
            self.refuse("expected an object")
        if name not in self.value:
            self.refuse("{name!r} is missing", name=name)
        return self._below(name, self.value[name])

    def get(self, name: str, default: Any) -> "DocumentNode":
        """A field of an object that may be left out."""
        if not isinstance(self.value, Mapping):
            self.refuse("expected an object")
        return self._below(name, self.value.get(name, default))

    def _below(self, name: str, value: Any) -> "DocumentNode":
        return DocumentNode(value, name if self.where == "position" else f"{self.where}.{name}")

    def number(self, most: int = MOST, least: int = 0) -> int:
        """A whole number within bounds."""
        value = self.value
        if type(value) is not int or not least <= value <= most:
            self.refuse("expected a whole number from {least} to {most}", least=least, most=most)
        return int(value)

    def items(self, length: int | None = None) -> list["DocumentNode"]:
        """The parts of a list."""
        if not isinstance(self.value, Sequence) or isinstance(self.value, str):
            self.refuse("expected a list")
        if length is not None and len(self.value) != length:
            self.refuse("expected {length} items, not {found}", length=length, found=len(self.value))
        return [DocumentNode(value, f"{self.where}[{at}]") for at, value in enumerate(self.value)]

    def name(self, names: Sequence[str]) -> int:
        """The number of a name."""
        if not isinstance(self.value, str) or self.value not in names:
            self.refuse("expected one of {known}", known=", ".join(names))
        return names.index(self.value)

    def maybe(self, names: Sequence[str], nothing: int = -1) -> int:
        """The number of a name, or nothing."""
        return nothing if self.value is None else self.name(names)

    def flag(self) -> bool:
        """True or false."""
        if type(self.value) is not bool:
            self.refuse("expected true or false")
        return bool(self.value)

    def fields(self, names: Sequence[str]) -> dict[int, "DocumentNode"]:
        """The fields of an object with these names, by number."""
        if not isinstance(self.value, Mapping):
            self.refuse("expected an object")
        for name in self.value:
            if name not in names:
                self.refuse("{name!r} is not one of {known}", name=name, known=", ".join(names))
        return {number: self[name] for number, name in enumerate(names) if name in self.value}

    def counts(self, names: Sequence[str]) -> list[int]:
        """Returns the count of each name; 0 for names left out."""
        found = self.fields(names)
        return [found[number].number() if number in found else 0 for number in range(len(names))]

    def bits(self, names: Sequence[str]) -> int:
        """A list of names as a set of bits."""
        mask = 0
        for item in self.items():
            mask |= 1 << item.name(names)
        return mask
