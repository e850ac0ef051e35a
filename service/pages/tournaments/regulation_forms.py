"""Regulations of a tournament as form fields: tables of fields, and parsers for values of several fields."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from psycopg import Connection

from events.kinds.tournament import MOST_ENTRANTS
from projections.games.record import BOT
from projections.rules.options import GameOption
from projections.rules.registry import GAMES
from projections.tournaments.regulations import BYES, MOST_ROUNDS
from projections.tournaments.standings.criteria import CRITERIA
from projections.tournaments.standings.schemes import SCHEMES
from projections.tournaments.values import DrawMethod, Format
from service.core.clock import SECOND
from service.core.errors import InvalidRequest, NotThere
from service.games.decisions.clocks import FORFEIT
from service.games.house_bots import LEVELS
from service.games.lookup import game_named
from service.pages.games.new_game import MINUTE, chosen_options, clock_of, text_of
from service.pages.site import form_fields
from service.pages.site.form_fields import (
    Form,
    FormField,
    choice,
    number,
    numbers,
    rows,
    several,
    text,
    tick,
    usual_or_not,
)
from service.players.queries import id_by_name, names_of

OWN: Final = "own"  # the host's own scheme
FEW: Final = range(1, 6)  # choices of a numbered criterion
CHOSEN_BY_PAIRING: Final = ("first_player", "start_player")


def _criteria() -> Iterator[str]:
    """Yields the criteria in the form; a numbered criterion with each of a few numbers."""
    for name, row in CRITERIA.items():
        yield from (f"{name}:{n}" for n in FEW) if row.numbered else (name,)


ENTRIES: Final[Mapping[str, FormField]] = {
    "least": number(2, MOST_ENTRANTS),
    "most": number(2, MOST_ENTRANTS),
    "entry": choice(("open", "invited"), "declare.entry_"),
    "late_join": number(0, 200),
    "bots": choice(("", *LEVELS), "common.bot_"),
    "programs": tick(),
    "check_in": tick(),
}
RUNNING: Final[Mapping[str, FormField]] = {
    "pace": choice(("director", "automatic"), "declare.pace_"),
    "choosing": number(1, 86_400),
    "no_show.minutes": number(1, 86_400),
    "no_show.then": choice(("leaver", "reserve"), "declare.then_"),
}
TABLES: Final[Mapping[str, FormField]] = {
    "leaver": choice((*(BOT + level for level in LEVELS), FORFEIT), "declare.leaver_"),
    "chance": FormField("choice", number(0, 3).read, number(0, 3).show, ("", *"0123"), "lobby.chance_"),
    "spectator_delay": number(0, 100),
    "rated": tick(),
    "duplicate": tick(),
    "silent": tick(),
    "pauses": tick(),
}
TIMES: Final[Mapping[str, FormField]] = {"time_zone": text(64)}
STAGE: Final[Mapping[str, FormField]] = {
    "format": choice(("", *Format), "tournament.format_"),
    "name": text(60),
    "rounds": number(1, MOST_ROUNDS),
    "sizes": numbers(20),
    "seats": choice(("balanced", "random", "choice", "bids"), "declare.seats_"),
    "draw": choice(tuple(DrawMethod), "declare.draw_"),
    "scheme.name": choice((*SCHEMES, OWN), "declare.scheme_"),
    "counting": number(1, MOST_ROUNDS),
    "advance.per_table": number(0, 4),
    "advance.total": number(1, MOST_ENTRANTS),
    "criteria": several(tuple(_criteria()), "criteria"),
}
MORE: Final[Mapping[str, FormField]] = {  # rarely used fields of a stage
    "ties": choice(("", "shared", "later_seat", "seeding"), "declare.ties_"),
    "again": choice(("avoid", "allow"), "declare.again_"),
    "byes": usual_or_not(),
    "advance.fill": usual_or_not(),
    "scheme.tied": choice(("average", "full"), "declare.tied_"),
    "scheme.bye": choice(BYES, "declare.bye_"),
    "scheme.asked": choice(("half", "win", "average", "none"), "declare.bye_"),
    "scheme.forfeit": choice(("none", "last"), "declare.forfeit_"),
    "scheme.places": rows(),
}
WHOLE: Final = {**ENTRIES, **RUNNING, **TABLES, **TIMES}
FIRST: Final = {  # fields that entrants read first
    path: WHOLE[path]
    for path in ("leaver", "no_show.minutes", "no_show.then", "late_join", "check_in", "entry", "least", "most", "bots",
                 "programs", "chance", "duplicate", "rated", "silent",
                 "pauses")
}  # fmt: skip
OTHERS: Final = {path: field for path, field in WHOLE.items() if path not in FIRST and path not in TIMES}
SHOWN: Final = frozenset(  # fields of a stage in the table of all stages
    ("format", "name", "rounds", "sizes", "scheme.name", "advance.per_table", "advance.total", "criteria")
)
FURTHER: Final = {path: field for path, field in {**STAGE, **MORE}.items() if path not in SHOWN}
SECTIONS: Final = {"entries": ENTRIES, "running": RUNNING, "tables": TABLES}


def stages_in(form: Form) -> int:
    """Returns the number of stages in a form."""
    return sum(f"stage{number}.format" in form for number in range(len(form)))


def regulations(form: Form, connection: Connection) -> dict[str, Any]:
    """Returns the regulations in a form; raises InvalidRequest, or NotThere for a player."""
    game = form.get("game", "")
    game_named(game)
    fields = form_fields.read(WHOLE, form)
    if "minutes" not in fields.get("no_show", {}):
        fields.pop("no_show", None)
    zone = fields.get("time_zone", "UTC")
    times = {name: _instant(form, name, zone) for name in ("starts", "ends")}
    return {
        **fields,
        **{name: at for name, at in times.items() if at is not None},
        "game": game,
        "options": dict(chosen_options(choices(game), form)),
        "clock": clock_of(form),
        "forbidden": list(_apart(form, connection)),
        "stages": [stage for stage in _stages(form) if "format" in stage],
    }


def choices(game: str) -> Mapping[str, GameOption]:
    """Returns the options that a tournament can choose; the pairing decides the first player."""
    return {name: choice for name, choice in GAMES[game].choices.items() if name not in CHOSEN_BY_PAIRING}


def form_of(declared: Mapping[str, Any], connection: Connection) -> Form:
    """Returns the form for regulations."""
    names = names_of(connection, {player for pair in declared["forbidden"] for player in pair})
    return Form([*_texts({"pauses": True, **declared}, names), *stage_texts(declared["stages"])])


def stage_texts(stages: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yields the form fields of stages."""
    for at, stage in enumerate(stages):
        yield from form_fields.show({**STAGE, **MORE}, stage, f"stage{at}.")


