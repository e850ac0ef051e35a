"""The standalone verifier refuses what breaks the promises of chance, and says what it did not check."""

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cabildo_client import verify_standalone

from events.json_types import Json
from events.kinds import KINDS
from projections.games.chance import ChanceLevel
from tests import corpus, events
from tests.support.projections.bundles import LOG, POLICY, SEED, bundle_of, chained, drafts, honest, rechained
from tests.support.projections.forgeries import FORGERIES
from tests.support.projections.played_games import NO_CLOCK, played
from tests.support.projections.rewritten_history import (
    Body,
    bodies,
    bundle,
    changed_at,
    first,
    is_move,
    renumbered,
    retold,
)

SHORT = 8  # moves
TRUSTED = verify_standalone.LogPolicy(str(POLICY).encode())
STORED = sorted(Path(corpus.__file__).parent.glob("*/*.json.gz"))
SAMPLES = Path(events.__file__).parent / "samples"
MISSHAPEN: tuple[Json, ...] = (None, True, -1, 10**15, "x" * 5_000, "", [], [[]], {}, {"x": 1}, ["x" * 100], [-1])


def examined(data: bytes, policy: verify_standalone.LogPolicy | None = TRUSTED) -> dict[str, Any]:
    return verify_standalone.verify(data, policy)


def refused(data: bytes) -> tuple[str, int | None]:
    found = examined(data)
    return found["failed"], found["event"]


def unsealed() -> bytes:
    """An honest bundle that no checkpoint includes yet."""
    return replace(honest(1), proof=None, barriers=(), growth=(), receipts=(), receipt_keys=()).encode()


def chosen_seed(level: int) -> bytes:
    """The host knows the deal beforehand, and calls it chance to which the seats contribute."""
    told = bodies(ChanceLevel(level), NO_CLOCK, SHORT)
    return retold(changed_at(told, 1, seed=SEED.hex()))


def without_commitment(level: int) -> bytes:
    return retold(changed_at(bodies(ChanceLevel(level), NO_CLOCK, SHORT), 1, commitment=None))


def without_links(seq: int) -> bytes:
    """A seat of level 3 with a hash chain moves without its next link."""
    told = bodies(ChanceLevel.CHAINED, NO_CLOCK, SHORT)
    return retold([_without(body, "link") if body["seq"] == seq else body for body in told])


def _without(body: Body, *names: str) -> Body:
    return {**body, "data": {name: value for name, value in body["data"].items() if name not in names}}


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_chosen_seed_is_refused_above_level_0(level: int) -> None:
    found = examined(chosen_seed(level))
    assert (found["failed"], found["event"], "chose the seed beforehand" in found["says"]) == ("V5", 1, True)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_level_above_0_takes_a_commitment_of_the_server(level: int) -> None:
    found = examined(without_commitment(level))
    assert (found["failed"], found["event"], "commits to no seed" in found["says"]) == ("V5", 1, True)


def test_a_seat_with_a_chain_moves_with_its_next_link() -> None:
    seq = first(bodies(ChanceLevel.CHAINED, NO_CLOCK, SHORT), is_move)
    found = examined(without_links(seq))
    assert (found["failed"], found["event"], "without its next link" in found["says"]) == ("V5", seq, True)


@pytest.mark.parametrize("gone", ["resigned", "player_replaced"])
def test_a_stand_in_moves_without_the_links_of_the_seat(gone: str) -> None:
    told = list(bodies(ChanceLevel.CHAINED, NO_CLOCK, SHORT))
    seq = first(told, is_move)
    seat = told[seq - 1]["data"]["seat"]
    leaves = {**told[seq - 1], "kind": gone, "data": {"seat": seat}}
    moves = [_without(body, "link") if is_move(body) and body["data"]["seat"] == seat else body for body in told]
    assert examined(retold([*moves[: seq - 1], leaves, *moves[seq - 1 :]]))["failed"] is None


def test_entropy_is_not_revealed_before_all_commitments_are_in() -> None:
    told = [body for body in bodies(most=SHORT) if body["kind"] != "commitments_closed"]
    found = examined(retold(told))
    assert (found["failed"], "before all commitments" in found["says"]) == ("V5", True)


def test_a_commitment_echoes_the_one_it_answers() -> None:
    told = bodies(most=SHORT)
    seq = first(told, lambda body: body["kind"] == "seat_taken" and body["data"]["echo"])
    assert refused(retold(changed_at(told, seq, echo=None))) == ("V5", seq)


