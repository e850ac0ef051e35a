"""Templates of tournaments: the stages that directors choose most, as tables; every field can be changed."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from events.json_types import JsonObject


class Template(NamedTuple):
    """Stages with the numbers of players they are made for."""

    name: str
    players: range
    stages: tuple[JsonObject, ...]


FINAL: Final[JsonObject] = {
    "name": "final",
    "format": "pods",
    "rounds": 1,
    "seats": "choice",
    "ties": "seeding",
    "scheme": "thousands",
}
TABLE: Final = (
    Template(  # heats, the best sixteen to the semifinal, its winners to the final: as at the World Boardgaming events
        "heats_semifinal_final",
        range(12, 401),
        (
            {
                "name": "heats",
                "format": "heats",
                "rounds": 3,
                "counting": 2,
                "criteria": ["wins", "points", "best:1", "share", "draw"],
                "advance": {"total": 16},
            },
            {
                "name": "semifinal",
                "format": "knock_out",
                "rounds": 1,
                "draw": "balanced",
                "advance": {"per_table": 1, "total": 4},
            },
            FINAL,
        ),
    ),
    Template("swiss", range(6, 1001), ({"name": "swiss", "format": "swiss", "rounds": 5},)),
    Template(
        "swiss_final",
        range(8, 1001),
        (
            {"name": "swiss", "format": "swiss", "rounds": 4, "scheme": "powers", "advance": {"total": 4}},
            FINAL,
        ),
    ),
    Template(  # every pair meets three times
        "round_robin_of_eight", range(7, 9), ({"name": "round-robin", "format": "round_robin", "rounds": 7},)
    ),
    Template(  # every pair meets once
        "round_robin_of_sixteen", range(15, 17), ({"name": "round-robin", "format": "round_robin", "rounds": 5},)
    ),
    Template(
        "knock_out",
        range(8, 401),
        ({"name": "knock-out", "format": "knock_out", "rounds": 9, "draw": "balanced", "advance": {"per_table": 2}},),
    ),
    Template(
        "pods_final",
        range(12, 17),
        (
            {
                "name": "pods",
                "format": "pods",
                "rounds": 4,
                "draw": "balanced",
                "advance": {"per_table": 1, "total": 4},
            },
            {**FINAL, "rounds": 2},
        ),
    ),
    Template(
        "swiss_of_two",
        range(4, 1001),
        ({"name": "swiss", "format": "swiss", "rounds": 6, "sizes": [2], "scheme": "wins"},),
    ),
)
TEMPLATES: Final[Mapping[str, Template]] = {template.name: template for template in TABLE}
