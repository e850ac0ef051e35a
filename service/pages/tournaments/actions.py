"""What directors do by forms: a row for each deed, with the route that does it and what of the form it takes."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from events.messages import Words
from service.core.errors import InvalidRequest
from service.pages.games.new_game import number
from service.pages.site.form_fields import Form
from service.pages.tournaments.regulation_forms import player_named
from service.players.credentials import Identity
from service.tournaments import documents
from service.tournaments.entries import enter_bot
from service.tournaments.repository import Act
from service.tournaments.routes import declare, entries, rounds, rulings
from service.tournaments.routes.common import act_on
from service.tournaments.schemas import commands as schemas
from service.web.routing import fitting, world

MOST_BOTS: Final = 100  # at once
Body = dict[str, Any]


class Deed(NamedTuple):
    """Something a director does: by a route, with texts and numbers of a form in its body and its path."""

    view: Callable[..., Any]
    schema: Any = None
    texts: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    named: bool = False  # a player, by name
    path: Mapping[str, Callable[[Form, str], Any]] = {}


def do(deed: Deed, tournament: UUID, asker: Identity, form: Form) -> None:
    """Do what a form says; fields that are left empty are not said."""
    given: Body = {name: text for name in deed.texts if (text := form.get(name, "").strip())}
    given |= {name: number(form, name) for name in deed.numbers if form.get(name, "").strip()}
    if deed.named:
        with world().stores.pool.connection() as connection:
            given["player"] = player_named(connection, form.get("name", ""))
    body = {} if deed.schema is None else {"body": fitting(deed.schema, given)}
    deed.view(
        tournament=tournament, asker=asker, **body, **{name: read(form, name) for name, read in deed.path.items()}
    )


def _bots(tournament: UUID, asker: Identity, bots: int) -> None:
    """So many bots fill in."""
    if not 1 <= bots <= MOST_BOTS:
        raise InvalidRequest({"bots": [Words("takes 1 to {most}", most=MOST_BOTS)]})

    def decide(act: Act) -> None:
        for _ in range(bots):
            enter_bot(act)

    act_on(tournament, asker, decide, documents.entrants)


REASON: Final = ("reason",)
ENTRANT: Final[Mapping[str, Callable[[Form, str], Any]]] = {"entrant": number}
DEEDS: Final[Mapping[str, Deed]] = {
    "publication": Deed(declare.publish),
    "cancellation": Deed(declare.call_off, schemas.Reasoned, REASON),
    "director": Deed(declare.name_director, schemas.Named, named=True),
    "relief": Deed(declare.relieve_director, path={"player": lambda form, name: form.get(name, "")}),
    "invitation": Deed(entries.invite, schemas.Named, named=True),
    "entry": Deed(entries.enter, schemas.NewEntry, named=True),
    "bots": Deed(_bots, path={"bots": number}),
    "check-in": Deed(entries.check_in, path=ENTRANT),
    "admission": Deed(entries.admit, path=ENTRANT),
    "absence": Deed(entries.sit_out, schemas.Absence, numbers=("round",), path=ENTRANT),
    "withdrawal": Deed(entries.withdraw, schemas.Leaving, REASON, path=ENTRANT),
    "disqualification": Deed(rulings.disqualify, schemas.Disqualification, REASON, ("entrant",)),
    "stage": Deed(rounds.begin),
    "pairing": Deed(rounds.pair, schemas.Repairing, REASON, ("expected",)),
    "round-publication": Deed(rounds.publish),
    "start": Deed(rounds.start),
    "round-closing": Deed(rounds.close),
    "stage-closing": Deed(rounds.close_stage, schemas.Leaving, REASON),
    "closing": Deed(rounds.finish),
}
