"""Numbers in the guides are those of the code: each stands in a row here with the constant that it tells."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from cabildo_client.connection import retries

from deploy.bench.load.recorded import BEGIN, END
from deploy.local import supervisor
from events import canonical, event
from events.kinds import tournament as tournament_kinds
from events.log import bundle as bundles
from events.log import sealer, sequencer
from events.store import bounded_connection, connections, server_pulse
from projections.games import away_budget, fold
from projections.games import clocks as game_clocks
from projections.games.clocks import SECOND
from projections.games.imports import transcript
from projections.ratings import input_files
from projections.verify import archive as archives
from projections.verify import bundle
from projections.verify.checks import dates
from service import settings
from service.analyses import commands, queries, what_if_schemas
from service.core import announce, stuck_streams
from service.core.standby import read_pool
from service.games.decisions import game_start
from service.games.schemas import import_game
from service.games.schemas.lifecycle import LONGEST_PAUSE
from service.live import access, event_cache, protocol
from service.live.document_cache import KEPT_SECONDS, MOST_BYTES
from service.mail import smtp
from service.moderation.reports import commands as reports
from service.notices import collect
from service.oauth import codes, device_logins
from service.operations.checks import database
from service.players import reserved_names
from service.players.commands import confirmation, email, mailed_recovery, recovery
from service.players.export import capacity
from service.players.second_factor import begun_logins, totp
from service.programmed_answers import answers as programmed_answers
from service.proof import judgement
from service.studies.editing import edit_table, headings, notes, variations
from service.studies.schemas import edits as study_edits
from service.talk import texts as talk_texts
from service.web import rate_limits
from service.web.request_costs import COSTS
from service.web.server import thread_pool
from service.webhooks import send, slots
from workers import jobs, queue_settings
from workers.keeper import clocks, keeper

PROJECT = Path(__file__).parents[2]
PAGES = sorted(path.name for path in (PROJECT / "deploy" / "docs").glob("*.md"))
GUIDES = ("README.md", "deploy/README.md", *(f"deploy/docs/{name}" for name in PAGES))
MEBI = 2**20
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBERS = {word: number for number, word in enumerate(WORDS)} | {"fifteen": 15, "twenty": 20, "thirty": 30}
NUMBERS |= {"fifty": 50, "sixty": 60, "hundred": 100, "hundredth": 100, "a hundred": 100}
NUMBER = rf"(\d[\d,]*(?:\.\d+)?|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})"


class Claim(NamedTuple):
    """A sentence of a guide with # for each number, and the numbers from the code."""

    guide: str
    says: str
    means: tuple[float, ...]


def claim(guide: str, says: str, *means: float) -> Claim:
    return Claim(f"deploy/docs/{guide}.md" if guide != "README" else "deploy/README.md", says, means)


DEFAULTS = {name: default for name, default, _ in settings.documented_settings()}
PAUSES = slots.PAUSES
MINUTE, HOUR = 60, 3_600

