"""The JSON that enters an event: no floats, so that its bytes are the same in every language."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = bool | int | str | Sequence["Json"] | Mapping[str, "Json"] | None
JsonObject: TypeAlias = Mapping[str, Json]
