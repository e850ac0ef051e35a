"""V12 computes ratings again: from what an archive carries, a stranger sees what each of its games did to them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from click.testing import CliRunner
from flask import Flask

from deploy.cli import main
from events.canonical import canonical
from events.event import Event, received
from events.json_types import JsonObject
from events.log.bundle import Bundle
from projections.ratings.game_inputs import inputs_of
from projections.ratings.input_files import Input, RatingFile, hash_of
from projections.ratings.model import PEOPLE, Rating, recomputed
from projections.verify.archive import pack, unpack, verify_archive
from projections.verify.bundle import INVALID, verify
from projections.verify.checks.case import Contents
from service.ratings import queries
from tests.service.conftest import Environ
from tests.service.ratings.test_ratings import a_game
from tests.service.tournaments.test_archives import changed, told_anew
from tests.support.service.players import Person, answer, somebody
from tests.support.service.running_service import keep
from tests.support.service.tournament_fixture import Hall

PAIRS = {"format": "heats", "rounds": 1, "sizes": [2], "scheme": "wins"}


class Rated(NamedTuple):
    """A tournament that was rated, and its archive."""

    hall: Hall
    contents: Contents

    @property
    def stream(self) -> UUID:
        return UUID(self.hall.id)

    @property
    def people(self) -> RatingFile:
        """Returns the inputs of the players' ratings."""
        (file,) = self.contents.ratings
        return file


@pytest.fixture(scope="module")
def rated(app: Flask, environ: Environ) -> Rated:
    """Four players, two of them rated, meet once in pairs; the first seats resign."""
    hall = Hall(app, [PAIRS], rated=True, leaver="forfeit")
    people = [somebody(hall.client) for _ in range(4)]
    for _ in range(2):
        a_game(people[0], people[1])
    keep(environ)
    hall.direct("publication")
    for one in people:
        one.post(f"{hall.path}/entrants")
    a_game(people[1], people[0])  # after the entries
    hall.direct("stages")
    hall.start()
    for game in hall.games():
        give_up(hall, game, people)
    hall.keep()
    hall.direct("rounds/current/closing")
    hall.direct("stages/current/closing")
    hall.direct("closing")
    keep(environ)
    return Rated(hall, unpack(hall.client.get(f"{hall.path}/archive").data))


def give_up(hall: Hall, game: UUID, people: list[Person]) -> None:
    """The first seat resigns."""
    sitting = answer(hall.client.get(f"/v1/games/{game}"), 200)["seats"][0]["player"]["id"]
    next(one for one in people if one.id == sitting).post(f"/v1/games/{game}/resign")


def judged(rated: Rated, contents: Contents) -> tuple[str, list[str]]:
    """The reason why V12 failed, if it did, and the reasons of its remarks."""
    found = verify(contents.games[rated.stream], None, rated.stream, contents)
    (v12,) = [check for check in found.answers if check.code == "V12"]
    return (found.failure.reason if found.failure else ""), [remark.reason for remark in v12.findings]


def test_a_stranger_computes_the_ratings_again_from_the_archive(rated: Rated) -> None:
    assert judged(rated, rated.contents) == ("", ["rated_elsewhere"])  # the three games before and beside it
    report = verify_archive(pack(rated.contents.games.items(), rated.contents.ratings), None)
    assert (report.verdict != INVALID, report.refused) == (True, None)
    shown = answer(rated.hall.client.get("/v1/ratings?game=spice_road"), 200)
    assert shown["input"]["hash"] == rated.people.hash
    listed = {row["player"]["id"]: Rating(row["mu"], row["sigma"]) for row in shown["ratings"]}
    assert listed == dict(rated.people.ratings) == recomputed(one.document for one in rated.people.inputs)


def test_an_entry_names_the_listed_rating_and_its_position(rated: Rated) -> None:
    log = answer(rated.hall.client.get(f"{rated.hall.path}/events?limit=500"), 200)["events"]
    entered = [event["data"] for event in log if event["kind"] == "entered"]
    assert [data.get("rating") is not None for data in entered] == [True, True, False, False]
    assert entered[0]["rating"] < 1500 < entered[1]["rating"]
    assert {data["rating_at"] > rated.people.inputs[1].idx for data in entered} == {True}
    assert {data["rating_at"] <= rated.people.inputs[2].idx for data in entered} == {True}