CLAIMS = (
    claim("playing", "reveal within # minutes is recorded as absent", game_start.REVEAL_WITHIN / SECOND / MINUTE),
    claim("playing", "with `seconds`, from a minute to # days", LONGEST_PAUSE / (24 * HOUR)),
    claim("playing", "one that gives # hours or more", game_clocks.SLOW / HOUR),
    claim("playing", "quarter of one shorter than # hours", collect.PART * collect.LEFT / SECOND / HOUR),
    claim("playing", "Each calendar year (UTC) has # days", away_budget.DAYS_IN_YEAR),
    claim("bundle", "at most # days of a calendar year", away_budget.DAYS_IN_YEAR),
    claim("playing", "can take the name for # days", reserved_names.RESERVED_FOR / reserved_names.DAY),
    claim("playing", "send or reveal within # minutes", fold.COMMIT_WITHIN / SECOND / MINUTE),
    claim(
        "webhooks",
        "sent again after # and # seconds, #, # and # minutes, then every # hours",
        *(*PAUSES[:2], *(pause / MINUTE for pause in PAUSES[2:5]), *(pause / HOUR for pause in PAUSES[5:])),
    ),
    claim("playing", "password was given within the last # minutes", confirmation.CONFIRMED_MINUTES),
    claim("export", "password was given within the last # minutes", confirmation.CONFIRMED_MINUTES),
    claim("export", "rows and takes at most some # seconds", capacity.MOST_SECONDS),
    claim("export", "A request costs # of the limit", COSTS["export.export"].base),
    claim("playing", "makes # recovery codes", recovery.CODES),
    claim("playing", "a text of at most # characters", reports.LONGEST_WORDS),
    claim("playing", "one line of at most # characters", talk_texts.LONGEST),
    claim("playing", "after # moves, and when it is cleared", programmed_answers.MOST_PLAYED),
    claim("playing", "A seat has # answers at most", programmed_answers.MOST),
    claim("playing", "(#) things in 24 hours", int(DEFAULTS["CABILDO_REPORTS_PER_DAY"])),
    claim("playing", "Settled reports are deleted after # days", reports.KEPT / reports.DAY),
    claim("playing", "the code is valid for # days", recovery.RESET_DAYS),
    claim("playing", "that code is valid for # minutes", mailed_recovery.CODE_MINUTES),
    claim("playing", "confirmation`, within # minutes", email.CODE_MINUTES),
    claim("README", "at a time, each within # seconds", smtp.CALL_SECONDS),
    claim("playing", "`ticket` that is valid for # minutes", begun_logins.TICKET_SECONDS / MINUTE),
    claim("playing", "once, in the # seconds that it is shown", totp.STEP_SECONDS),
    claim("playing", "streams end within # seconds", 2 * access.CHECK_SECONDS),
    claim("webhooks", "A call takes at most # seconds in all", send.CALL_SECONDS),
    claim("webhooks", "After # days without an arrival", slots.FAILING_FOR / SECOND / (24 * HOUR)),
    claim("playing", "no keeper was at work for # seconds", int(DEFAULTS["CABILDO_KEEPER_GRACE"])),
    claim("playing", "telling one another of each #", rate_limits.SHARES),
    claim("playing", "for both # seconds of work", float(DEFAULTS["CABILDO_QUESTION_SECONDS"])),
    claim("playing", "a body of # MiB", int(DEFAULTS["CABILDO_MAX_BODY_BYTES"]) / MEBI),
    claim("playing", "an analysis of # moves and # draws", what_if_schemas.MOST_MOVES, what_if_schemas.MOST_DRAWS),
    claim("playing", "a record of # characters", import_game.LONGEST),
    claim(
        "record",
        "A line has at most # characters, a record at most # lines and # characters",
        transcript.LONGEST_LINE,
        transcript.MOST_LINES,
        import_game.LONGEST,
    ),
    claim("playing", "# lines and # characters a line", transcript.MOST_LINES, transcript.LONGEST_LINE),
    claim("studies", "# chapters, # moves of variations", headings.MOST_CHAPTERS, variations.MOST_NODES),
    claim(
        "studies",
        "# comments at a place, # members, # edits",
        notes.MOST_COMMENTS,
        headings.MOST_MEMBERS,
        edit_table.MOST_EVENTS,
    ),
    claim("studies", "comments of # characters", study_edits.LONGEST_COMMENT),
    claim("studies", "# edits in a request", study_edits.MOST_EDITS),
    claim("studies", "# analyses of a person at work, # of one game", commands.MOST_AT_WORK, commands.MOST_OF_A_GAME),
    claim("tournaments", "corrected # times at most", tournament_kinds.MOST_EDITIONS - 1),
    claim("log", "`sequence`: # times a second", 1 / sequencer.PAUSE),
    claim("log", "# times where a # and more come in", 1 / (sequencer.PAUSE + sequencer.REST), sequencer.MANY),
    claim("log", "`seal`: every # seconds", sealer.SEAL_SECONDS),
    claim("log", "while # events and more are waiting", sealer.SEAL_LEAVES),
    claim("oauth", "Within # seconds send", codes.CODE_SECONDS),
    claim("oauth", "`expired_token` (after # minutes)", device_logins.LOGIN_SECONDS / MINUTE),
    claim("bots", "turn has been due for # seconds", clocks.CALLED_AGAIN_AFTER / SECOND),
    claim("bots", "moves or # seconds, whatever comes first", jobs.MOST_SECONDS),
    claim("bots", "while turns of other games wait, for # seconds only", jobs.SLICE_SECONDS),
    claim("bots", "the other, for up to # seconds", jobs.JOB_SLICE_SECONDS),
    claim("bots", "more than # seconds is interrupted", announce.JOB_SECONDS),
    claim("bots", "ends its process # seconds later", queue_settings.HUNG_SECONDS),
    claim("bots", "The house's search takes # steps", queries.USUAL_STEPS),
    claim("machines", "After # second of silence", bounded_connection.SILENT_AFTER),
    claim("machines", "gives it up after # seconds", server_pulse.PROBE_SECONDS),
    claim("machines", "gets its 503 after # seconds (`CABILDO_POOL_SECONDS`)", float(DEFAULTS["CABILDO_POOL_SECONDS"])),
    claim("machines", "`commit_overdue` after # seconds", float(DEFAULTS["CABILDO_ANSWER_SECONDS"])),
    claim("machines", "ends its session after # seconds", connections.LONGEST_IDLE),
    claim("machines", "try again at least every # seconds", keeper.LONGEST_PAUSE),
    claim("machines", "a sign of life every # seconds", keeper.SIGN_OF_LIFE),
    claim("machines", "more than # seconds behind", read_pool.MOST_LAG),
    claim("README", "failing after # hours, and when", database.BACKUP_HOURS),
    claim("README", "after # second at first and up to #", supervisor.FIRST_PAUSE, supervisor.LONGEST_PAUSE),
    claim("README", "put off for # seconds", stuck_streams.FIRST_PAUSE / SECOND),
    claim("README", "wait at least # seconds", retries.SILENCE),
    claim("README", "Threads without work end after # seconds", thread_pool.IDLE_SECONDS),
    claim("changelog", "A request has # seconds for its header", int(DEFAULTS["CABILDO_RECEIVE_SECONDS"])),
    claim("performance", "documents for # seconds and at most # MiB", KEPT_SECONDS, MOST_BYTES / MEBI),
    claim("performance", "| # events; documents", event_cache.KEPT),
    claim("performance", "pages of # events, and at most # readers", event_cache.PAGE, event_cache.MOST_BEHIND),
    claim("performance", "are answered 408 after # seconds", int(DEFAULTS["CABILDO_RECEIVE_SECONDS"])),
    claim("README", "a sign of life comes every #", protocol.DEFAULT_PACE.keep_alive),
    claim("bundle", "It is at most # MiB", bundles.LARGEST_BUNDLE / MEBI),
    claim("bundle", "An event is at most # bytes", event.LARGEST_EVENT),
    claim("bundle", "at most # levels of lists", canonical.DEEPEST),
    claim("bundle", "not more than # s older", dates.CLOCKS_APART),
    claim("bundle", "not more than # s younger", dates.CLOCKS_APART),
    claim("archive", "an archive that unpacks to at most # MiB", judgement.LARGEST_HERE / MEBI),
    claim("archive", "no file in it is larger than a bundle may be, # MiB", bundles.LARGEST_BUNDLE / MEBI),
    claim("archive", "It has at most # games", archives.MOST_GAMES),
    claim("archive", "unpacks to at most # GiB", archives.LARGEST_ARCHIVE / 2**30),
    claim("archive", "the first one ever included, at most #;", input_files.MOST_INPUTS),
    claim("bundle", "cannot be read, and # + n when Vn failed", bundle.FIRST_EXIT),
    claim("bundle", "| # + n | invalid |", bundle.FIRST_EXIT),
    claim("bundle", "| # | undecided |", bundle.UNDECIDED_EXIT),
)

