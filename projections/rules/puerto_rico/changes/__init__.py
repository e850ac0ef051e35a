"""What each fact changes: one small function per fact. They know no rules and draw nothing."""

from collections.abc import Callable
from typing import Any, TypeAlias

from projections.rules.puerto_rico.state.position import Position

Changes: TypeAlias = dict[type, Callable[[Position, Any], None]]  # kind of fact -> what lets it happen
