"""Forged tournaments: the stored archives with one thing changed, chained anew, as their host could do it."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from events.canonical import canonical
from events.event import START, Event, received
from events.log.bundle import Bundle
from projections.games.chance import commitment
from projections.ratings.input_files import Input, RatingFile, hash_of
from projections.verify.archive import unpack
from projections.verify.bundle import BundleReport, verify
from projections.verify.checks.case import Contents
from tests import corpus

Body = dict[str, Any]
Change = Callable[[Sequence[Body]], Sequence[Body]]
HEATS, ROBIN, SWISS = "heats_and_rulings", "round_robin_and_pods", "swiss_and_final"
CORRECTED = "stand_in_and_correction"
OTHER = "ab" * 32


class Stored(NamedTuple):
    """A stored archive, and which of its bundles is the tournament's own."""

    stream: UUID
    contents: Contents


@cache
def stored(name: str) -> Stored:
    (path,) = Path(corpus.__file__).parent.glob(f"*/{name}.zip")
    contents = unpack(path.read_bytes())
    kinds = {stream: bodies(data)[0]["kind"] for stream, data in contents.games.items()}
    return Stored(next(stream for stream, kind in kinds.items() if kind == "tournament_declared"), contents)


def bodies(data: bytes) -> list[Body]:
    return [json.loads(event) for event in Bundle.read(data).events]


def chained(told: Sequence[Body]) -> bytes:
    """A bundle of made-up events that no log vouches for; V12 judges them all the same."""
    prev, made = START.hash, list[Event]()
    for seq, body in enumerate(told, 1):
        made.append(received(canonical({**body, "seq": seq, "prev": prev.hex()})))
        prev = made[-1].hash
    return Bundle(made[0].stream, tuple(event.body for event in made)).encode()


class Claim(NamedTuple):
    """A forged tournament, and the reason that V12 gives."""

    does: str
    reason: str
    name: str
    change: Change = list
    games: Callable[[dict[UUID, bytes]], Mapping[UUID, bytes] | None] = dict
    ratings: Callable[[Sequence[RatingFile]], Sequence[RatingFile]] = tuple

    def examined(self) -> BundleReport:
        """Returns the finding of the verifier about the tournament in its archive."""
        stream, contents = stored(self.name)
        own = chained(self.change(bodies(contents.games[stream])))
        games = self.games({**contents.games, stream: own})
        archive = None if games is None else Contents(games, tuple(self.ratings(contents.ratings)))
        return verify(own, None, stream, archive)


# Changes of events.


def with_data(told: Sequence[Body], kind: str, nth: int = 0, /, **data: Any) -> list[Body]:
    """The n-th event of a kind with other data."""
    seq = [body["seq"] for body in told if body["kind"] == kind][nth]
    return [{**body, "data": {**body["data"], **data}} if body["seq"] == seq else body for body in told]


def other(kind: str, nth: int = 0, /, **data: Any) -> Change:
    return lambda told: with_data(told, kind, nth, **data)


def turned(kind: str, field: str, nth: int = 0) -> Change:
    """A list of an event turned round."""

    def change(told: Sequence[Body]) -> list[Body]:
        value = [body["data"][field] for body in told if body["kind"] == kind][nth]
        return with_data(told, kind, nth, **{field: value[::-1]})

    return change


def put_in(before: str, kind: str, actor: str | None = None, /, nth: int = 0, **data: Any) -> Change:
    """One more event in front of the n-th of a kind."""

    def change(told: Sequence[Body]) -> list[Body]:
        at = [number for number, body in enumerate(told) if body["kind"] == before][nth]
        made = {**told[at], "kind": kind, "shape": 1, "data": data, "actor": actor or told[0]["actor"]}
        return [*told[:at], made, *told[at:]]

    return change


def again(kind: str, nth: int = 0, /, **data: Any) -> Change:
    """An event said once more at once, with some of its data changed."""

    def change(told: Sequence[Body]) -> list[Body]:
        at = [number for number, body in enumerate(told) if body["kind"] == kind][nth]
        return [*told[: at + 1], {**told[at], "data": {**told[at]["data"], **data}}, *told[at + 1 :]]

    return change


def without(kind: str, nth: int = 0) -> Change:
    def change(told: Sequence[Body]) -> list[Body]:
        at = [number for number, body in enumerate(told) if body["kind"] == kind][nth]
        return [*told[:at], *told[at + 1 :]]

    return change


