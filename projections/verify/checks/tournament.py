"""V12: recomputes a tournament from its stream, and compares its games with those it declared."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from uuid import UUID

from events.errors import CabildoError
from events.event import Event, in_newest_shape
from events.kinds import KINDS
from events.messages import Message
from events.store.free_texts import text_hash
from projections.games import chance
from projections.tournaments import inputs
from projections.tournaments.advancement import advancing
from projections.tournaments.corrections import final_order
from projections.tournaments.fold import fold, table_of
from projections.tournaments.pairing import seeds
from projections.tournaments.pairing.pair_round import pair
from projections.tournaments.pairing.seat_choice import seats_of
from projections.tournaments.pairing.stage_field import next_field
from projections.tournaments.record import KNOWN_RULES, TournamentRecord
from projections.verify.checks.case import Case, CheckFailed, Finding, Weight, doubtful, not_checked
from projections.verify.checks.documents import same
from projections.verify.checks.tournament_authors import (
    check_about,
    check_attempt,
    check_author,
    check_entrant,
    check_order,
    check_substitute,
)
from projections.verify.checks.tournament_games import check_games
from projections.verify.checks.tournament_ratings import check_ratings

Data = Mapping[str, Any]


def judge_tournament(case: Case) -> Iterator[Finding]:
    """V12: pairings, seats, games, results and advancement follow from the events before them."""
    rules = {event.rules for event in case.events}
    if len(rules) == 1 and not rules & {*KNOWN_RULES}:
        sentence = "this program does not know the rules of this tournament: nothing of it is computed again"
        yield not_checked("rules_unknown", sentence, Weight.UNDECIDED)
        return
    record: TournamentRecord | None = None
    for event in case.events:
        record = _next(case, record, event)
    assert record is not None  # a bundle has events
    _check_issued(case, record)
    yield from _replaced(case, record)
    yield from _seeds(case, record)
    yield from check_games(case, record)
    yield from check_ratings(case, record)


def _next(case: Case, record: TournamentRecord | None, event: Event) -> TournamentRecord:
    """Returns the record after one more event; raises CheckFailed when it does not follow."""
    if event.rules not in KNOWN_RULES:
        raise CheckFailed(
            "rules_unknown", "was computed by {rules}, which this program does not know", event.seq, rules=event.rules
        )
    if record is not None and event.rules != record.rules:
        raise CheckFailed(
            "rules_changed",
            "was computed by {rules}, but the tournament keeps to {kept}",
            event.seq,
            rules=event.rules,
            kept=record.rules,
        )
    try:
        event = in_newest_shape(event)
        KINDS.check(event.kind, event.seq, event.data)
        if record is not None:
            check_author(record, event)
            check_order(record, event)
            _CHECKED.get(event.kind, _nothing_more)(case, record, event)
        return fold(record, event)
    except CheckFailed:
        raise
    except (CabildoError, LookupError, TypeError, ValueError, AttributeError) as fault:
        raise CheckFailed(
            "tournament", "does not follow from what was before it: {fault}", event.seq, fault=fault
        ) from fault


def _nothing_more(_case: Case, _record: TournamentRecord, _event: Event) -> None:
    """Checks nothing: the event depends on the actor's word alone."""


def _published(_case: Case, record: TournamentRecord, event: Event) -> None:
    if seeds.regulations_hash(record.regulations).hex() != event.data["regulations"]:
        raise CheckFailed("regulations", "the published hash is not that of the regulations", event.seq)


def _amended(_case: Case, record: TournamentRecord, event: Event) -> None:
    if record.published is not None:
        raise CheckFailed("regulations", "changes regulations that were published", event.seq)


def _stage_begun(_case: Case, record: TournamentRecord, event: Event) -> None:
    """Checks that the field is those present, or those that advanced from the stage before."""
    data: Data = event.data
    open_stage = bool(record.stages) and record.stages[-1].closed is None
    expected = (len(record.stages) + 1, next_field(record))
    if open_stage or (data["stage"], tuple(data["field"])) != expected:
        raise CheckFailed("field", "begins another stage, or with others than are there or went on", event.seq)


def _paired(_case: Case, record: TournamentRecord, event: Event) -> None:
    """Recomputes the pairing from its seed and the version before it."""
    check_attempt(record, event)
    data: Data = event.data
    stage, number = data["stage"], data["round"]
    there = inputs.present(record, stage, number)
    if data["inputs"] != event.seq - 1 or tuple(data["present"]) != there:
        raise CheckFailed("pairing", "is not computed from the version before it, or not for who was there", event.seq)
    pairing = pair(inputs.pairing_input(record, stage, number, there), bytes.fromhex(data["seed"]))
    for name, value in inputs.pairing_data(record, pairing).items():
        if not same(data[name], value):
            raise CheckFailed("pairing", "the recorded seed and inputs make other {name}", event.seq, name=name)


def _seats_given(_case: Case, record: TournamentRecord, event: Event) -> None:
    """Recomputes the seats from the wishes, and the wishes from their hashes."""
    data: Data = event.data
    table = table_of(record, data)
    hashes, said = dict(table.wishes), dict[int, list[int]]()
    for number, revealed in zip(table.paired, data["wishes"], strict=True):
        if revealed is None:
            continue
        if text_hash(bytes.fromhex(revealed["salt"]), json.dumps(list(revealed["wish"]))).hex() != hashes.get(number):
            raise CheckFailed(
                "wish", "the wish shown for entrant {number} is not the one that was made", event.seq, number=number
            )
        said[number] = list(revealed["wish"])
    order, paid = seats_of(record, record.rounds[data["round"] - 1], table, said)
    if (list(order), list(paid)) != (list(data["order"]), list(data["paid"])):
        raise CheckFailed("seats", "the wishes lead to other seats", event.seq)


