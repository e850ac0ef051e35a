"""From a draft to regulations that nobody changes any more: declare, amend, publish, name directors, call off."""

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
from service.core.errors import NotAllowed, NotAtThisStage
from service.games.house_bots import LEVELS
from service.tournaments.repository import TournamentUnitOfWork

FINISHED: Final = "finished"
CANCELLED: Final = "cancelled"


def declare(act: TournamentUnitOfWork, title: str, regulations: Mapping[str, Any], visibility: str) -> None:
    """Write a draft down."""
    act.write("tournament_declared", title=act.text(title), regulations=complete(regulations), visibility=visibility)


def amend(act: TournamentUnitOfWork, title: str, regulations: Mapping[str, Any]) -> None:
    """Put another draft in the place of the one there is."""
    direct(act)
    if act.record.status != DRAFT:
        raise NotAtThisStage(act.record.status, "published regulations are not changed any more")
    act.write("tournament_amended", title=act.text(title), regulations=complete(regulations))


def publish(act: TournamentUnitOfWork) -> None:
    """Freeze the regulations and bind every pairing to a seed; entries are open from now on."""
    direct(act)
    if act.record.status != DRAFT:
        raise NotAtThisStage(act.record.status, "it is published already")
    _check_rated(act.record.regulations)  # a draft may be older than what is checked when it is declared
    seed = secrets.token_bytes(chance.SECRET)
    act.new_seeds.append((act.id, seed))
    act.write(
        "tournament_published",
        regulations=regulations_hash(act.record.regulations).hex(),
        commitment=chance.commitment(act.id, seed).hex(),
    )


def name_director(act: TournamentUnitOfWork, player: str) -> None:
    """Let somebody else direct too; only the host can."""
    host(act)
    if not act.record.directs(player):
        act.write("director_named", player=player)


def relieve_director(act: TournamentUnitOfWork, player: str) -> None:
    """Let a director direct no longer; only the host can."""
    host(act)
    if player not in act.record.directors:
        raise NotAllowed("not_a_director", "only who was named a director can be relieved")
    act.write("director_relieved", player=player)


def call_off(act: TournamentUnitOfWork, reason: str) -> None:
    """Close a tournament before its end; the seed of its pairings is shown."""
    host(act)
    close(act, CANCELLED, reason)


def close(act: TournamentUnitOfWork, cause: str, reason: str | None = None) -> None:
    """Write the last event."""
    if act.record.status not in (DRAFT, *ALIVE):
        raise NotAtThisStage(act.record.status, "it is over")
    seed = None if act.record.commitment is None else act.seed().hex()
    act.write("tournament_closed", cause=cause, seed=seed, reason=act.text(reason))


def direct(act: TournamentUnitOfWork) -> None:
    """Refuse with NotAllowed who is no director."""
    if not act.record.directs(act.actor):
        raise NotAllowed("not_director", "only directors of the tournament can do this")


def host(act: TournamentUnitOfWork) -> None:
    """Refuse with NotAllowed who is not the host."""
    if act.actor != act.record.host:
        raise NotAllowed("not_host", "only the host of the tournament can do this")


def complete(given: Mapping[str, Any]) -> dict[str, Any]:
    """Regulations that fit together, with everything said; refuses with BadRegulations or BadOptions."""
    stages = [read_stage(stage) for stage in given["stages"]]
    if not stages:
        raise BadRegulations("stages", "there is none")
    _check_time(given)
    options = _options(given["game"], given["options"], {size for s in stages for size in s.sizes.preferred})
    _check_bots(given)
    if given["duplicate"] and given["chance"]:  # left out, it is 0
        raise BadRegulations("duplicate", "the same deal at every table takes chance level 0")
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
    """Refuse with BadRegulations a rated tournament in whose games somebody could know the draws beforehand."""
    if not regulations["rated"]:
        return
    if regulations["duplicate"]:
        raise BadRegulations(
            "duplicate", "the same deal at every table takes chance level 0, and a rated game does not"
        )
    if regulations["chance"] == ChanceLevel.DECLARED:
        raise BadRegulations("chance", "a rated game takes chance level 1 or more: at level 0 every draw is known")


def _level(given: Mapping[str, Any]) -> int:
    """The level of committed chance: 2 where players sit down themselves and can bring their part, unless chosen."""
    if given["chance"] is not None:
        return int(given["chance"])
    if given["duplicate"]:
        return int(ChanceLevel.DECLARED)
    return int(ChanceLevel.OPEN if given["no_show"] is None else ChanceLevel.SEALED)


def _options(name: str, given: JsonObject, sizes: set[int]) -> JsonObject:
    """The options that every table is played with; each size of table has to suit the game."""
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
        raise BadOptions("first_player", "in a tournament, the pairing says who starts")
    return given


def _check_bots(given: Mapping[str, Any]) -> None:
    leaver, fill = given["leaver"], given["bots"]
    if leaver != "forfeit" and leaver.removeprefix(BOT) not in LEVELS:
        raise BadRegulations("leaver", "{leaver!r} is neither forfeit nor bot: and a level", leaver=leaver)
    if fill is not None and fill not in LEVELS:
        raise BadRegulations("bots", "{fill!r} is none of {known}", fill=fill, known=", ".join(LEVELS))


def _check_time(given: Mapping[str, Any]) -> None:
    if given["time_zone"] not in available_timezones():
        raise BadRegulations("time_zone", "{zone!r} is not a time zone", zone=given["time_zone"])
    starts, ends = given["starts"], given["ends"]
    if ends is not None and (starts is None or ends <= starts):
        raise BadRegulations("ends", "is not after the start")
    if given["pace"] == "automatic" and starts is None:
        raise BadRegulations("starts", "a tournament that runs by itself needs a time to start at")


def _check_chain(stages: list[Stage]) -> None:
    """Every stage but the last says who goes on."""
    for stage in stages[:-1]:
        if not stage.advance.per_table and stage.advance.total is None:
            raise BadRegulations("advance", "nobody goes on from {name}", name=stage.name)
