"""The pages of a tournament in use: guests take part by forms, and nothing keeps anybody out of what is shown."""

from pathlib import Path

from flask import Flask
from playwright.sync_api import Browser

from tests.deploy.running import eventually
from tests.service.browsing import DESKTOP, PHONE, barriers, page, picture
from tests.service.test_gunicorn import answers, serving
from tests.service.tournaments.hall import Hall
from tests.service.visiting import Visitor

HOSTILE = "<script>alert('entrant')</script>"
STAGES = [{"format": "swiss", "rounds": 1, "sizes": [4, 3]}]
TABS = ("", "/standings", "/standings/1", "/cross-table", "/statistics", "/rounds/1", "/rounds/1?why=1")


def test_a_guest_enters_checks_in_and_withdraws_by_forms(app: Flask) -> None:
    hall = Hall(app, STAGES, check_in=True).open()
    visitor = Visitor(app.test_client(), HOSTILE)
    path = f"/tournaments/{hall.id}"
    assert visitor.send(f"{path}/withdraw").status_code == 404
    assert visitor.sent(f"{path}/enter") == path
    assert f'action="{path}/check-in"' in visitor.open(path)
    visitor.sent(f"{path}/check-in")
    shown = visitor.open(path)
    assert f'action="{path}/check-in"' not in shown
    assert HOSTILE not in shown
    assert "&lt;script&gt;" in shown
    visitor.sent(f"{path}/withdraw")
    assert f'action="{path}/enter"' in visitor.open(path)
    assert visitor.client.post(f"{path}/enter", data={"csrf": "guessed"}).status_code == 403


def test_nothing_keeps_people_out_of_a_tournament(
    app: Flask, environ: dict[str, str], opened: Browser, tmp_path: Path
) -> None:
    hall = Hall(app, STAGES, bots="random").open(bots=4)
    hall.direct("stages")
    hall.round()
    with serving(environ, "service.app:create_app()", tmp_path / "log") as (_, url):
        assert eventually(lambda: answers(url))
        for size, dark in ((DESKTOP, False), (PHONE, True)):
            with page(opened, size, dark) as shown:
                for tab in ("/tournaments", *(f"/tournaments/{hall.id}{tab}" for tab in TABS)):
                    shown.goto(url + tab)
                    assert barriers(shown) == [], tab
                    assert shown.evaluate("document.documentElement.scrollWidth") <= size["width"], tab
                    name = tab.removeprefix(f"/tournaments/{hall.id}").strip("/").replace("/", "-").split("?")[0]
                    picture(shown, f"tournament-{name or 'event'}-{'phone-dark' if dark else 'desktop'}")