def by(kind: str, actor: str) -> Change:
    def change(told: Sequence[Body]) -> list[Body]:
        return [{**body, "actor": actor} if body["kind"] == kind else body for body in told]

    return change


def cut(after: str, nth: int = 0) -> Change:
    """The tournament up to an event."""

    def change(told: Sequence[Body]) -> list[Body]:
        return [*told[: [number for number, body in enumerate(told) if body["kind"] == after][nth] + 1]]

    return change


def under(rules: str, since: int) -> Change:
    return lambda told: [{**body, "rules": rules} if body["seq"] >= since else body for body in told]


def talk(told: Sequence[Body]) -> list[Body]:
    """Something happens after the tournament was closed."""
    made = {"entrant": 1, "reason": None}
    return [*told, {**told[-1], "kind": "withdrawn", "shape": 1, "data": made}]


def game_twice(told: Sequence[Body]) -> list[Body]:
    rows: Any = next(body["data"]["games"] for body in told if body["kind"] == "games_declared")
    return with_data(told, "games_declared", 0, games=[rows[0], rows[0], *rows[1:]])


def wish_of_another(told: Sequence[Body]) -> list[Body]:
    shown: Any = next(body["data"]["wishes"] for body in told if body["kind"] == "seats_given")
    return with_data(told, "seats_given", 0, wishes=[{**shown[0], "wish": shown[0]["wish"][::-1]}, *shown[1:]])


def called_off(told: Sequence[Body]) -> list[Body]:
    """Called off while the games of its first round were played."""
    begun = cut("substituted")(told)
    data = {**told[-1]["data"], "cause": "cancelled", "reason": OTHER}
    return [*begun, {**told[-1], "kind": "tournament_closed", "data": data}]


# Changes of games.


def first_game(files: Mapping[UUID, bytes]) -> UUID:
    """The first game of the first round."""
    told = bodies(next(data for data in files.values() if _is_own(data)))
    rows: Any = next(body["data"]["games"] for body in told if body["kind"] == "games_declared")
    return UUID(rows[0]["game"])


def _is_own(data: bytes) -> bool:
    return bool(bodies(data)[0]["kind"] == "tournament_declared")


def left_out(files: dict[UUID, bytes]) -> Mapping[UUID, bytes]:
    missing = first_game(files)
    return {stream: data for stream, data in files.items() if stream != missing}


def slipped_in(files: dict[UUID, bytes]) -> Mapping[UUID, bytes]:
    return {**files, UUID(int=5): files[first_game(files)]}


def in_game(change: Change) -> Callable[[dict[UUID, bytes]], Mapping[UUID, bytes]]:
    """The archive with another first game."""

    def made(files: dict[UUID, bytes]) -> Mapping[UUID, bytes]:
        game = first_game(files)
        return {**files, game: chained(change(bodies(files[game])))}

    return made


def empty_game(files: dict[UUID, bytes]) -> Mapping[UUID, bytes]:
    game = first_game(files)
    return {**files, game: Bundle(game, ()).encode()}


def opening(**data: Any) -> Callable[[dict[UUID, bytes]], Mapping[UUID, bytes]]:
    return in_game(other("game_created", 0, **data))


def first_round_without(count: int) -> Callable[[dict[UUID, bytes]], Mapping[UUID, bytes]]:
    """The archive of the tournament and the games of its first round, but the first so many."""

    def made(files: dict[UUID, bytes]) -> Mapping[UUID, bytes]:
        own = next(data for data in files.values() if _is_own(data))
        rows: Any = next(body["data"]["games"] for body in bodies(own) if body["kind"] == "games_declared")
        games = [UUID(row["game"]) for row in rows][count:]
        return {stream: data for stream, data in files.items() if stream in games or _is_own(data)}

    return made


def nowhere(_files: dict[UUID, bytes]) -> None:
    """No archive at all."""


# Changes of ratings.


def rated(change: Callable[[RatingFile], RatingFile]) -> Callable[[Sequence[RatingFile]], Sequence[RatingFile]]:
    return lambda files: [change(file) for file in files]


def reversed_inputs(file: RatingFile) -> RatingFile:
    return file._replace(inputs=file.inputs[::-1], hash=hash_of(file.inputs[::-1]))


def other_places(file: RatingFile) -> RatingFile:
    """All players come first in the first game, and the ratings stay."""
    one = file.inputs[0]
    players = [{**each, "place": 1} for each in one.document["players"]]
    inputs = (Input(one.idx, {**one.document, "players": players}), *file.inputs[1:])
    return file._replace(inputs=inputs, hash=hash_of(inputs))


