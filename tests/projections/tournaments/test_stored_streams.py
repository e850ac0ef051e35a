"""What stored tournaments lead to at each version: games awaited and watched, arrivals, who goes on."""

from collections.abc import Sequence
from functools import reduce

from events.canonical import canonical
from events.event import in_newest_shape, received
from projections.tournaments.directory import awaited, watched
from projections.tournaments.fold import fold
from projections.tournaments.pairing.stage_field import going_on
from projections.tournaments.record import TournamentRecord
from tests.support.projections.forged.tournaments import ROBIN, SWISS, Body, bodies, cut, put_in, stored, with_data


def told(name: str) -> list[Body]:
    stream, contents = stored(name)
    return bodies(contents.games[stream])


def record_of(events: Sequence[Body]) -> TournamentRecord:
    first, *others = (in_newest_shape(received(canonical(body))) for body in events)
    return reduce(fold, others, fold(None, first))


def declared(events: Sequence[Body]) -> list[str]:
    rows = next(body["data"]["games"] for body in events if body["kind"] == "games_declared")
    return [row["game"] for row in rows]


def test_declared_games_of_a_shared_deal_are_awaited_until_the_start() -> None:
    events = told(ROBIN)
    games = declared(events)
    assert len(games) > 1
    assert awaited(record_of(cut("round_paired")(events))) == []
    assert awaited(record_of(cut("games_declared")(events))) == games
    assert awaited(record_of(cut("round_started")(events))) == []


def test_a_table_whose_game_is_not_declared_yet_is_not_awaited() -> None:
    events = told(ROBIN)
    rows = next(body["data"]["games"] for body in events if body["kind"] == "games_declared")
    partly = with_data(events, "games_declared", 0, games=rows[:1])
    assert awaited(record_of(cut("games_declared")(partly))) == declared(events)[:1]


def test_games_are_watched_until_their_result_is_recorded() -> None:
    events = told(ROBIN)
    games = declared(events)
    assert watched(record_of(cut("round_paired")(events))) == []
    assert watched(record_of(cut("round_started")(events))) == games
    over = next(body["data"]["game"] for body in events if body["kind"] == "result_recorded")
    left = [game for game in games if game != over]
    assert watched(record_of(cut("result_recorded")(events))) == left


def test_no_player_is_waited_for_once_arrivals_are_closed() -> None:
    events = with_data(told(ROBIN), "round_started", 0, sit_by=2**50)
    waiting = record_of(cut("round_started")(events))
    assert waiting.rounds[0].sit_by == 2**50
    closed = put_in("result_recorded", "arrivals_closed", round=1)(events)
    assert record_of(cut("arrivals_closed")(closed)).rounds[0].sit_by is None


def test_an_alternate_goes_on_for_a_player_who_is_gone() -> None:
    events = cut("stage_closed")(told(SWISS))
    before = record_of(events).stages[0]
    first, *others = before.advancing
    assert going_on(record_of(events), before) == before.advancing
    gone = {**events[-1], "kind": "withdrawn", "shape": 1, "data": {"entrant": first, "reason": None}}
    assert going_on(record_of([*events, gone]), before) == (*others, *before.alternates[:1])