def _texts(declared: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield from form_fields.show(WHOLE, declared)
    yield "game", declared["game"]
    for name, value in declared["options"].items():
        yield from ((name, text_of(one)) for one in (value if isinstance(value, list | tuple) else (value,)))
    clock = declared["clock"]
    yield "clock", clock["kind"]
    yield "minutes", str(clock.get("seconds", 15 * MINUTE) // MINUTE)
    yield "increment", str(clock.get("increment", 30))
    for pair in declared["forbidden"]:
        yield from (("apart", names.get(player, "")) for player in pair)
    for name in ("starts", "ends"):
        if declared[name] is not None:
            yield name, _local(declared[name], declared["time_zone"])


def _stages(form: Form) -> Iterator[dict[str, Any]]:
    for at in range(stages_in(form)):
        stage = form_fields.read({**STAGE, **MORE}, form, f"stage{at}.")
        scheme = stage.get("scheme", {})
        if scheme.get("name") != OWN:
            scheme.pop("places", None)
        yield stage


def _apart(form: Form, connection: Connection) -> Iterator[list[str]]:
    """Yields pairs of players that never share a table, from neighbouring fields."""
    given = [name.strip() for name in form.getlist("apart")]
    for one, other in zip(given[::2], given[1::2], strict=False):
        if one or other:
            yield [player_named(connection, one), player_named(connection, other)]


def player_named(connection: Connection, name: str) -> str:
    """Returns the id of a player by name; raises NotThere."""
    player = id_by_name(connection, name)
    if player is None:
        raise NotThere("player of the name", name)
    return player


def _instant(form: Form, name: str, zone: str) -> str | None:
    """Parses a local time in a zone; returns it in ISO 8601."""
    given = form.get(name, "").strip()
    if not given:
        return None
    if zone not in available_timezones():
        raise InvalidRequest({"time_zone": ["is not a time zone"]})
    try:
        local = datetime.fromisoformat(given).replace(tzinfo=ZoneInfo(zone))
    except ValueError:
        raise InvalidRequest({name: ["takes a time such as 2026-11-18T19:30"]}) from None
    return local.isoformat()


def _local(at: int, zone: str) -> str:
    return datetime.fromtimestamp(at // SECOND, ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M")
