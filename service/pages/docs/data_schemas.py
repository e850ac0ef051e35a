"""The JSON Schemas of the formats that the service hands out, by name and version; a released one never changes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

SCHEMAS: Final = Path(__file__).with_name("schemas")  # NAME.VERSION.json


def _named(file: Path) -> tuple[str, str]:
    name, version, _ = file.name.split(".")
    return name, version


TEXTS: Final[Mapping[tuple[str, str], str]] = {
    _named(file): file.read_text(encoding="utf-8") for file in sorted(SCHEMAS.glob("*.json"))
}
