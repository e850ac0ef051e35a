"""Text that was saved with carriage returns is read as if it had none, wherever the service reads text."""

from flask.testing import FlaskClient

from tests.service.games.test_import_game import a_record, enter
from tests.service.games.test_import_game import text_of as record_of
from tests.service.studies.test_export import a_rich_study, brought_in, text_of
from tests.support.service.annotators import a_finished_game, begin
from tests.support.service.players import somebody
from tests.support.service.shared_fixtures import client, environ

__all__ = ["client", "environ"]


def crlf(text: str) -> str:
    """The text as an editor of another system saves it."""
    return text.replace("\n", "\r\n")


def test_a_record_is_read_with_either_line_ends(client: FlaskClient) -> None:
    text = "".join(a_record())
    game = enter(somebody(client), "\ufeff" + crlf(text))["id"]
    assert record_of(client, game) == text


def test_a_study_is_read_with_either_line_ends(client: FlaskClient) -> None:
    _, study = a_rich_study(client)
    text = text_of(study)
    again = brought_in(study.person, text=crlf(text))
    same = brought_in(study.person, text=text)
    assert text_of(again) == text_of(same)


def test_a_comment_keeps_one_kind_of_line_ends(client: FlaskClient) -> None:
    game, person, _ = a_finished_game(client)
    study = begin(person, game)
    study.say("6", "Why not rest?\r\n\r\nI would.")
    assert study.said("6") == ["Why not rest?\n\nI would."]
