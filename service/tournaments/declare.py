"""Drafts, regulations and directors: declare, amend, publish, name and relieve directors, call off, close."""

import secrets
from collections.abc import Mapping
from typing import Any, Final
from zoneinfo import available_timezones

from events.json_types import JsonObject
from projections.games import chance
from projections.games.chance import ChanceLevel
from projections.games.clocks import read_setting
from projections.games.record import BOT
from projections.rules.errors import BadOptions
from projections.rules.registry import GAMES
from projections.tournaments.errors import BadRegulations
from projections.tournaments.pairing.seeds import regulations_hash
from projections.tournaments.record import ALIVE, DRAFT
from projections.tournaments.regulations import read_stage, stage_document
from projections.tournaments.values import Stage
from service.core.command_handler import SERVICE
from service.core.errors import NotAllowed, NotAtThisStage
from service.games.house_bots import LEVELS
from service.tournaments.tournament_repository import TournamentUnitOfWork

FINISHED: Final = "finished"
CANCELLED: Final = "cancelled"


def declare(unit: TournamentUnitOfWork, title: str, regulations: Mapping[str, Any], visibility: str) -> None:
    """Declare a tournament as a draft."""
    unit.write("tournament_declared", title=unit.text(title), regulations=complete(regulations), visibility=visibility)


def amend(unit: TournamentUnitOfWork, title: str, regulations: Mapping[str, Any]) -> None:
    """Replace the draft."""
    direct(unit)
    if unit.record.status != DRAFT:
        raise NotAtThisStage(unit.record.status, "published regulations cannot be changed")
    unit.write("tournament_amended", title=unit.text(title), regulations=complete(regulations))


def publish(unit: TournamentUnitOfWork) -> None:
    """Freeze the regulations, commit to the seed of all pairings and open the entries."""
    direct(unit)
    if unit.record.status != DRAFT:
        raise NotAtThisStage(unit.record.status, "it is already published")
    _check_rated(unit.record.regulations)  # the draft may be older than this check
    seed = secrets.token_bytes(chance.SECRET)
    unit.new_seeds.append((unit.id, seed))
    unit.write(
        "tournament_published",
        regulations=regulations_hash(unit.record.regulations).hex(),
        commitment=chance.commitment(unit.id, seed).hex(),
    )


def name_director(unit: TournamentUnitOfWork, player: str) -> None:
    """Make another player a director. Raises NotAllowed unless the actor is the host."""
    host(unit)
    if not unit.record.directs(player):
        unit.write("director_named", player=player)


def relieve_director(unit: TournamentUnitOfWork, player: str) -> None:
    """Remove a director. Raises NotAllowed unless the actor is the host."""
    host(unit)
    if player not in unit.record.directors:
        raise NotAllowed("not_a_director", "only a named director can be removed")
    unit.write("director_relieved", player=player)


def call_off(unit: TournamentUnitOfWork, reason: str) -> None:
    """Close a tournament before its end and reveal the seed of its pairings."""
    host(unit)
    close(unit, CANCELLED, reason)


def close(unit: TournamentUnitOfWork, cause: str, reason: str | None = None) -> None:
    """Append the closing event and reveal the seed of the pairings. Raises NotAtThisStage."""
    if unit.record.status not in (DRAFT, *ALIVE):
        raise NotAtThisStage(unit.record.status, "it is over")
    seed = None if unit.record.commitment is None else unit.seed().hex()
    unit.write("tournament_closed", cause=cause, seed=seed, reason=unit.text(reason))


def direct(unit: TournamentUnitOfWork) -> None:
    """Raises NotAllowed unless the actor is a director, or the service by the regulations."""
    if unit.actor != SERVICE and not unit.record.directs(unit.actor):
        raise NotAllowed("not_director", "only directors of the tournament can do this")


