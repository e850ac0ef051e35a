"""The JSON that enters an event: no floats, so that its bytes are the same in every language."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias, Union

Json: TypeAlias = Union[None, bool, int, str, Sequence["Json"], Mapping[str, "Json"]]
JsonObject: TypeAlias = Mapping[str, Json]
