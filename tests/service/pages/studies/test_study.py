"""Studies in a real browser: written, read live by others, taught, embedded, on a desk and on a phone."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.service.annotators import Study, begin
from tests.support.service.browser import DESKTOP, PHONE, ZOOMED, barriers, page, picture
from tests.support.service.browser_players import come_in
from tests.support.service.players import somebody
from tests.support.service.running_service import House
from tests.support.service.study_pages import shown, writing

ASKED_AGAIN = "async (board) => { for (const time of [1, 2, 3]) await fetch(board); }"  # for longer than a page does
HOSTILE = "<img src=x onerror=alert(1)> **bold** [x](javascript:alert(1))"


@pytest.fixture(scope="module")
def study(house: House) -> Study:
    """A study of two games, a position and a lesson."""
    author = somebody(house.app.test_client())
    begun = (
        begin(author, house.games[name], house.games["spice_road"], title="Harvests", visibility="public")
        for name in ("puerto_rico", "for_two")
    )
    made = next(one for one in begun if leaves_choices(one, "41"))
    made.edit("change_chapter", chapter=2, title="Caravans")
    made.say("41", "Why **here**? See [later](#1/60).", eyes=1)
    marks = [{"on": "roles.mayor", "kind": "good"}, {"on": "ships[0]", "kind": "look", "to": "trading_house"}]
    made.edit("mark", chapter=1, at="41", glyphs=[5, 16, 222], markers=marks)
    moves = legal(made, "41")
    line = made.play("41", moves[0])
    made.play(line[0], legal(made, line[0])[0])
    made.play(line[0], legal(made, line[0])[1])
    made.play("41", moves[1])
    made.say(line[0], "Another way")
    return made


def leaves_choices(study: Study, at: str) -> bool:
    """Returns whether there are two moves at a place, and behind the first of them."""
    moves = legal(study, at)
    return len(moves) > 1 and len(legal(study, study.play(at, moves[0])[0])) > 1


def legal(study: Study, at: str, chapter: int = 1) -> list[str]:
    found = study.read(f"/chapters/{chapter}/board?at={at}&legal=true")["legal"]
    return [one["move"] for one in found["moves"]]


def sure(watched: Page, follows: str, word: str) -> None:
    """The page asks for confirmation with the consequence; the focus is on Cancel. Confirms by keyboard."""
    asked = watched.get_by_role("dialog")
    expect(asked).to_contain_text(follows)
    expect(asked.get_by_role("button", name="Keep it")).to_be_focused()
    watched.keyboard.press("Shift+Tab")
    expect(asked.get_by_role("button", name=word, exact=True)).to_be_focused()
    watched.keyboard.press("Enter")
    expect(asked).to_have_count(0)


def test_an_address_names_a_chapter_and_a_place(house: House, opened: Browser, study: Study) -> None:
    with page(opened, DESKTOP) as watched:
        watched.goto(f"{house.url}/studies/{study.id}#1/41")
        shown(watched, "41")
        expect(watched.locator("#said .prose strong")).to_have_text("here")
        expect(watched.locator("#now .signs")).to_have_text("!? ± ⚓")
        expect(watched.locator(".over .ring")).to_have_count(2)
        expect(watched.locator(".over .arrow-over")).to_have_count(1)
        picture(watched, "study-desktop")
        watched.locator("#said .prose a").click()
        shown(watched, "60")
        watched.locator("#chapters a", has_text="Caravans").click()
        expect(watched.locator("body.spice_road #board[data-place]")).to_be_attached()
        assert barriers(watched) == []


def test_variations_are_walked_through_with_the_keys(house: House, opened: Browser, study: Study) -> None:
    nodes = {node["parent"]: node["node"] for node in study.chapter()["nodes"] if node["rank"] == 0}
    first = nodes["41"]
    with page(opened, DESKTOP) as watched:
        watched.goto(f"{house.url}/studies/{study.id}#1/41")
        shown(watched, "41")
        watched.locator(f'#moves [data-place="{first}"]').click()
        shown(watched, first)
        for key, place in (("ArrowRight", nodes[first]), ("ArrowLeft", first), ("ArrowLeft", "41")):
            watched.keyboard.press(key)
            shown(watched, place)
        watched.keyboard.press("Home")
        expect(watched.locator("#moves [aria-current]")).to_have_count(1)
        watched.get_by_role("button", name="Next annotated move").click()
        shown(watched, "41")


def test_a_comment_is_written_and_seen_by_others_at_once(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched, page(opened, DESKTOP) as other:
        made = writing(house, watched)
        for one in (watched, other):
            one.goto(f"{house.url}/studies/{made.id}#1/30")
            shown(one, "30")
        watched.get_by_label("Comment", exact=True).fill(HOSTILE)
        watched.get_by_role("button", name="Save").first.click()
        for one in (watched, other):
            expect(one.locator("#said .prose strong")).to_have_text("bold")
            expect(one.locator("#said .prose img")).to_have_count(0)
        watched.get_by_role("button", name="an interesting move").click()
        expect(other.locator("#now .signs")).to_have_text("!?")
        expect(watched.get_by_role("button", name="an interesting move")).to_have_attribute("aria-pressed", "true")
        watched.get_by_role("button", name="Delete", exact=True).first.click()
        sure(watched, "Its text is erased", "Delete")
        expect(other.locator("#said .comment")).to_have_count(0)


def test_what_somebody_else_changed_is_told_and_nothing_typed_is_lost(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP, forgiving=("status of 409", "status of 410")) as watched:
        made = writing(house, watched)
        watched.goto(f"{house.url}/studies/{made.id}#1/30")
        shown(watched, "30")
        watched.get_by_label("Comment", exact=True).fill("first")
        watched.get_by_role("button", name="Save").first.click()
        expect(watched.locator("#said .comment")).to_have_count(1)
        watched.get_by_role("button", name="Edit").hover()
        watched.mouse.down()
        with watched.expect_response(re.compile("/chapters/")):
            made.say("8", "the owner says something meanwhile")
        watched.evaluate(ASKED_AGAIN, f"{made.path}/chapters/1/board?at=30")
        watched.mouse.up()
        box = watched.get_by_label("Comment", exact=True)
        expect(box).to_have_value("first")
        elsewhere(watched, made, "from another window")
        box.fill("my second thoughts")
        watched.get_by_role("button", name="Save").first.click()
        expect(watched.locator("#verdict")).to_contain_text("from another window")
        expect(watched.get_by_label("Comment", exact=True)).to_have_value("my second thoughts")
        made.person.ask("DELETE", made.path)
        expect(watched.locator("#verdict")).to_contain_text("was deleted")


def elsewhere(watched: Page, made: Study, text: str) -> None:
    """The same person writes the comment anew in another window."""
    (comment,) = made.note("30")["comments"]
    edit = {"do": "comment", "chapter": 1, "at": "30", "comment": comment["comment"], "text": text}
    watched.evaluate(
        """async ([path, edit, saw]) => {
          const csrf = JSON.parse(document.getElementById("setting").textContent).csrf;
          const headers = {"Content-Type": "application/json", "X-CSRF-Token": csrf};
          await fetch(path, {method: "POST", headers, body: JSON.stringify({edits: [edit], saw})});
        }""",
        [f"{made.path}/edits", edit, made.read()["version"]],
    )


def test_a_variation_and_a_marker_are_added_with_the_mouse(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched:
        made = writing(house, watched)
        watched.goto(f"{house.url}/studies/{made.id}#1/30")
        shown(watched, "30")
        watched.locator("[data-tool=variation] summary").click()
        expect(watched.get_by_label("Move", exact=True).locator("option").first).to_be_attached()
        watched.get_by_role("button", name="Add").first.click()
        expect(watched.locator("#now")).to_contain_text("In a variation by")
        (node,) = made.chapter()["nodes"]
        shown(watched, node["node"])
        watched.locator("[data-tool=markers] summary").click()
        watched.get_by_role("button", name="good", exact=True).click()
        watched.locator('[data-part="merchant_row.1"]').click()
        expect(watched.locator(".over .ring.good")).to_have_count(1)
        assert made.note(node["node"])["marks"][0]["markers"][0]["on"] == "merchant_row[1]"
        picture(watched, "study-writing")
        assert watched.evaluate("document.documentElement.scrollWidth") <= DESKTOP["width"]
        watched.get_by_role("button", name="Delete from here").click()
        sure(watched, "all that was said about them go with it", "Delete")
        expect(watched.locator(f'#moves [data-place="{node["node"]}"]')).to_have_count(0)


def test_markers_and_arrows_are_made_without_a_pointer(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched:
        made = writing(house, watched)
        watched.goto(f"{house.url}/studies/{made.id}#1/30")
        shown(watched, "30")
        watched.locator("[data-tool=markers] summary").press("Enter")
        watched.get_by_label("Marks on the board", exact=True).select_option("idea")
        watched.get_by_label("Part of the board").select_option("merchant_row[1]")
        watched.get_by_role("button", name="Mark", exact=True).press("Enter")
        expect(watched.locator(".over .ring.idea")).to_have_count(1)
        expect(watched.get_by_role("button", name="Mark", exact=True)).to_be_focused()
        watched.get_by_label("Part of the board").select_option("merchant_row[0]")
        arrow = watched.get_by_label("Arrow to").locator('option[value="players[0].gold"]')
        expect(arrow).to_have_text(re.compile(r"\(greedy\): \d gold$"))
        watched.get_by_label("Arrow to").select_option("merchant_row[2]")
        watched.get_by_role("button", name="Mark", exact=True).press("Enter")
        expect(watched.locator(".over .arrow-over.look")).to_have_count(1)
        watched.get_by_role("button", name="bad", exact=True).click()
        watched.get_by_role("button", name="Draw an arrow", exact=True).click()
        for part in ("merchant_row.3", "merchant_row.4"):
            watched.locator(f'[data-part="{part}"]').click()
        expect(watched.locator(".over .arrow-over.bad")).to_have_count(1)
        told = [(one["on"], one["to"]) for one in made.note("30")["marks"][0]["markers"]]
        assert told == [
            ("merchant_row[1]", None),
            ("merchant_row[0]", "merchant_row[2]"),
            ("merchant_row[3]", "merchant_row[4]"),
        ]
        assert barriers(watched) == []


@pytest.fixture(scope="module")
def lesson(house: House) -> Study:
    author = somebody(house.app.test_client())
    made = begin(author, house.games["spice_road"], title="A lesson", visibility="public")
    made.edit("change_chapter", chapter=1, lesson=True)
    right, wrong = legal(made, "10")[:2]
    question = {"text": "What **now**?", "hints": ["Think."], "otherwise": "Not quite."}
    made.edit("ask", chapter=1, at="10", question={**question, "answers": [{"move": right, "reply": "Well done."}]})
    made.say("11", "the solution")
    made.__dict__["moves"] = (right, wrong)
    return made


def test_a_lesson_hides_what_follows_until_the_move_is_found(house: House, opened: Browser, lesson: Study) -> None:
    right, wrong = lesson.__dict__["moves"]
    with page(opened, DESKTOP) as watched:
        watched.goto(f"{house.url}/studies/{lesson.id}#1/20")
        shown(watched, "10")
        expect(watched.locator("#moves li").last.locator("a")).to_have_attribute("data-place", "10")
        watched.keyboard.press("ArrowRight")
        shown(watched, "10")
        assert "the solution" not in watched.content()
        expect(watched.get_by_role("heading", name="Computer analysis")).to_be_hidden()  # not shown yet
        for move, reply in ((wrong, "Not quite."), (right, "Well done.")):
            watched.get_by_label("Your move").select_option(move)
            watched.get_by_role("button", name="Answer").click()
            expect(watched.locator(".reply")).to_contain_text(reply)
        picture(watched, "study-lesson")
        watched.get_by_role("button", name="Go on", exact=True).click()
        shown(watched, "11")
        expect(watched.locator("#said")).to_contain_text("the solution")


def mayor_with_many_ways(house: House) -> tuple[Study, str, str]:
    """A study of a game, in it a variation to a mayor's choice that is too long to list, and the first of its moves."""
    for name in ("puerto_rico", "five", "expansions", "for_two"):
        made = begin(somebody(house.app.test_client()), house.games[name], title="Deeper", visibility="public")
        steps = made.person.ask("GET", f"/v1/games/{house.games[name]}/replay?positions=false").get_json()["steps"]
        for before, chosen, placed in threes(steps):
            if chosen["move"] == "role mayor" and (placed["move"] or "").startswith("place "):
                at = made.play(str(before["version"]), "role mayor")[0]
                found = made.read(f"/chapters/1/board?at={at}&legal=true")["legal"]
                if not found["complete"]:
                    return made, at, found["moves"][0]["move"]
    raise AssertionError("every mayor of these games had few ways")