UNITS = r"(?:seconds?|minutes?|hours?|MiB|times a second|chapters|comments|members|edits|characters|lines a|draws)"
QUANTITY = re.compile(rf"\b{NUMBER} {UNITS}\b", re.IGNORECASE)
NOT_OF_THE_CODE = {  # measurements, and a default of the command line
    "one run of 20 seconds",
    "bench load` (ten minutes",
    "seconds of rest (PSS",
    "writing them by playing",
    "not back within a fifth even after 90",
}


def text_of(guide: str) -> str:
    """A guide on one line, without its examples."""
    before, _, rest = (PROJECT / guide).read_text().partition(BEGIN)  # a recorded run is measured, not promised
    text = before + rest.partition(END)[2]
    kept = [line for line in text.splitlines() if not line.startswith("    ")]
    return " ".join(" ".join(kept).split())


def number(text: str) -> float:
    return float(NUMBERS.get(text.lower(), text.replace(",", "") if text[0].isdigit() else "nan"))


def found(one: Claim) -> "re.Match[str]":
    pattern = re.escape(one.says).replace(r"\#", NUMBER).replace(r"\ ", " ")
    matches = [*re.finditer(pattern, text_of(one.guide))]
    assert len(matches) == 1, f"{one.guide}: {one.says!r} is there {len(matches)} times"
    return matches[0]


@pytest.mark.parametrize("one", CLAIMS, ids=lambda one: one.says[:40])
def test_a_number_of_a_guide_is_that_of_the_code(one: Claim) -> None:
    assert [number(text) for text in found(one).groups()] == [pytest.approx(value) for value in one.means]


def quantities(guide: str) -> Iterator[str]:
    """Numbers with a unit in a guide that no claim is about, with the words around them."""
    text = text_of(guide)
    covered = [found(one).span() for one in CLAIMS if one.guide == guide]
    for hit in QUANTITY.finditer(text):
        if not any(start <= hit.start() < end for start, end in covered):
            yield text[max(0, hit.start() - 40) : hit.end() + 30]


def test_every_number_with_a_unit_has_its_row() -> None:
    told = [around for guide in GUIDES for around in quantities(guide)]
    assert [around for around in told if not any(known in around for known in NOT_OF_THE_CODE)] == []