def host(unit: TournamentUnitOfWork) -> None:
    """Raises NotAllowed unless the actor is the host."""
    if unit.actor != unit.record.host:
        raise NotAllowed("not_host", "only the host of the tournament can do this")


def complete(given: Mapping[str, Any]) -> JsonObject:
    """Validates regulations and fills in the defaults. Raises BadRegulations or BadOptions."""
    stages = [read_stage(stage) for stage in given["stages"]]
    if not stages:
        raise BadRegulations("stages", "there is none")
    _check_time(given)
    options = _options(given["game"], given["options"], {size for s in stages for size in s.sizes.preferred})
    _check_bots(given)
    if given["duplicate"] and given["chance"]:  # the default is level 0
        raise BadRegulations("duplicate", "the same deal at every table requires chance level 0")
    _check_rated({**given, "chance": _level(given)})
    if given["most"] is not None and given["most"] < given["least"]:
        raise BadRegulations("most", "is less than the least")
    _check_chain(stages)
    return {
        **given,
        "chance": _level(given),
        "options": dict(options),
        "clock": read_setting(given["clock"]).document(),
        "stages": [stage_document(stage) for stage in stages],
    }


def _check_rated(regulations: Mapping[str, Any]) -> None:
    """Raises BadRegulations for a rated tournament whose draws a player could know beforehand."""
    if not regulations["rated"]:
        return
    if regulations["duplicate"]:
        raise BadRegulations(
            "duplicate", "the same deal at every table requires chance level 0, which a rated game cannot have"
        )
    if regulations["chance"] == ChanceLevel.DECLARED:
        raise BadRegulations("chance", "a rated game requires chance level 1 or more: at level 0 every draw is known")


def _level(given: Mapping[str, Any]) -> int:
    """Returns the level of committed chance; the default is 2 where players take their seats and can bring entropy."""
    if given["chance"] is not None:
        return int(given["chance"])
    if given["duplicate"]:
        return int(ChanceLevel.DECLARED)
    return int(ChanceLevel.OPEN if given["no_show"] is None else ChanceLevel.SEALED)


def _options(name: str, given: JsonObject, sizes: set[int]) -> JsonObject:
    """Returns the options of every table. Raises BadRegulations for a table size that the game does not support."""
    game = GAMES[name]
    for size in sorted(sizes):
        if size not in game.seats:
            raise BadRegulations(
                "sizes",
                "{name} is for {least} to {most}, not {size}",
                name=name,
                least=game.seats[0],
                most=game.seats[-1],
                size=size,
            )
        game.read_options(given, size)
    if "first_player" in given or "start_player" in given:
        raise BadOptions("first_player", "in a tournament, the pairing decides who starts")
    return given


def _check_bots(given: Mapping[str, Any]) -> None:
    leaver, fill = given["leaver"], given["bots"]
    if leaver != "forfeit" and leaver.removeprefix(BOT) not in LEVELS:
        raise BadRegulations("leaver", "{leaver!r} must be forfeit, or bot: and a level", leaver=leaver)
    if fill is not None and fill not in LEVELS:
        raise BadRegulations("bots", "{fill!r} is none of {known}", fill=fill, known=", ".join(LEVELS))


def _check_time(given: Mapping[str, Any]) -> None:
    if given["time_zone"] not in available_timezones():
        raise BadRegulations("time_zone", "{zone!r} is not a time zone", zone=given["time_zone"])
    starts, ends = given["starts"], given["ends"]
    if ends is not None and (starts is None or ends <= starts):
        raise BadRegulations("ends", "is not after the start")
    if given["pace"] == "automatic" and starts is None:
        raise BadRegulations("starts", "an automatic tournament needs a start time")


def _check_chain(stages: list[Stage]) -> None:
    """Raises BadRegulations unless every stage but the last lets entrants advance."""
    for stage in stages[:-1]:
        if not stage.advance.per_table and stage.advance.total is None:
            raise BadRegulations("advance", "no entrant advances from {name}", name=stage.name)
