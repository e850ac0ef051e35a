"""Actions of directors by forms: the route of each, and the form fields for its body and path."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from events.messages import Message
from service.core.errors import InvalidRequest
from service.pages.games.new_game import number
from service.pages.site.form_fields import Form
from service.pages.tournaments.regulation_forms import player_named
from service.players.identity import Identity
from service.tournaments.commands.entries import EnterBots, enter_bots
from service.tournaments.routes import declare, entries, rounds, rulings
from service.tournaments.routes.common import command_request
from service.tournaments.schemas import commands as schemas
from service.web.routing import container, load_form

MOST_BOTS: Final = 100  # in one request
Body = dict[str, Any]


class DirectorAction(NamedTuple):
    """An action of a director: its route, and the texts and numbers of the form in its body and path."""

    view: Callable[..., Any]
    schema: Any = None
    texts: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    named: bool = False  # takes a player by name
    path: Mapping[str, Callable[[Form, str], Any]] = {}


def do(deed: DirectorAction, tournament: UUID, asker: Identity, form: Form) -> None:
    """Executes an action from a form; omits empty fields."""
    given: Body = {name: text for name in deed.texts if (text := form.get(name, "").strip())}
    given |= {name: number(form, name) for name in deed.numbers if form.get(name, "").strip()}
    if deed.named:
        with container().stores.pool.connection() as connection:
            given["player"] = player_named(connection, form.get("name", ""))
    body = {} if deed.schema is None else {"body": load_form(deed.schema, given)}
    deed.view(
        tournament=tournament, asker=asker, **body, **{name: read(form, name) for name, read in deed.path.items()}
    )


def _bots(tournament: UUID, asker: Identity, bots: int) -> None:
    """Enters a number of bots."""
    if not 1 <= bots <= MOST_BOTS:
        raise InvalidRequest({"bots": [Message("takes 1 to {most}", most=MOST_BOTS)]})
    enter_bots(container(), EnterBots(tournament, bots), command_request(asker))


REASON: Final = ("reason",)
ENTRANT: Final[Mapping[str, Callable[[Form, str], Any]]] = {"entrant": number}
DEEDS: Final[Mapping[str, DirectorAction]] = {
    "publication": DirectorAction(declare.publish),
    "cancellation": DirectorAction(declare.call_off, schemas.Reasoned, REASON),
    "director": DirectorAction(declare.name_director, schemas.Named, named=True),
    "relief": DirectorAction(declare.relieve_director, path={"player": lambda form, name: form.get(name, "")}),
    "invitation": DirectorAction(entries.invite, schemas.Named, named=True),
    "entry": DirectorAction(entries.enter, schemas.NewEntry, named=True),
    "bots": DirectorAction(_bots, path={"bots": number}),
    "check-in": DirectorAction(entries.check_in, path=ENTRANT),
    "admission": DirectorAction(entries.admit, path=ENTRANT),
    "absence": DirectorAction(entries.sit_out, schemas.Absence, numbers=("round",), path=ENTRANT),
    "withdrawal": DirectorAction(entries.withdraw, schemas.Leaving, REASON, path=ENTRANT),
    "disqualification": DirectorAction(rulings.disqualify, schemas.Disqualification, REASON, ("entrant",)),
    "stage": DirectorAction(rounds.begin),
    "pairing": DirectorAction(rounds.pair, schemas.Repairing, REASON, ("expected",)),
    "round-publication": DirectorAction(rounds.publish),
    "start": DirectorAction(rounds.start),
    "round-closing": DirectorAction(rounds.close),
    "stage-closing": DirectorAction(rounds.close_stage, schemas.Leaving, REASON),
    "closing": DirectorAction(rounds.finish),
}