def test_operator_and_service_make_the_same_ratings_and_archives(rated: Rated, environ: Environ, tmp_path: Any) -> None:
    runner, file = CliRunner(env=environ), tmp_path / "open.zip"
    written = runner.invoke(main, ["--data-dir", environ["CABILDO_DATA_DIR"], "archive", str(file), rated.hall.id])
    assert written.exit_code == 0, written.output
    assert unpack(file.read_bytes()).ratings == rated.contents.ratings
    other = rated.people.inputs[0].document["stream"]
    both = ["--data-dir", environ["CABILDO_DATA_DIR"], "archive", str(file), rated.hall.id, other]
    assert "by itself" in runner.invoke(main, both).output


Change = Callable[[RatingFile], RatingFile]


def with_inputs(file: RatingFile, *inputs: Input) -> RatingFile:
    """Returns a file computed from other inputs."""
    ratings = recomputed(one.document for one in inputs)
    return file._replace(
        inputs=inputs, hash=hash_of(inputs), ratings={p: ratings[p] for p in file.ratings if p in ratings}
    )


def turned(one: Input) -> Input:
    """An input in which the last became the first."""
    (first, second) = one.document["players"]
    swapped = [{**first, "place": second["place"]}, {**second, "place": first["place"]}]
    return one._replace(document={**one.document, "players": swapped})


def with_the_last_turned(file: RatingFile) -> RatingFile:
    return with_inputs(file, *file.inputs[:-1], turned(file.inputs[-1]))


def by_another_sum(file: RatingFile) -> RatingFile:
    first = file.ratings[min(file.ratings)]
    return file._replace(ratings={**file.ratings, min(file.ratings): first._replace(mu=first.mu + 1)})


