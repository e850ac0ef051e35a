"""The form of a new game: seats, options, clock and level of chance."""

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from flask import Blueprint, Response, make_response, redirect, render_template, request
from psycopg import Connection
from werkzeug.datastructures import MultiDict

from events.errors import CabildoError
from events.json_types import Json
from projections.games import clocks
from projections.games.chance import ChanceLevel
from projections.games.record import BOT, INVITE, OPEN
from projections.rules.options import GameOption
from projections.rules.registry import GAMES
from service.core.errors import InvalidRequest, NotThere
from service.games.commands.read_bodies import create_game_command
from service.games.commands.seats import create_game
from service.games.decisions.clocks import FORFEIT
from service.games.decisions.proposals import ME
from service.games.house_bots import LEVELS
from service.games.lookup import game_named
from service.games.schemas.lifecycle import VISIBILITIES, NewGame
from service.pages.games.board_labels import setting
from service.pages.games.entropy_fields import entropy_fields
from service.pages.games.game_lists import TITLES
from service.pages.site import form_errors
from service.pages.site.visitor import member, sender
from service.players.identity import Identity
from service.players.people_at_screen import HERE
from service.players.queries import find_by_name
from service.web.idempotency import request_of
from service.web.responses import request_language
from service.web.routing import container, load_form

HERE_NAMED: Final = "here"  # a seat for a person at the screen of the host, given by name
PERSON: Final = "person"  # a seat kept for a player given by name
NOBODY: Final = ""
CHAIRS: Final = (NOBODY, ME, OPEN, INVITE, *(BOT + level for level in LEVELS), PERSON, HERE_NAMED)
FIRST_SEATS: Final = (ME, f"{BOT}greedy", f"{BOT}greedy")
MINUTE: Final = 60
pages = Blueprint("creating", __name__)


class Choosing(NamedTuple):
    """An option in the form: its values and the chosen ones, as texts."""

    name: str
    values: Sequence[str]
    chosen: Sequence[str]
    several: bool


@pages.get("/games/new")
def new() -> str:
    """Returns the form, for the game that the query names."""
    return _form(request.args, member())


@pages.post("/games/new")
def create() -> Response:
    """Creates the game, or renders the form again with its errors."""
    identity = sender(guests=True)
    try:
        with container().stores.pool.connection() as connection:
            fields = body(request.form, connection)
        command = create_game_command(load_form(NewGame, fields), identity)
        made = create_game(container(), command, request_of(identity)).answer
    except CabildoError as refused:
        return make_response(
            _form(request.form, identity, list(form_errors.error_sentences(refused))), HTTPStatus.UNPROCESSABLE_ENTITY
        )
    return make_response(redirect(f"/games/{made['id']}/play", HTTPStatus.SEE_OTHER))


def _form(given: MultiDict[str, str], host: Identity, wrong: Sequence[str] = ()) -> str:
    name = given.get("game", "puerto_rico")
    game = game_named(name)
    seats = [
        given.get(f"seat{at}", FIRST_SEATS[at] if at < len(FIRST_SEATS) else NOBODY) for at in range(max(game.seats))
    ]
    return render_template(
        "new_game.html",
        game=name,
        games=TITLES,
        seats=seats,
        chairs=[chair for chair in CHAIRS if not (host.guest and chair == PERSON)],
        buildings=setting(name, request_language()).get("names", {}).get("buildings", {}),
        options=[choosing(name, choice, given) for name, choice in game.choices.items()],
        clock_kinds=tuple(clocks.FIELDS),
        visibilities=VISIBILITIES,
        leavers=(*(BOT + level for level in LEVELS), FORFEIT),
        given=given,
        wrong=wrong,
    )


def choosing(name: str, choice: GameOption, given: MultiDict[str, str]) -> Choosing:
    """Returns an option with the values chosen in the form."""
    default = [] if choice.several else [text_of(choice.values[0])]
    return Choosing(name, [text_of(value) for value in choice.values], given.getlist(name) or default, choice.several)


def text_of(value: Json) -> str:
    """Returns an option's value as a form sends it."""
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def body(form: MultiDict[str, str], connection: Connection) -> dict[str, Any]:
    """Returns the body of the API's request; raises NotThere for an unknown game or player."""
    game = form.get("game", "")
    choices = game_named(game).choices
    fields: dict[str, Any] = {
        "game": game,
        "options": dict(chosen_options(choices, form)),
        "seats": list(_seats(form, connection)),
        "clock": clock_of(form),
        "rated": "rated" in form,
        "silent": "silent" in form,
        "pauses": "clock_never_stops" not in form,
        "visibility": form.get("visibility", VISIBILITIES[0]),
        "leaver": form.get("leaver", FORFEIT),
        "spectator_delay": number(form, "spectator_delay"),
    }
    if form.get("chance"):
        fields["chance"] = number(form, "chance")
    if form.get("seed"):
        fields["seed"] = form["seed"].strip().lower()
    return fields | (entropy_fields(form, _level(fields)) if ME in fields["seats"] else {})


def _level(fields: Mapping[str, Any]) -> int:
    """Returns the level of chance when the host's browser can commit to entropy."""
    if "seed" in fields:
        return ChanceLevel.DECLARED
    return int(fields.get("chance", ChanceLevel.SEALED if fields["rated"] else ChanceLevel.OPEN))


def chosen_options(choices: Mapping[str, GameOption], form: MultiDict[str, str]) -> Iterator[tuple[str, Json]]:
    """Yields the options that differ from the defaults; passes unknown values on unchanged."""
    for name, choice in choices.items():
        values = {text_of(value): value for value in choice.values}
        chosen: list[Json] = [values.get(given, given) for given in form.getlist(name)]
        if choice.several and chosen:
            yield name, chosen
        elif chosen and not choice.several and chosen[0] != choice.values[0]:
            yield name, chosen[0]


def _seats(form: MultiDict[str, str], connection: Connection) -> Iterator[str]:
    for at in range(max(max(game.seats) for game in GAMES.values())):
        chair = form.get(f"seat{at}", NOBODY)
        if chair == PERSON:
            name = form.get(f"name{at}", "")
            player = find_by_name(connection, name)
            if player is None:
                raise NotThere("player of the name", name)
            yield str(player)
        elif chair == HERE_NAMED:
            yield HERE + form.get(f"name{at}", "")
        elif chair != NOBODY:
            yield chair


def clock_of(form: MultiDict[str, str]) -> dict[str, Any]:
    """Returns the clock that the form sets."""
    kind = form.get("clock", clocks.NONE)
    fields = clocks.FIELDS.get(kind, ())
    given = {"seconds": number(form, "minutes") * MINUTE, "increment": number(form, "increment")}
    return {"kind": kind, **{name: given[name] for name in fields}}


def number(form: Mapping[str, str], name: str) -> int:
    """Returns a whole number of the form, 0 for an empty field; raises InvalidRequest."""
    given = form.get(name, "").strip() or "0"
    if not (given.isascii() and given.isdigit() and len(given) < 10):
        raise InvalidRequest({name: ["takes a whole number"]})
    return int(given)