def _declared(case: Case, record: TournamentRecord, event: Event) -> None:
    """Checks that the ids of games follow from their tables, without duplicates."""
    data: Data = event.data
    current, stream = record.rounds[data["round"] - 1], case.bundle.stream
    if len({row["table"] for row in data["games"]}) < len(data["games"]):
        raise CheckFailed("games", "declares two games for one table", event.seq)
    for row in data["games"]:
        expected = seeds.game_of(stream, current.number, current.attempt, row["table"])
        if row["game"] != str(expected) or current.tables[row["table"] - 1].game is not None:
            raise CheckFailed(
                "games", "table {table} has another game than follows from it", event.seq, table=row["table"]
            )
    deal = seeds.deal_of(stream, current.number, current.attempt)
    if data["deal"] != (str(deal) if record.regulations["duplicate"] else None):
        raise CheckFailed("games", "declares another deal", event.seq)


def _started(_case: Case, record: TournamentRecord, event: Event) -> None:
    """Checks that every table has a game."""
    data: Data = event.data
    if any(table.game is None for table in record.rounds[data["round"] - 1].tables):
        raise CheckFailed("games", "starts a round in which a table has no game", event.seq)


def _round_closed(_case: Case, record: TournamentRecord, event: Event) -> None:
    data: Data = event.data
    current = record.rounds[data["round"] - 1]
    if not current.is_over:
        raise CheckFailed("round", "closes a round in which tables are open", event.seq)
    if current.deal is None:
        return
    if data["deal_seed"] is None:
        raise CheckFailed("deal", "does not show the seed that the tables shared", event.seq)
    commitment = chance.commitment(UUID(current.deal), bytes.fromhex(data["deal_seed"])).hex()
    if any(table.commitment != commitment for table in current.tables):
        raise CheckFailed("deal", "a table was not committed to the deal that is shown", event.seq)


def _stage_closed(_case: Case, record: TournamentRecord, event: Event) -> None:
    """Recomputes advancement and standings."""
    data: Data = event.data
    stage, number = data["stage"], inputs.numbers_of(record)
    found = advancing(inputs.stage_of(record, stage), inputs.rounds_of(record, stage), inputs.entrants(record, stage))
    stated = (list(data["advancing"]), list(data["alternates"]))
    if ([number[p] for p in found.players], [number[p] for p in found.alternates]) != stated:
        raise CheckFailed("standings", "the results lead to another order", event.seq)


def _corrected(case: Case, record: TournamentRecord, event: Event) -> None:
    """Checks the edition's ruling and predecessor, and recomputes its order from the results."""
    data: Data = event.data
    before = record.editions[-1]
    named = (data["edition"], data["ruling"], data["of"], data["head"])
    if named != (before.number + 1, event.seq - 1, before.event, case.events[before.event - 1].hash.hex()):
        raise CheckFailed("correction", "does not name the edition before it, or its ruling", event.seq)
    if list(data["order"]) != final_order(record):
        raise CheckFailed("standings", "the results lead to another order", event.seq)


def _check_issued(case: Case, record: TournamentRecord) -> None:
    """Raises CheckFailed for a ruling after the end without its edition."""
    if record.editions and case.last.seq != record.editions[-1].event:
        raise CheckFailed("correction", "corrects a closed tournament without issuing an edition", case.last.seq)


def _replaced(case: Case, record: TournamentRecord) -> Iterator[Finding]:
    """Yields a remark when a later edition is known; the older archive stays correct for its time."""
    number, known = len(record.editions), case.archive.editions if case.archive else 0
    if number < known:
        sentence = "edition {number} of the archive was replaced: edition {known} holds"
        yield doubtful("superseded", Message(sentence, number=number, known=known))


def _seeds(case: Case, record: TournamentRecord) -> Iterator[Finding]:
    """Checks that all pairings were drawn from the one seed committed to before the first entry."""
    if record.seed is None or record.commitment is None:
        yield doubtful(
            "seed_hidden", "the tournament is not over: that its seeds were fixed beforehand is not shown yet"
        )
        return
    stream, seed = case.bundle.stream, bytes.fromhex(record.seed)
    if chance.commitment(stream, seed).hex() != record.commitment:
        raise CheckFailed("seed", "the seed shown is not the one committed to", case.last.seq)
    for event in case.events:
        data: Data = event.data
        if event.kind == "round_paired":
            drawn = seeds.pairing_seed(stream, seed, data["round"], data["attempt"]).hex()
            if drawn != data["seed"]:
                raise CheckFailed("seed", "was drawn from another seed than follows from the one shown", event.seq)


_CHECKED: Final[Mapping[str, Callable[[Case, TournamentRecord, Event], None]]] = {
    "tournament_published": _published,
    "tournament_amended": _amended,
    "entered": lambda _case, record, event: check_entrant(record, event),
    "stage_begun": _stage_begun,
    "round_paired": _paired,
    "seats_given": _seats_given,
    "games_declared": _declared,
    "round_started": _started,
    "round_closed": _round_closed,
    "stage_closed": _stage_closed,
    "tournament_corrected": _corrected,
    "time_added": lambda _case, record, event: check_about(record, event),
    "no_show_noted": lambda _case, record, event: check_about(record, event),
    "disqualified": lambda _case, record, event: check_about(record, event),
    "substituted": lambda _case, record, event: check_substitute(record, event),
}