def fewer_inputs(file: RatingFile) -> RatingFile:
    return file._replace(inputs=file.inputs[:-1], hash=hash_of(file.inputs[:-1]))


def other_rating(file: RatingFile) -> RatingFile:
    (player, rating), *others = sorted(file.ratings.items())
    return file._replace(ratings={player: replace_mu(rating), **dict(others)})


def replace_mu(rating: Any) -> Any:
    return rating._replace(mu=rating.mu + 1)


CLAIMS: tuple[Claim, ...] = (
    Claim("talks after the closing", "after_the_end", HEATS, talk),
    Claim("lets a stranger publish", "author", HEATS, by("round_published", "stranger")),
    Claim("lets an entrant withdraw another", "author", SWISS, by("withdrawn", "stranger")),
    Claim("publishes a round again", "order", HEATS, again("round_published")),
    Claim("enters a player twice", "entrant", HEATS, other("entered", 1, entrant=1)),
    Claim("pairs a round anew without a reason", "attempt", HEATS, again("round_paired", 0, attempt=2)),
    Claim("leaves an attempt out", "attempt", HEATS, other("round_paired", 0, attempt=2)),
    Claim("knows other rules later on", "rules_changed", HEATS, under("tournaments/2", 5)),
    Claim("knows rules nobody knows later on", "rules_unknown", HEATS, under("tournaments/0", 5)),
    Claim("is under rules nobody knows", "rules_unknown", HEATS, under("tournaments/0", 1)),
    Claim("publishes other regulations", "regulations", HEATS, other("tournament_published", 0, regulations=OTHER)),
    Claim("amends what was published", "regulations", HEATS, lambda told: _amended(told)),
    Claim("pairs from another version", "pairing", HEATS, other("round_paired", 0, inputs=1)),
    Claim("pairs otherwise", "pairing", HEATS, turned("round_paired", "tables")),
    Claim("pairs from another seed", "pairing", HEATS, other("round_paired", 0, seed=OTHER)),
    Claim("shows another wish", "wish", SWISS, wish_of_another),
    Claim("seats against the wishes", "seats", SWISS, turned("seats_given", "order")),
    Claim("declares a game twice", "games", HEATS, game_twice),
    Claim("declares another deal", "games", ROBIN, other("games_declared", 0, deal=str(UUID(int=3)))),
    Claim("starts a table without its game", "games", HEATS, other("games_declared", 0, games=[])),
    Claim("closes a round with open tables", "round", HEATS, without("result_recorded")),
    Claim("hides the deal", "deal", ROBIN, other("round_closed", 0, deal_seed=None)),
    Claim("shows another deal", "deal", ROBIN, other("round_closed", 0, deal_seed=OTHER)),
    Claim("lets others go on", "standings", SWISS, turned("stage_closed", "advancing")),
    Claim("drew from another seed", "seed", HEATS, other("tournament_published", 0, commitment=OTHER)),
    Claim("pairs by a seed of its own", "seed", HEATS, lambda told: _own_seed(told)),
    Claim("begins a stage that is not there", "field", HEATS, other("stage_begun", 0, stage=7)),
    Claim("keeps an entrant out of the field", "field", HEATS, other("stage_begun", 0, field=[1, 2, 3, 4, 5, 6])),
    Claim("lets another entrant into the final", "field", SWISS, other("stage_begun", 1, field=[4, 6, 3, 7])),
    Claim("turns the seeding of the final round", "field", SWISS, turned("stage_begun", "field", 1)),
    Claim("withdraws nobody", "tournament", SWISS, other("withdrawn", 0, entrant=900)),
    Claim("substitutes an unknown entrant", "substitute", HEATS, other("substituted", 0, by=900)),
    Claim("gives one entrant two seats", "substitute", CORRECTED, other("substituted", 0, by=3)),
    Claim("substitutes for an absent stranger", "about", HEATS, other("substituted", 0, entrant=900)),
    Claim("disqualifies an unknown entrant", "about", HEATS, lambda told: _disqualified(told)),
    Claim("counts what a bot played for an absentee", "no_show_counted", CORRECTED, lambda told: _absent(told)),
    Claim("leaves a game out", "missing_game", HEATS, games=left_out),
    Claim("slips a game in", "extra_game", HEATS, games=slipped_in),
    Claim("has a game of no events", "unreadable_game", HEATS, games=empty_game),
    Claim("has a game that makes no sense", "unreadable_game", HEATS, games=in_game(without("game_created"))),
    Claim("has a game of another tournament", "other_tournament", HEATS, games=opening(tournament=str(UUID(int=3)))),
    Claim("has a game of another deal", "other_deal", HEATS, games=opening(commitment=OTHER)),
    Claim("has a game of other terms", "other_terms", HEATS, games=opening(pauses=False)),
    Claim("asks others to sit down", "other_seats", HEATS, games=in_game(turned("game_created", "chairs"))),
    Claim("names an end that is not there", "other_end", HEATS, other("result_recorded", 0, head=OTHER)),
    Claim("names another end", "other_end", HEATS, other("result_recorded", 0, cause="rules")),
    Claim("records other points", "other_result", HEATS, lambda told: _other_points(told)),
    Claim("records others as forfeited", "other_result", HEATS, other("result_recorded", 0, forfeited=[])),
    Claim("records another reason of the end", "other_result", HEATS, other("result_recorded", 0, ends=["boredom"])),
    Claim("names another game", "games", HEATS, lambda told: _other_game(told)),
    Claim("names an absent player", "other_result", HEATS, other("result_recorded", 0, absent=[0])),
    Claim("names another rating with an entry", "entry_rating", SWISS, other("entered", 0, rating=1900, rating_at=0)),
    Claim("rules after the end, and issues nothing", "correction", CORRECTED, cut("result_ruled")),
    Claim("rules twice and issues one edition", "correction", CORRECTED, again("result_ruled")),
    Claim("replaces another edition", "correction", CORRECTED, other("tournament_corrected", 0, of=15)),
    Claim("is alone", "games_apart", HEATS, games=nowhere),
    Claim("was called off while it was played", "left_open", HEATS, called_off, games=first_round_without(1)),
    Claim("has an end that nobody recorded", "result_pending", HEATS, cut("substituted"), first_round_without(0)),
    Claim("is not over", "seed_hidden", HEATS, without("tournament_closed")),
    Claim("rates in another order", "rating_inputs", SWISS, ratings=rated(reversed_inputs)),
    Claim("rates with another hash", "rating_inputs", SWISS, ratings=rated(lambda file: file._replace(hash=OTHER))),
    Claim("rates another game", "rating_inputs", SWISS, ratings=rated(lambda file: file._replace(game="puerto_rico"))),
    Claim("states another rating", "rating", SWISS, ratings=rated(other_rating)),
    Claim("keeps the ratings apart", "ratings_apart", SWISS, ratings=lambda _files: ()),
)