def threes(steps: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], ...]]:
    """Each step with the two that follow it."""
    return zip(steps, steps[1:], steps[2:], strict=False)


def test_a_lesson_asks_inside_a_variation_too(house: House, opened: Browser) -> None:
    made, first, right = mayor_with_many_ways(house)
    behind = made.play(first, right)[0]
    made.say(behind, "the solution")
    made.edit("ask", chapter=1, at=first, question={"text": "What now?", "answers": [{"move": right}]})
    made.edit("change_chapter", chapter=1, lesson=True)
    with page(opened, DESKTOP) as watched:
        watched.goto(f"{house.url}/studies/{made.id}#1/{first}")
        shown(watched, first)
        expect(watched.locator(f'#moves [data-place="{behind}"]')).to_have_count(0)
        watched.get_by_label("or any move in notation").fill(f" {right} ")  # there are too many to list them all
        watched.get_by_role("button", name="Answer").click()
        expect(watched.locator(".reply")).to_contain_text("That is it.")
        watched.get_by_role("button", name="Show me").click()
        shown(watched, behind)
        expect(watched.locator("#said")).to_contain_text("the solution")


def test_a_study_stands_in_the_frame_of_another_page(house: House, opened: Browser, study: Study) -> None:
    with page(opened, DESKTOP) as watched:
        watched.goto(f"{house.url}/studies/{study.id}/embed#1/41")
        shown(watched, "41")
        expect(watched.locator("#tools")).to_have_count(0)
        picture(watched, "study-embed")
    client = house.app.test_client()
    policies = [
        client.get(f"/studies/{study.id}{what}").headers["Content-Security-Policy"].split("frame-ancestors ")[1]
        for what in ("", "/embed")
    ]
    assert policies == ["'none'", "*"]
    assert "X-Cabildo-Framed" not in client.get(f"/studies/{study.id}/embed").headers
    study.edit("settle", visibility="private")
    assert client.get(f"/studies/{study.id}/embed").status_code == 404
    study.edit("settle", visibility="public")


