"""V12, last part: the games were rated as they ended, and the ratings follow from their inputs."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, NoReturn
from uuid import UUID

from events.canonical import canonical
from events.event import in_newest_shape, received
from events.log.bundle import Bundle
from events.messages import Message
from projections.ratings.game_inputs import inputs_of
from projections.ratings.input_files import Input, RatingFile, hash_of
from projections.ratings.model import PEOPLE, PROGRAMS, Rating, changes
from projections.tournaments.record import Entry, TournamentRecord
from projections.verify.checks.case import Case, CheckFailed, Contents, Finding, refuse_unfoldable, unproved


class Pool(NamedTuple):
    """The inputs of a pool, and the ratings recomputed from them."""

    file: RatingFile
    by_game: Mapping[str, Input]
    history: Mapping[str, Sequence[tuple[int, Rating]]]  # by player: entries of the log, and the rating since

    def worth(self, player: str, upto: int) -> Rating | None:
        """Returns the rating of a player before a log entry, or None before the first rated game."""
        known = self.history.get(player, ())
        before = bisect_left(known, upto, key=lambda change: change[0])
        return known[before - 1][1] if before else None


class RatedPlace(NamedTuple):
    """The rating input of a game in the archive, and the last possible index of its end in the log."""

    inputs: Mapping[str, bytes]
    latest: int | None  # None: the log does not include it yet


def check_ratings(case: Case, record: TournamentRecord) -> Iterator[Finding]:
    """Recomputes the ratings from their inputs, and compares the inputs with the games."""
    contents = case.archive or Contents({})
    pools = {file.pool: _pool(file, record) for file in contents.ratings}
    places = {stream: _place(stream, data) for stream, data in contents.games.items() if stream != case.bundle.stream}
    pending = sum(_is_pending(stream, place, pools) for stream, place in places.items())
    for entry in record.entries:
        _check_entry(entry, pools.get(_kind(entry)))
    apart = any(place.inputs.keys() - pools.keys() for place in places.values())
    if apart or any(entry.rating is not None and _kind(entry) not in pools for entry in record.entries):
        yield unproved("ratings_apart", "not all that ratings come from is in this file: they are the service's word")
    if pending:
        yield unproved(
            "not_rated_yet", Message("games that were not rated yet when the file was made: {count}", count=pending)
        )
    others = {game for pool in pools.values() for game in pool.by_game} - {str(stream) for stream in places}
    if others:
        sentence = "how the other games ended that the ratings come from as well ({count}) is the service's word"
        yield unproved("rated_elsewhere", Message(sentence, count=len(others)))


def _pool(file: RatingFile, record: TournamentRecord) -> Pool:
    """Returns the pool of a consistent file; raises CheckFailed."""
    by_game = {str(one.document["stream"]): one for one in file.inputs}
    rising = pairwise((-1, *(one.idx for one in file.inputs), file.upto))
    if file.game != record.regulations["game"] or len(by_game) < len(file.inputs):
        _refuse(file, "the ratings of the {pool} are of another game, or rate one twice")
    if not all(one < other for one, other in rising) or not all(map(_is_formed, file.inputs)):
        _refuse(file, "the games that the {pool} are rated by are not in order")
    if hash_of(file.inputs) != file.hash:
        _refuse(file, "the games that the {pool} are rated by have another hash")
    pool = Pool(file, by_game, _history(file))
    _check_ratings(pool, record)
    return pool


def _refuse(file: RatingFile, sentence: str, reason: str = "rating_inputs") -> NoReturn:
    raise CheckFailed(reason, sentence, pool=Message(file.pool))


def _history(file: RatingFile) -> Mapping[str, Sequence[tuple[int, Rating]]]:
    history: dict[str, list[tuple[int, Rating]]] = {}
    for one, changed in zip(file.inputs, changes(one.document for one in file.inputs), strict=True):
        for player, rating in changed.items():
            history.setdefault(player, []).append((one.idx, rating))
    return history


def _is_formed(one: Input) -> bool:
    """Returns whether two or more players are rated, each once, in the order of their ids."""
    players = [each["player"] for each in one.document["players"]]
    return len(players) > 1 and players == sorted(set(players))


def _check_ratings(pool: Pool, record: TournamentRecord) -> None:
    """Checks the rating that the file states for each rated entrant."""
    players = {entry.player for entry in record.entries}
    found = {player: changed[-1][1] for player, changed in pool.history.items() if player in players}
    wrong = [player for player in sorted(players) if found.get(player) != pool.file.ratings.get(player)]
    if wrong or pool.file.ratings.keys() - found.keys():
        _refuse(pool.file, "the rated games lead to other ratings of the {pool}", "rating")


def _place(stream: UUID, data: bytes) -> RatedPlace:
    """Returns the rating input of a game; raises CheckFailed when its events do not fold."""
    bundle = Bundle.read(data)  # an earlier check has parsed it
    with refuse_unfoldable(stream):
        events = [in_newest_shape(received(body)) for body in bundle.events]
        inputs = inputs_of(events)
    ended = next((event for event in events if event.kind == "game_ended"), None)
    if ended is None or bundle.proof is None:
        return RatedPlace(inputs, None)
    return RatedPlace(inputs, bundle.proof.index - (events[-1].seq - ended.seq))


def _is_pending(stream: UUID, place: RatedPlace, pools: Mapping[str, Pool]) -> bool:
    """Returns whether the game is not rated yet; raises CheckFailed when it is rated differently than it ended."""
    pending = False
    for name, pool in pools.items():
        stated, due = pool.by_game.get(str(stream)), place.inputs.get(name)
        if stated is None and due is not None:
            if place.latest is not None and place.latest < pool.file.upto:
                raise CheckFailed("not_rated", "game {game} is not among those that were rated", game=stream)
            pending = True
        elif stated is not None and (canonical(dict(stated.document)) != due or _is_late(stated, place)):
            raise CheckFailed("rated_otherwise", "game {game} was rated otherwise than it ended", game=stream)
    return pending


def _is_late(stated: Input, place: RatedPlace) -> bool:
    return place.latest is not None and stated.idx > place.latest


def _kind(entry: Entry) -> str:
    return PROGRAMS if entry.program else PEOPLE


def _check_entry(entry: Entry, pool: Pool | None) -> None:
    """Checks the rating recorded at entry against the inputs before it."""
    if entry.bot is not None or pool is None or (entry.rating is None and entry.rating_at is None):
        return
    if entry.rating_at is not None:
        worth = pool.worth(entry.player, entry.rating_at)
        agrees = entry.rating_at <= pool.file.upto and entry.rating == (None if worth is None else worth.displayed)
    else:
        agrees = any(rating.displayed == entry.rating for _, rating in pool.history.get(entry.player, ()))
    if not agrees:
        raise CheckFailed("entry_rating", "entrant {number} had another rating", entry.event, number=entry.number)
