"""Faults without an observable effect, each with the reason; the mutator skips them."""

from collections.abc import Mapping
from typing import Final

HARMLESS: Final[Mapping[tuple[str, str], str]] = {  # module and fault -> why no test could catch it
    ("projections/rules/puerto_rico/engine/effects.py", "without the guard 'not working & LISTENING.get(kind, 0)'"): (
        "a shortcut: who reacts is asked again, building by building"
    ),
    ("projections/rules/puerto_rico/phases/captain.py", "10 for 9"): "one ship more is named than any game has",
    ("projections/rules/puerto_rico/buildings/guests.py", "without 'not done & OFFICE_USED'"): (
        "one use of D-TRD comes before GW-9: a sale, or the land office"
    ),
}