def paste_a_position(watched: Page, house: House) -> None:
    """Begin a chapter with a position of a game, after something that is none."""
    pasted = watched.locator("[data-form=from_position]")
    pasted.get_by_label("Title").fill("Pasted")
    pasted.get_by_label("Paste a position here").fill("no position")
    pasted.get_by_role("button", name="Add").click()
    expect(watched.locator("#verdict")).to_contain_text("This is no position.")
    position = watched.request.get(f"{house.url}/v1/games/{house.games['puerto_rico']}/position?at=41").text()
    pasted.get_by_label("Paste a position here").fill(position)
    pasted.get_by_role("button", name="Add").click()
    expect(watched.locator("#chapters a").last).to_have_text("Pasted")
    expect(watched.locator('body.puerto_rico #board[data-place="v0"]')).to_be_attached()


def type_while_an_answer_comes(watched: Page, name: str) -> None:
    """Move a chapter up; the answer, which renews the forms, comes after somebody went into a field to write."""
    held: list[Route] = []
    watched.route("**/v1/studies/*/edits?*", lambda route: held.append(route))
    with watched.expect_request("**/v1/studies/*/edits?*"):
        watched.get_by_role("button", name="Move the chapter up").click()
    field = watched.get_by_label("Name of a player")
    field.focus()
    field.evaluate("field => (field.dataset.renewed = 'not yet')")
    held.pop().continue_()
    expect(field).not_to_have_attribute("data-renewed", "not yet")
    watched.unroute("**/v1/studies/*/edits?*")
    watched.keyboard.type(name)
    expect(field).to_have_value(name)


