"""A table against bots in one click, with an account or as a guest."""

from typing import Final

from flask import Blueprint, Response, request

from projections.games.record import BOT
from projections.rules.registry import GAMES
from service.core.errors import InvalidRequest
from service.games.commands.seats import CreateGame, create_game
from service.games.decisions.clocks import FORFEIT
from service.games.decisions.proposals import ME, Proposal, new_seed
from service.games.house_bots import LEVELS
from service.games.lookup import game_named
from service.pages.guests.guest_forms import as_player
from service.players.identity import Identity
from service.web.idempotency import request_of
from service.web.routing import container

BOTS: Final = 2  # at a table made with one click
USUAL_LEVEL: Final = "greedy"
pages = Blueprint("play_now", __name__)


@pages.post("/play-now")
def play_now() -> Response:
    """Opens an unlisted table of the visitor and two bots; the visitor begins."""
    game = game_named(request.form.get("game", next(iter(GAMES))))
    level = request.form.get("level", USUAL_LEVEL)
    if level not in LEVELS:
        raise InvalidRequest({"level": [", ".join(LEVELS)]})
    seats = (ME, *[f"{BOT}{level}"] * BOTS)
    proposal = Proposal(game.name, {}, seats, visibility="unlisted", first_chair=0, leaver=FORFEIT)

    def begin(player: Identity) -> str:
        made = create_game(container(), CreateGame(proposal, new_seed()), request_of(player)).answer
        return f"/games/{made['id']}/play"

    return as_player(begin)
