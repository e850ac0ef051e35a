"""Mails of notices are bounded for each account: what is above waits, and time that runs out goes first."""

from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import pytest
from flask import Flask
from freezegun import freeze_time

from events.store.connections import connect
from service.core.clock import SECOND
from service.mail import outbox
from service.notices.mail_notices import KEPT_FOR_URGENT, MOST_AN_HOUR, next_mail
from service.notices.wording import Notice, lead
from tests.service.conftest import Environ
from tests.support.service.mail_duty import code_in, run_duty, send_mails
from tests.support.service.mail_fixtures import app, environ, mails, server
from tests.support.service.mail_server import TakenMails
from tests.support.service.noticed_players import Player, begun, pass_time
from tests.support.service.players import answer
from workers.keeper.notices import CollectNotices

__all__ = ["app", "environ", "mails", "server"]
MINUTE: Final = 60 * SECOND
USUAL: Final = MOST_AN_HOUR - KEPT_FOR_URGENT  # mails an hour of what is not urgent
CLOCK: Final = "UPDATE games SET deadline = %s, changed = %s WHERE id = %s"


class Mailbox:
    """A player who is told by mail, and what has come."""

    def __init__(self, environ: Environ, app: Flask, mails: TakenMails, *kinds: str) -> None:
        self.environ, self._app, self._mails = environ, app, mails
        self.player = Player(app, "Anna")
        self.player.stores(environ, mails)
        self.player.wants(notify={kind: ["mail"] for kind in kinds})
        self._read, self._begun = len(mails.mails), datetime.now(UTC)
        pass_time(environ)

    def ends_a_game(self) -> str:
        """Ends a game of the player; its id."""
        game, _ = begun(self._app, self.player)
        self.player.person.post(f"/v1/games/{game}/resign")
        return game

    def waits_in_a_game(self) -> str:
        """Lets the turn of the player begin in a game; its id."""
        game, birgir = begun(self._app, self.player)
        birgir.move(game, "play create_2")
        return game

    def runs_out_of_time(self) -> str:
        """Lets the time of the player run out in a game; its id."""
        game = self.waits_in_a_game()
        now = self._app.extensions["cabildo"].now()
        with connect(self.environ["DATABASE_URL"]) as connection:
            connection.execute(CLOCK, (now + 30 * MINUTE, now - 600 * MINUTE, game))
        return game

    def came(self) -> list[str]:
        """What mails say that come now."""
        pass_time(self.environ)
        return self.sent()

    def later(self, minutes: int) -> list[str]:
        """What mails say that come after some time, without anything new."""
        return self._at(datetime.now(UTC) + timedelta(minutes=minutes))

    def in_the_same_hour(self) -> list[str]:
        """What mails say that come before any other one is an hour old."""
        return self._at(self._begun + timedelta(minutes=59))

    def _at(self, time: datetime) -> list[str]:
        with freeze_time(time, tick=True):
            run_duty(self.environ, CollectNotices)
            return self.sent()

    def sent(self) -> list[str]:
        """What mails to the player say that are sent now; each has a link of its own to end them."""
        send_mails(self.environ)
        read, self._read = self._read, len(self._mails.mails)
        texts = [str(mail.get_content()).replace("\r\n", "\n") for mail in self._mails.mails[read:]]
        return [text for text in texts if self.player.person.id in text]


def test_many_games_send_few_mails_and_the_rest_in_one(environ: Environ, app: Flask, mails: TakenMails) -> None:
    anna = Mailbox(environ, app, mails, "over")
    for _ in range(USUAL):
        game = anna.ends_a_game()
        (text,) = anna.came()
        assert f"/games/{game}" in text
    held = [anna.ends_a_game() for _ in range(2)]
    assert anna.came() == []
    held.append(anna.ends_a_game())
    assert anna.came() == []
    assert anna.in_the_same_hour() == []
    (text,) = anna.later(61)
    assert "3 things are new in your games." in text
    assert all(f"/games/{game}\n" in text for game in held)


def test_time_that_runs_out_goes_first_with_all_that_waits(environ: Environ, app: Flask, mails: TakenMails) -> None:
    anna = Mailbox(environ, app, mails, "over", "time")
    for _ in range(USUAL):
        anna.ends_a_game()
        assert len(anna.came()) == 1
    ended = anna.ends_a_game()
    assert anna.came() == []
    for number in range(KEPT_FOR_URGENT):
        game = anna.runs_out_of_time()
        (text,) = anna.came()
        assert f"/games/{game}/play" in text
        assert (f"/games/{ended}\n" in text) == (number == 0)
    game = anna.runs_out_of_time()
    assert anna.came() == []  # the bound holds for these, too


