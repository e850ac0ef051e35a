"""A running game is moved to newer rules only where they would have made the very same game of it so far."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any
from uuid import UUID

import pytest
from cabildo_client.commitments import link_chain
from click.testing import CliRunner, Result
from flask import Flask

from deploy.cli import main
from events.event import Event, received
from projections.games.chance import ChanceLevel
from projections.games.execute_move import digest
from projections.games.record import RUNNING
from projections.games.replay import ReplayStart, steps
from projections.games.rules_versions import MOVED_ON, rules_after
from projections.rules.puerto_rico.buildings.printed import Building
from projections.rules.spice_road import rulings
from projections.rules.tables_hash import rules_data
from projections.verify.bundle import NOT_CHECKED, UNDECIDED, UNDECIDED_EXIT, verify
from projections.verify.checks.game_replay import rules_unknown
from projections.verify.compatibility import RULES, differences
from service import settings
from service.app import create_app
from service.core.errors import NotRunning, RulesNotMoved
from service.games.decisions import undo
from service.games.decisions.change_rules import move_rules
from service.games.game_state import setting
from service.games.history import history_of
from tests.service.games.test_house_bots import work_all
from tests.support.projections.bundles import GAME, POLICY, rechained
from tests.support.projections.newer_rules import FIRST, SECOND, newer_rules, newer_than_newest
from tests.support.projections.played_games import LINKS, NO_CLOCK, SEATED, Evening, seated
from tests.support.projections.rewritten_history import bundle
from tests.support.service.players import Person, answer, problem
from workers import jobs
from workers.analysis_job import decisions

WHY = "Two cards were meant to end it."


def first_at(points: int) -> dict[str, Any]:
    """Rules by which so many point cards end a game (R-24)."""
    return {"thresholds": dict.fromkeys(rulings.SEATS, points)}


def move_on(evening: Evening, to: str = SECOND) -> None:
    evening.let("operator", partial(move_rules, to=to, reason=WHY))


def until(evening: Evening, happened: Callable[[], object], links: list[list[bytes]] | None = None) -> None:
    while evening.table.known.status == RUNNING and not happened():
        evening.move(links)


def version_of(board: Any) -> str:
    """The version of the rules that a board keeps to."""
    return str(board.rulings.version)


def claims(evening: Evening) -> list[int]:
    """The events in which a point card was claimed."""
    told: list[dict[str, Any]] = [json.loads(event.body) for event in evening.events]
    return [body["seq"] for body in told for name, *_ in body["data"].get("facts", ()) if name == "point_card_claimed"]


@cache
def moved_on(level: ChanceLevel) -> Evening:
    """A game that was moved after twelve moves, the last of which was taken back then, and played to its end."""
    evening = seated(level, NO_CLOCK)
    links = [link_chain(GAME, chair, bytes([0xD0 + chair]) * 32, LINKS) for chair in range(2)]
    given = links if level == ChanceLevel.CHAINED else None
    until(evening, lambda: len(evening.events) > 12 and not evening.events[-1].data["drew"], given)
    seat = int(str(evening.events[-1].data["seat"]))
    with newer_rules(**first_at(2)):
        move_on(evening)
        evening.let(SEATED[evening.table.known.order[seat]], partial(undo.undo, seat=seat))
        until(evening, lambda: False, given)
    return evening


@pytest.fixture(params=[ChanceLevel.OPEN, ChanceLevel.CHAINED])
def moved(request: pytest.FixtureRequest) -> Iterator[Evening]:
    evening = moved_on(request.param)
    with newer_rules(**first_at(2)):
        yield evening


def test_the_event_names_author_reason_and_the_newer_digest(moved: Evening) -> None:
    (event,) = [event for event in moved.events if event.kind == MOVED_ON]
    assert (event.actor, event.rules, event.data["to"], "reason" in event.data) == ("operator", FIRST, SECOND, True)
    assert {e.rules for e in moved.events[: event.seq]} == {FIRST}
    assert {e.rules for e in moved.events[event.seq :]} == {SECOND}


def test_the_game_is_played_to_its_end_by_the_newer_rules(moved: Evening) -> None:
    assert len(claims(moved)) <= 4  # the second card of a seat began the last round
    assert moved.table.known.status == "finished"


def test_a_moved_game_verifies_and_its_bundle_names_the_last_rules(moved: Evening) -> None:
    assert differences(moved.events) == []
    made = replace(bundle(moved.events), rules=rules_data("spice_road", SECOND))
    report = verify(made.encode(), POLICY)
    assert report.failure is None
    assert "rules_unknown" not in {remark.reason for remark in report.remarks}


def test_the_replay_shows_every_board_under_the_rules_of_its_time(moved: Evening) -> None:
    told = list(steps(setting(moved.table.known), moved.events, undone=True))
    assert [digest(moved.table.game, step.position) for step in told] == [step.event.data["digest"] for step in told]
    names = [version_of(step.position) for step in told]
    assert names == sorted(names)
    assert {*names} == {FIRST, SECOND}


def test_an_analysis_weighs_every_move_by_the_rules_of_its_time(moved: Evening) -> None:
    found = [
        (decision.event.rules, decision.position.rulings.version) for decision in decisions(moved.table, moved.events)
    ]
    assert all(ours == its for ours, its in found)
    assert {ours for ours, _ in found} == {FIRST, SECOND}


def test_who_lacks_the_newer_rules_does_not_judge_the_game() -> None:
    events = moved_on(ChanceLevel.OPEN).events
    report = verify(bundle(events).encode(), POLICY)
    assert (report.verdict, report.exit_status) == (UNDECIDED, UNDECIDED_EXIT)
    statuses = {answer.code: (answer.status, answer.why_not) for answer in report.answers}
    assert statuses["V7"] == statuses["V8"] == (NOT_CHECKED, rules_unknown().sentence)
    seq = next(event.seq for event in events if event.kind == MOVED_ON)
    assert [(found.by, found.seq) for found in differences(events)] == [(RULES, seq)]


def test_a_game_of_which_the_newer_rules_would_have_made_another_one_stays() -> None:
    evening = seated(ChanceLevel.OPEN, NO_CLOCK)
    until(evening, lambda: claims(evening))
    (claim,) = claims(evening)
    evening.move()
    before = list(evening.events)
    with newer_rules(**first_at(1)), pytest.raises(RulesNotMoved, match=f"of event {claim}") as refused:
        move_on(evening)
    assert (refused.value.reason, refused.value.event, evening.events) == ("otherwise", claim, before)


def test_a_move_that_the_newer_rules_forbid_or_another_setup_is_named() -> None:
    evening = seated(ChanceLevel.OPEN, NO_CLOCK)
    started = next(event.seq for event in evening.events if event.kind == "game_started")
    with newer_rules(starting_cubes=((9, 0, 0, 0),) * 5), pytest.raises(RulesNotMoved) as refused:
        move_on(evening)
    assert (refused.value.reason, refused.value.event) == ("otherwise", started)


@pytest.mark.parametrize("to", [FIRST, "3"])
def test_rules_that_are_not_newer_or_not_there_are_refused(to: str) -> None:
    evening = seated(ChanceLevel.OPEN, NO_CLOCK)
    with newer_rules(), pytest.raises(RulesNotMoved, match=f"the rules {to} are not newer than 1") as refused:
        move_on(evening, to)
    assert refused.value.reason == "not_newer"


def test_a_game_that_is_over_keeps_its_rules(moved: Evening) -> None:
    with pytest.raises(NotRunning):
        move_on(moved)


def test_puerto_rico_whose_documents_name_no_rules_is_moved_alike() -> None:
    evening = seated(ChanceLevel.OPEN, NO_CLOCK, "puerto_rico")
    for _ in range(15):
        evening.move()
    newer = newer_than_newest("puerto_rico")
    with newer_rules("puerto_rico", balanced_costs={Building.FACTORY: 9}):
        move_on(evening, newer)
        evening.move()
        assert version_of(evening.table.board) == newer
        assert differences(evening.events) == []
        assert verify(bundle(evening.events).encode(), POLICY).failure is None


def judged(events: Sequence[Event], seq: int, **change: Any) -> tuple[str, int | None]:
    """Returns the refusals of a verifier after an operator changed one event and rebuilt the chain."""
    bodies = [json.loads(event.body) for event in events]
    bodies[seq - 1] |= change
    found = verify(bundle([received(body) for body in rechained(bodies)]).encode(), POLICY).failure
    assert found is not None
    return found.code, found.seq


def test_a_verifier_finds_a_silent_change_of_rules(moved: Evening) -> None:
    seq = next(event.seq for event in moved.events if event.kind == MOVED_ON)
    assert judged(moved.events, seq + 1, rules=FIRST) == ("V7", seq + 1)
    assert judged(moved.events, 3, rules=SECOND) == ("V7", 3)


def test_a_verifier_finds_a_move_to_rules_that_differ() -> None:
    evening = seated(ChanceLevel.OPEN, NO_CLOCK)
    until(evening, lambda: claims(evening))
    with newer_rules(**first_at(2)):
        move_on(evening)
    with newer_rules(**first_at(1)):
        assert judged(evening.events, 1) == ("V7", evening.events[-1].seq)


class Scene:
    """A service whose program has newer rules, a running game of a person and a bot, and an administrator."""

    def __init__(self, app: Flask, environ: dict[str, str]) -> None:
        self.app, self.environ = app, environ
        self.host = Person(app.test_client(), "Anna")
        self.game: str = self.host.create("me", "bot:random")["id"]
        self.admin = Person(app.test_client(), "Olga")
        self.admin.token = self.run("token", "issue", "Olga").stdout.strip()

    def run(self, *arguments: str) -> Result:
        return CliRunner(env=self.environ).invoke(main, ["--data-dir", self.environ["CABILDO_DATA_DIR"], *arguments])

    def read(self, path: str) -> dict[str, Any]:
        return answer(self.host.ask("GET", f"/v1/games/{self.game}{path}"), 200)


@pytest.fixture
def scene(app: Flask, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    jobs.container.cache_clear()
    yield Scene(app, environ)
    if jobs.container.cache_info().currsize:
        jobs.container().close()
    jobs.container.cache_clear()


def test_an_administrator_moves_a_game_to_newer_rules_in_play(scene: Scene) -> None:
    work_all(scene.app)
    before = scene.read("")["version"]
    wish = {"to": SECOND, "reason": WHY, "expected": before}
    with newer_rules(**first_at(2)):
        refused = scene.host.post(f"/v1/games/{scene.game}/rules", wish, 403)
        assert problem(refused) == "scope_missing"
        made = scene.admin.post(f"/v1/games/{scene.game}/rules", wish)
        assert (made["event"]["kind"], made["event"]["actor"], made["version"]) == (
            MOVED_ON,
            scene.admin.id,
            before + 1,
        )
        assert scene.read("")["rules"] == SECOND
        assert scene.read(f"/position?at={before}")["rules"] == FIRST
        assert scene.read(f"/position?at={before + 1}")["rules"] == SECOND
        step = scene.read("/replay")["steps"][-1]
        assert (step["kind"], step["reason"], step["kept"]) == (MOVED_ON, WHY, True)
        work_all(scene.app)
        legal = scene.read("/legal")
        assert (
            scene.host.move(scene.game, legal["moves"][0]["move"], expected=legal["version"])["event"]["rules"]
            == SECOND
        )
        work_all(scene.app)
        other = create_app(settings.load(scene.environ))  # from the stored board, or from all events
        table = other.extensions["cabildo"].games.load(UUID(scene.game))
        assert (table.known.rules, table.board.rulings.version) == (SECOND, SECOND)
        assert table.board == scene.app.extensions["cabildo"].games.load(UUID(scene.game)).board
        other.extensions["cabildo"].close()


def test_a_study_shows_a_place_before_under_the_rules_of_that_time(scene: Scene) -> None:
    place = scene.read("")["version"]
    with newer_rules(**first_at(2)):
        scene.admin.post(f"/v1/games/{scene.game}/rules", {"to": SECOND, "reason": WHY})
        study = scene.host.post("/v1/studies", {"title": "Two rules", "games": [scene.game]})["study"]
        for at, rules in ((place, FIRST), (place + 1, SECOND)):
            board = answer(scene.host.ask("GET", f"/v1/studies/{study}/chapters/1/board?at={at}"), 200)
            assert board["position"]["rules"] == rules


def test_an_operator_moves_all_running_games_after_a_dry_run(scene: Scene) -> None:
    over = scene.host.create("me", "bot:random")["id"]
    scene.host.post(f"/v1/games/{over}/abort")
    every = ("move-rules", "--every", "spice_road", "--to", SECOND, "--reason", WHY)
    with newer_rules(**first_at(2)):
        tried = scene.run(*every, "--dry-run")
        assert (tried.exit_code, tried.stdout) == (0, "1 could move to 2, 0 stay\n"), tried.output
        assert scene.read("")["rules"] == FIRST
        done = scene.run(*every, "--by", "anna")
        assert (done.exit_code, done.stdout) == (0, "1 moved to 2, 0 stay\n"), done.output
        assert scene.read("/events")["events"][-1]["actor"] == scene.host.id
        again = scene.run("move-rules", scene.game, over, "--to", SECOND, "--reason", WHY)
        assert again.exit_code == 1
        assert f"{scene.game} stays: the rules 2 are not newer than 2" in again.stdout
        assert f"{over} stays:" in again.stdout
        none = scene.run("move-rules", "--to", SECOND, "--reason", WHY)
        assert (none.exit_code, "name games, or --every running one" in none.stderr) == (2, True)
        unknown = scene.run(*every, "--by", "nobody at all")
        assert (unknown.exit_code, "there is no player" in unknown.stderr) == (1, True)


def test_the_replay_of_later_events_keeps_to_the_rules_of_its_time(moved: Evening) -> None:
    played, history = setting(moved.table.known), history_of(GAME, moved.events)
    whole = list(steps(played, moved.events, undone=True))
    begun = whole[0].event.seq
    for event in moved.events[begun:-1]:
        then = played.under(rules_after(event))
        start = ReplayStart(history.board(then, event.seq), partial(history.board, then))
        later = list(steps(then, moved.events[event.seq :], undone=True, start=start))
        assert later == [step for step in whole if step.event.seq > event.seq]