FORGERIES: Mapping[str, tuple[Change, str]] = {
    "a rating that nothing leads to": (by_another_sum, "rating"),
    "a rating left out": (lambda f: f._replace(ratings=dict([*f.ratings.items()][1:])), "rating"),
    "another hash": (lambda f: f._replace(hash="ab" * 32), "rating_inputs"),
    "games in another order": (lambda f: with_inputs(f, *reversed(f.inputs)), "rating_inputs"),
    "a game twice": (lambda f: with_inputs(f, *f.inputs, f.inputs[0]._replace(idx=f.upto - 1)), "rating_inputs"),
    "games that come after": (lambda f: f._replace(upto=f.inputs[-1].idx), "rating_inputs"),
    "a player alone": (
        lambda f: f._replace(inputs=(f.inputs[0]._replace(document={**f.inputs[0].document, "players": []}),)),
        "rating_inputs",
    ),
    "another game's": (lambda f: f._replace(game="puerto_rico"), "rating_inputs"),
    "a game of the tournament turned round": (
        lambda f: with_inputs(f, *f.inputs[:-1], turned(f.inputs[-1])),
        "rated_otherwise",
    ),
    "a game of the tournament rated later than it ended": (
        lambda f: with_inputs(f._replace(upto=f.upto + 99), *f.inputs[:-1], f.inputs[-1]._replace(idx=f.upto + 50)),
        "rated_otherwise",
    ),
    "a game of the tournament left out": (lambda f: with_inputs(f, *f.inputs[:-1]), "not_rated"),
    "an earlier game left out": (lambda f: with_inputs(f, *f.inputs[1:]), "entry_rating"),
    "an earlier game turned round": (lambda f: with_inputs(f, turned(f.inputs[0]), *f.inputs[1:]), "entry_rating"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_what_was_changed_in_the_ratings_is_named(name: str, rated: Rated) -> None:
    change, reason = FORGERIES[name]
    contents = unpack(pack(rated.contents.games.items(), [change(rated.people)]))  # of the right form
    assert judged(rated, contents)[0] == reason


def entered_with(rated: Rated, nth: int, **fields: int) -> Contents:
    """The archive in which an entry names another rating, or none."""
    other = {"rating": None, "rating_at": None, **fields}

    def change(events: list[Event]) -> Sequence[tuple[Event, JsonObject]]:
        target = [event.seq for event in events if event.kind == "entered"][nth]
        named = {name: value for name, value in other.items() if value is not None}
        return [
            (event, {**{k: v for k, v in event.data.items() if k not in other}, **named})
            if event.seq == target
            else (event, event.data)
            for event in events
        ]

    games = rated.contents.games
    return rated.contents._replace(games={**games, rated.stream: told_anew(games[rated.stream], change)})


def test_another_rating_at_an_entry_is_named(rated: Rated) -> None:
    upto = rated.people.upto
    for fields in ({"rating": 1600, "rating_at": upto}, {"rating_at": upto}, {"rating_at": upto + 1}, {"rating": 1600}):
        assert judged(rated, entered_with(rated, 0, **fields))[0] == "entry_rating"


def test_old_entries_may_name_any_earlier_rating(rated: Rated) -> None:
    first = recomputed(one.document for one in rated.people.inputs[:1])
    loser = rated.people.inputs[0].document["players"]
    player = next(one["player"] for one in loser if one["place"] == 2)
    assert judged(rated, entered_with(rated, 0, rating=first[player].displayed)) == ("", ["rated_elsewhere"])
    assert judged(rated, entered_with(rated, 0)) == ("", ["rated_elsewhere"])


def test_an_archive_without_ratings_says_whose_word_they_are(rated: Rated) -> None:
    assert judged(rated, rated.contents._replace(ratings=())) == ("", ["ratings_apart"])


def test_of_a_pool_that_has_had_too_many_games_nothing_is_carried(
    rated: Rated, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, games = f"{rated.hall.path}/archive", len(rated.people.inputs)
    for most, carried in ((games, 1), (games - 1, 0)):
        monkeypatch.setattr(queries, "MOST_INPUTS", most)
        assert len(unpack(rated.hall.client.get(path).data).ratings) == carried


def test_ratings_may_be_behind_while_the_log_is(rated: Rated) -> None:
    before = rated.people.inputs[-2]
    early = with_inputs(rated.people._replace(upto=before.idx + 1), *rated.people.inputs[:-1])
    assert judged(rated, rated.contents._replace(ratings=(early,))) == ("", ["not_rated_yet", "rated_elsewhere"])


def test_a_game_without_players_is_named_despite_a_recorded_end(rated: Rated) -> None:
    games, stream = rated.contents.games, UUID(rated.people.inputs[-1].document["stream"])
    nobody = told_anew(games[stream], changed("game_started", 0, order=[0, 4]))
    (ended,) = [one for one in map(received, Bundle.read(nobody).events) if one.kind == "game_ended"]

    def change(events: list[Event]) -> Sequence[tuple[Event, JsonObject]]:
        vouched = {"game": str(stream), "head": ended.hash.hex()}
        return [(e, {**e.data, **vouched} if e.data.get("game") == str(stream) else e.data) for e in events]

    other = {**games, stream: nobody, rated.stream: told_anew(games[rated.stream], change)}
    assert judged(rated, rated.contents._replace(games=other))[0] == "unreadable_game"


def test_ratings_without_their_tournament_are_refused(rated: Rated) -> None:
    games = {stream: data for stream, data in rated.contents.games.items() if stream != rated.stream}
    report = verify_archive(pack(games.items(), rated.contents.ratings), None)
    assert (report.exit_status, report.refused) == (11, "there is no tournament that the ratings are of")


def test_what_a_game_puts_in_is_the_same_from_the_log_and_from_its_bundle(rated: Rated) -> None:
    stated = {one.document["stream"]: canonical(dict(one.document)) for one in rated.people.inputs}
    for stream, data in rated.contents.games.items():
        if stream != rated.stream:
            events = [received(body) for body in Bundle.read(data).events]
            assert inputs_of(events) == {PEOPLE: stated[str(stream)]}