def _amended(told: Sequence[Body]) -> Sequence[Body]:
    data = {name: told[0]["data"][name] for name in ("title", "regulations")}
    return put_in("stage_begun", "tournament_amended", None, **data)(told)


def _other_game(told: Sequence[Body]) -> Sequence[Body]:
    rows: Any = next(body["data"]["games"] for body in told if body["kind"] == "games_declared")
    return with_data(told, "games_declared", 0, games=[{**rows[0], "game": str(UUID(int=3))}, *rows[1:]])


def _disqualified(told: Sequence[Body]) -> Sequence[Body]:
    return put_in("tournament_closed", "disqualified", entrant=900, reason=OTHER)(told)


def _absent(told: Sequence[Body]) -> Sequence[Body]:
    """An entrant seated by the service, without a move, is recorded as absent before the result."""
    row: Any = next(body["data"]["games"][0] for body in told if body["kind"] == "games_declared")
    noted = put_in("result_recorded", "no_show_noted", round=1, table=1, entrant=3, game=row["game"])
    return cut("result_recorded")(noted(told))


def _own_seed(told: Sequence[Body]) -> Sequence[Body]:
    """The seed that is shown is another one, and committed to; the pairings were not drawn from it."""
    stream = UUID(told[0]["stream"])
    shown = with_data(told, "tournament_closed", 0, seed=OTHER)
    return with_data(shown, "tournament_published", 0, commitment=commitment(stream, bytes.fromhex(OTHER)).hex())


def _other_points(told: Sequence[Body]) -> Sequence[Body]:
    points: Any = next(body["data"]["points"] for body in told if body["kind"] == "result_recorded")
    return with_data(told, "result_recorded", 0, points=[point + 1 for point in points])
