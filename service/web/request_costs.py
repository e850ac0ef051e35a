"""What each request costs of the limits: one table by route; what has no row costs what its method costs.

A cost of 1 is a read from the cache. The sum that a client may spend in a minute is `CABILDO_REQUESTS_PER_MINUTE`.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from flask import g

USUAL_LIMIT: Final = 12_000  # what the costs are fractions of
BYTES_FOR_ONE: Final = 65_536  # of an answer that is not streamed; so many more cost one more
EVENTS_FOR_ONE: Final = 10  # of a game that is replayed step by step; so many more cost one more
OFF: Final = ("false", "0", "False")
FREE: Final = frozenset(("operations.alive", "operations.ready"))
BY_METHOD: Final[Mapping[str, int]] = {"GET": 1, "HEAD": 1, "OPTIONS": 1}
OTHER_METHODS: Final = 2


class Cost(NamedTuple):
    """The cost of a route, and what query parameters add to it; `unless_off` ones also when they are left out."""

    base: int
    by_query: Mapping[str, int] = {}
    unless_off: Mapping[str, int] = {}


COSTS: Final[Mapping[str, Cost]] = {
    # accounts: hashing, and what invites guessing
    "players.register": Cost(20),
    "accounts.register": Cost(20),
    "players.change": Cost(20),
    "oauth.token": Cost(5),
    "oauth.begin_device_login": Cost(20),
    "oauth.register": Cost(20),
    "program_pages.register": Cost(20),
    "consent_pages.consent": Cost(5),
    "email.store": Cost(20),
    "account_tokens.make": Cost(20),
    "account_owner.rename": Cost(20),
    "account_email.store": Cost(20),
    "account_email.confirm_address": Cost(20),
    "account_email.remove": Cost(20),
    "account_owner.export": Cost(3_000),
    "export.export": Cost(3_000),
    # games: what bots do all the time is cheap, whole histories are not
    "moves.move": Cost(1),
    "reading.position": Cost(1, {"at": 4}),
    "reading.legal": Cost(2, {"why_not": 5, "begin": 5}),
    "reading.replay": Cost(10, unless_off={"positions": 30}),
    "outlines.outlined": Cost(10),
    "points.points": Cost(10),
    "tables.create": Cost(5),
    "challenges.challenge": Cost(5),
    "challenges.challenges": Cost(50),
    "challenges.pair": Cost(250),
    "creating.create": Cost(5),
    "play_now.play_now": Cost(20),
    "guest_pages.keep": Cost(20),
    "administration.move_on": Cost(20),
    "moderation.stale": Cost(20),
    "moderation.end_stale": Cost(100),
    "lists.games": Cost(5, {"fact": 15, "option": 5}),
    "lobby.lobby": Cost(5, {"fact": 15, "option": 5}),
    "watch.watch": Cost(5),
    "home.replay": Cost(1, {"at": 4}),  # the texts of a link say whether the step is shown
    "share.picture_of": Cost(100),
    # computations
    "guides.guide_step": Cost(5, {"why_not": 5}),
    "analysis.analysis": Cost(10),
    "analyses.ask": Cost(100),
    "records.enter": Cost(20),
    "records.go_on": Cost(20),
    "records.record": Cost(10),
    "analyses.analysis": Cost(20),
    "bundles.bundle": Cost(10),
    "bundles.verify": Cost(100),
    # studies
    "studies.edit": Cost(5),
    "studies.chapter": Cost(5),
    "studies.board": Cost(5),
    "studies.listed": Cost(5, {"title": 5}),
    "study_copies.clone": Cost(50),
    "study_copies.bring_in": Cost(50),
    "study_copies.export": Cost(20),
    "study_copies.reported": Cost(40),
    "study_copies.pictured": Cost(5),
    "study_pages.import_": Cost(50),
    "study_pages.text": Cost(20),
    "study_pages.report": Cost(40),
    "study_pages.markdown": Cost(40),
    "study_pages.listed": Cost(5, {"title": 5}),
    # tournaments
    "tournament reading.archive": Cost(100),
    "tournament figures.standings": Cost(5),
    "tournament figures.cross_table": Cost(5),
    "tournament figures.statistics": Cost(5),
    "tournament figures.rank": Cost(5),
    "tournament figures.advancing": Cost(5),
    "tournament_pages.standings": Cost(5),
    "tournament_pages.cross_table": Cost(5),
    "tournament_pages.statistics_": Cost(5),
    "tournament_pages.rank": Cost(5),
    "tournament_pages.sheet": Cost(5),
    "rounds.preview": Cost(20),
    "rounds.pair": Cost(20),
    "directing.preview": Cost(20),
    # reports: what the client may see of a whole study is looked up
    "reports.report": Cost(20),
    "report_pages.report": Cost(20),
    "report_pages.reports": Cost(2, {"about": 20}),
    # ratings and webhooks
    "ratings.inputs": Cost(20),
    "results.results": Cost(20),
    "people.person": Cost(10),
    "webhooks.create": Cost(20),
    "webhooks.try_out": Cost(20),
    "push.subscribe": Cost(20),  # the name of a foreign host is looked up
    "webhook_pages.make": Cost(20),
    "webhook_pages.try_out": Cost(20),
}
LOGINS: Final = frozenset(  # take a password; their cost follows from a limit of their own
    (
        "players.log_in",
        "players.confirm",
        "second factor.finish",
        "second factor.confirm",
        "second factor.remove",
        "accounts.log_in",
        "account_access.change_password",
        "account_access.enrol",
        "account_access.switch_factor_on",
        "account_access.switch_factor_off",
        "account_access.make_codes",
        "account_owner.erase",
        "recovery.recover",
        "recovery_pages.recover",
        "recovery_pages.ask_for_mail",
        "accounts.finish_login",
        "email.ask_for_recovery",
        "consent_pages.answer",
        "device_pages.enter",
        "device_pages.answer",
    )
)


def request_cost(endpoint: str | None, method: str, query: Mapping[str, str]) -> int:
    """Returns the cost of a request before it is answered."""
    if endpoint in FREE:
        return 0
    row = COSTS.get(endpoint or "")
    if row is None:
        return BY_METHOD.get(method, OTHER_METHODS)
    asked = sum(more for name, more in row.by_query.items() if name in query)
    left_on = sum(more for name, more in row.unless_off.items() if query.get(name) not in OFF)
    return row.base + asked + left_on


def charge_events(events: int) -> None:
    """Adds the cost of a replay of so many events to the request; its answer is streamed, and has no size before."""
    g.replayed = max(0, events)  # a client may ask for what comes after the newest event


def answer_cost(size: int) -> int:
    """Returns what the size of an answer, and the events that are replayed for it, add."""
    return size // BYTES_FOR_ONE + int(g.get("replayed", 0)) // EVENTS_FOR_ONE


def scaled(cost: int, most: int) -> int:
    """Returns a cost under another limit: a smaller one makes nothing impossible."""
    return cost if most >= USUAL_LIMIT else min(cost, max(1, cost * most // USUAL_LIMIT))
