"""The types of loaded bodies and queries of analyses."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict
from uuid import UUID

from events.json_types import JsonObject


class LoadedWhatIfQuestion(TypedDict):
    """A loaded `WhatIfQuestion`."""

    game: str
    position: NotRequired[JsonObject]
    options: JsonObject
    seats: NotRequired[int]
    moves: Sequence[str]
    draws: NotRequired[Sequence[str]]
    seed: str


class LoadedEstimates(TypedDict):
    """A loaded `Estimates`."""

    analysis: UUID
    least: int


class LoadedNewAnalysis(TypedDict):
    """A loaded `NewAnalysis`."""

    steps: int
    seed: str
