"""Actions of directors by forms: the command of each, and the form fields for its body and path."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from events.messages import Message
from service.core.errors import InvalidRequest
from service.pages.games.new_game import number
from service.pages.site.form_fields import Form
from service.pages.tournaments.regulation_forms import player_named
from service.players.identity import Identity
from service.tournaments.commands import entries, regulations, rounds, rulings
from service.tournaments.commands.command_table import execute_command
from service.tournaments.schemas import commands as schemas
from service.web.idempotency import translated_request
from service.web.routing import container, load_form

MOST_BOTS: Final = 100  # in one request


class DirectorAction(NamedTuple):
    """An action of a director: its command, and the texts and numbers of the form in its body and path."""

    command: type[Any]  # its fields have the names of those of the body and the path
    schema: Any = None
    texts: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    named: bool = False  # takes a player by name
    path: Mapping[str, Callable[[Form, str], Any]] = {}


def execute(action: DirectorAction, tournament: UUID, identity: Identity, form: Form) -> None:
    """Executes an action from a form; omits empty fields."""
    given: dict[str, object] = {name: text for name in action.texts if (text := form.get(name, "").strip())}
    given |= {name: number(form, name) for name in action.numbers if form.get(name, "").strip()}
    if action.named:
        with container().stores.pool.connection() as connection:
            given["player"] = player_named(connection, form.get("name", ""))
    body = {} if action.schema is None else load_form(action.schema, given)
    fields = {"tournament": tournament, **body, **{name: read(form, name) for name, read in action.path.items()}}
    command = action.command(**{name: fields[name] for name in action.command._fields})
    execute_command(container(), command, translated_request(identity, fields.get("expected")))


def _bots(form: Form, name: str) -> int:
    """Returns the number of bots to enter; raises InvalidRequest."""
    bots = number(form, name)
    if not 1 <= bots <= MOST_BOTS:
        raise InvalidRequest({"bots": [Message("takes 1 to {most}", most=MOST_BOTS)]})
    return bots


def _text(form: Form, name: str) -> str:
    return form.get(name, "")


REASON: Final = ("reason",)
ENTRANT: Final[Mapping[str, Callable[[Form, str], Any]]] = {"entrant": number}
WHILE_BLOCKED: Final = (  # what a blocked director may do, so that the tournament goes on
    *("director", "absence", "withdrawal", "stage", "pairing", "round-publication", "start"),
    *("round-closing", "stage-closing", "closing"),
)
ACTIONS: Final[Mapping[str, DirectorAction]] = {
    "publication": DirectorAction(regulations.PublishTournament),
    "cancellation": DirectorAction(regulations.CallOffTournament, schemas.Reasoned, REASON),
    "director": DirectorAction(regulations.NameDirector, schemas.Named, named=True),
    "relief": DirectorAction(regulations.RelieveDirector, path={"player": _text}),
    "invitation": DirectorAction(entries.InvitePlayer, schemas.Named, named=True),
    "entry": DirectorAction(entries.EnterPlayer, schemas.NewEntry, named=True),
    "bots": DirectorAction(entries.EnterBots, path={"bots": _bots}),
    "check-in": DirectorAction(entries.CheckIn, path=ENTRANT),
    "admission": DirectorAction(entries.AdmitEntrant, path=ENTRANT),
    "absence": DirectorAction(entries.SitOut, schemas.Absence, numbers=("round",), path=ENTRANT),
    "withdrawal": DirectorAction(entries.WithdrawEntrant, schemas.Leaving, REASON, path=ENTRANT),
    "disqualification": DirectorAction(rulings.DisqualifyEntrant, schemas.Disqualification, REASON, ("entrant",)),
    "stage": DirectorAction(rounds.BeginStage),
    "pairing": DirectorAction(rounds.PairRound, schemas.Repairing, REASON, ("expected",)),
    "round-publication": DirectorAction(rounds.PublishRound),
    "start": DirectorAction(rounds.StartRound),
    "round-closing": DirectorAction(rounds.CloseRound),
    "stage-closing": DirectorAction(rounds.CloseStage, schemas.Leaving, REASON),
    "closing": DirectorAction(rounds.FinishTournament),
}