def test_a_game_is_created_and_started_once() -> None:
    told = list(bodies(most=SHORT))
    start = first(told, lambda body: body["kind"] == "game_started")
    for again in (told[0], told[start - 1]):
        assert refused(retold([*told[:start], again, *told[start:]])) == ("V5", start + 1)


def with_event(kind: str) -> tuple[list[Body], int]:
    """A game in which an event of this kind happens last, and where."""
    told = list(bodies(ChanceLevel.CHAINED, NO_CLOCK, 2))
    if kind in {body["kind"] for body in told}:
        seq = first(told, lambda body: body["kind"] == kind)
        return told[:seq], seq
    sample = json.loads(json.loads((SAMPLES / f"{kind}.1.json").read_bytes())["body"])
    before = told[:4] if kind == "seat_left" else told
    return renumbered([*before, {**told[0], "kind": kind, "data": sample["data"]}]), len(before) + 1


def misshapen(kind: str) -> Iterator[tuple[list[Body], int, str, str]]:
    """Yields events with each field absent or with a value that its schema refuses."""
    told, seq = with_event(kind)
    for name, field in KINDS.named(kind).fields.items():
        if field.required:
            yield [_without(body, name) if body["seq"] == seq else body for body in told], seq, name, "left out"
        for value in MISSHAPEN:
            if not field.holds(value):
                yield changed_at(told, seq, **{name: value}), seq, name, str(value)[:20]


@pytest.mark.parametrize("kind", sorted(kind.name for kind in KINDS if kind.stream == "game"))
def test_malformed_events_of_every_kind_are_answered(kind: str) -> None:
    """Those that chance depends on are refused by their number; none ends in a traceback."""
    for told, seq, name, how in misshapen(kind):
        found = examined(unproved(told))
        assert found.keys() == {"failed", "event", "says", "checks"}
        if name in verify_standalone.PROMISES.get(kind, ()):
            assert (found["failed"], found["event"]) == ("V5", seq), (name, how)


def unproved(told: Sequence[Body]) -> bytes:
    """A bundle of these events without any proof."""
    made = honest(1)
    events = rechained(told)
    return replace(
        made, events=events, proof=None, barriers=(), growth=(), roots=(), receipts=(), receipt_keys=()
    ).encode()


def test_what_was_not_established_is_not_checked() -> None:
    checks = examined(honest(1).encode(), None)["checks"]
    assert (checks["V1"], checks["V5"]) == ("passed", "passed")
    assert all(checks[code].startswith("not checked: no policy") for code in ("V3", "V4"))
    checks = examined(unsealed())["checks"]
    assert all(checks[code].startswith("not checked: no published checkpoint") for code in ("V3", "V4"))
    alone = bundle_of(chained(drafts(1)), (), cosigned=False).encode()
    refused = examined(alone)
    assert (refused["failed"], refused["says"].partition(":")[0]) == ("V3", "too few witnesses cosigned")
    trusting = verify_standalone.LogPolicy(f"log {LOG.verifier}\nquorum none\n".encode())
    assert examined(alone, trusting)["checks"]["V3"] == "passed"


def test_a_seed_that_is_not_revealed_leaves_chance_unchecked() -> None:
    going_on = bundle(played(most=SHORT)).encode()
    assert examined(going_on)["checks"]["V5"] == "not checked: the server's seed is not revealed yet"


def test_commitments_that_nothing_dates_leave_chance_unchecked() -> None:
    made = bundle_of(chained(drafts()), ())
    assert examined(replace(made, barriers=()).encode())["checks"]["V5"].startswith("not checked: nothing proves")


def test_checks_after_a_failed_one_are_not_reached() -> None:
    checks = examined(FORGERIES[0].make())["checks"]
    assert checks == {"V1": "passed", "V2": "failed", "V3": "not reached", "V4": "not reached", "V5": "not reached"}


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.name)
def test_stored_games_are_not_refused(path: Path) -> None:
    assert examined(gzip.decompress(path.read_bytes()), None)["failed"] is None


def test_the_exit_status_tells_what_was_established(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy = tmp_path / "policy"
    policy.write_text(str(POLICY))
    for data, status in ((honest(1).encode(), 0), (unsealed(), 1), (chosen_seed(1), 15), (b"{", 11)):
        (tmp_path / "bundle").write_bytes(data)
        assert verify_standalone.main([str(tmp_path / "bundle"), str(policy)]) == status
        assert "V6 to V13" in json.loads(capsys.readouterr().out)["says"] or status > 10