def test_studies_are_begun_by_a_form_and_listed(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched:
        come_in(watched, house.url)
        watched.goto(f"{house.url}/studies?game={house.games['spice_road']}")
        watched.get_by_label("Title", exact=True).fill("Begun here")
        watched.get_by_role("button", name="Begin a study").click()
        expect(watched.locator("#title")).to_contain_text("Begun here")
        expect(watched.locator("#board[data-place]")).to_be_attached()
        watched.get_by_text("Chapters, members, settings").click()
        expect(watched.locator("[data-form=the_study]")).to_be_visible()
        assert barriers(watched) == []
        watched.get_by_role("button", name="Begin a chapter from this board").click()
        chapters = watched.locator("#chapters a")
        expect(chapters.last).to_contain_text("Begun here, from ")
        shown(watched, "v0", 2)
        paste_a_position(watched, house)
        watched.get_by_role("button", name="Delete the chapter").click()
        sure(watched, "Its variations and all that was said", "Delete")
        expect(chapters).to_have_count(2)
        watched.locator("#chapters a").last.click()
        guest = somebody(house.app.test_client())
        type_while_an_answer_comes(watched, guest.name)
        expect(chapters.first).to_contain_text("Begun here, from ")
        watched.get_by_role("button", name="Move the chapter down").click()
        expect(chapters.last).to_contain_text("Begun here, from ")
        expect(watched.get_by_label("Name of a player")).to_have_value(guest.name)
        watched.locator("[data-form=members]").get_by_role("button", name="Add").click()
        expect(watched.locator(".members")).to_contain_text(guest.name)
        address = watched.url
        expect(watched.get_by_label("Name of a player")).to_have_value("")
        begun = Study(guest, address.split("#")[0].rsplit("/", 1)[1])
        begun.edit("mark", chapter=2, at="v0", glyphs=[3], markers=[])
        watched.get_by_role("button", name=f"Take away the marks of {guest.name}").click()
        sure(watched, f"Only {guest.name} can set them again", "Delete")
        expect(watched.locator("#said .marks")).to_have_count(0)
        watched.get_by_role("button", name="Delete the study").click()
        watched.get_by_role("dialog").get_by_role("button", name="Keep it").click()
        watched.get_by_role("button", name="Delete the study").click()
        watched.get_by_role("dialog").get_by_role("button", name="Delete the study").click()
        expect(watched).to_have_url(f"{house.url}/studies")
    assert house.app.test_client().get(address.split("#")[0].removeprefix(house.url)).status_code == 410


@pytest.mark.parametrize("size", [PHONE, ZOOMED], ids=["phone", "zoomed"])
def test_a_study_is_read_without_sideways_scrolling(
    house: House, opened: Browser, study: Study, size: dict[str, int]
) -> None:
    with page(opened, PHONE if size is PHONE else ZOOMED, dark=True) as watched:
        watched.goto(f"{house.url}/studies/{study.id}#1/41")
        shown(watched, "41")
        picture(watched, f"study-{size['width']}-dark")
        assert watched.evaluate("document.documentElement.scrollWidth") <= size["width"]