def test_what_was_answered_while_it_waited_is_not_mailed(environ: Environ, app: Flask, mails: TakenMails) -> None:
    anna = Mailbox(environ, app, mails, "turn")
    for _ in range(USUAL):
        anna.waits_in_a_game()
        assert len(anna.came()) == 1
    answered, waiting, other = (anna.waits_in_a_game() for _ in range(3))
    assert anna.came() == []
    anna.player.person.move(answered, "play create_2")
    (text,) = anna.later(61)
    assert "2 games wait for you." in text
    assert (answered in text, waiting in text, other in text) == (False, True, True)


def test_who_wants_no_mails_any_more_gets_none_that_waited(environ: Environ, app: Flask, mails: TakenMails) -> None:
    anna = Mailbox(environ, app, mails, "over")
    for _ in range(USUAL + 1):
        anna.ends_a_game()
        anna.came()
    anna.player.wants(notify={"over": []})
    assert anna.later(61) == []


def test_what_waits_for_a_mail_waits_for_quiet_hours_too(environ: Environ, app: Flask, mails: TakenMails) -> None:
    anna = Mailbox(environ, app, mails, "over")
    for _ in range(USUAL + 1):
        anna.ends_a_game()
        anna.came()
    now = datetime.now(UTC)
    night = {"from": f"{now + timedelta(minutes=30):%H:%M}", "until": f"{now + timedelta(hours=3):%H:%M}"}
    anna.player.wants(quiet_hours=night)
    assert anna.later(90) == []
    assert len(anna.later(185)) == 1


def test_codes_are_mailed_however_many_notices_were(environ: Environ, app: Flask, mails: TakenMails) -> None:
    anna = Mailbox(environ, app, mails, "over")
    for _ in range(USUAL + 1):
        anna.ends_a_game()
        anna.came()
    address = {"address": f"new-{anna.player.person.id}@example.org"}
    answer(anna.player.browser.ask("PUT", "/v1/me/email", address), 202)
    send_mails(environ)
    assert code_in(mails.mails[-1])


def test_a_mail_that_nobody_takes_holds_the_next_ones_back(environ: Environ, app: Flask, mails: TakenMails) -> None:
    anna = Mailbox(environ, app, mails, "over")
    for _ in range(3):
        anna.ends_a_game()
        pass_time(environ)  # no mail is handed over meanwhile
    assert len(anna.sent()) == 1
    (text,) = anna.later(3)
    assert "2 things are new in your games." in text


def test_a_notice_that_finds_the_queue_full_comes_later(
    environ: Environ, app: Flask, mails: TakenMails, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = Mailbox(environ, app, mails, "over")
    game = anna.ends_a_game()
    with monkeypatch.context() as crowded:
        crowded.setattr(outbox, "MOST_NOTICES", 0)
        assert anna.came() == []
    (text,) = anna.later(3)
    assert f"/games/{game}" in text


@pytest.mark.parametrize(
    ("mailed", "most", "at"),
    [([], 2, 0), ([-10], 2, 0), ([-10, -5], 2, 50), ([-60, -5], 2, 0), ([-30, -20, -10], 2, 40), ([-40, -30], 1, 30)],
)
def test_the_next_mail_goes_when_an_earlier_one_is_an_hour_old(mailed: list[int], most: int, at: int) -> None:
    now = 10**9 * MINUTE
    assert next_mail([now + one * MINUTE for one in mailed], now, most) == now + at * MINUTE


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "2 games wait for you. 1 thing is new in your games."),
        ("is", "2 spil bíða þín. 1 nýtt atriði í spilunum þínum."),
        ("sv", "2 partier väntar på dig. 1 nyhet i dina partier."),
        ("cs", "2 hry na tebe čekají. 1 novinka ve tvých hrách."),
        ("hu", "2 játék vár rád. 1 újdonság van a játékaidban."),
    ],
)
def test_a_mail_says_how_many_games_wait(language: str, said: str) -> None:
    kinds = (("turn", 1), ("time", 1), ("turn", 2), ("over", 3))
    assert lead([Notice(kind, UUID(int=game), "spice_road") for kind, game in kinds], language) == said
