"""A page as a screen reader has it: roles and names of the browser's accessibility tree, and nothing else."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeVar

from playwright.sync_api import CDPSession, Page
from playwright.sync_api import Error as GoneFromPage

LOOK_AGAIN: Final = 50  # milliseconds
Found = TypeVar("Found")


class Thing(NamedTuple):
    """A node of the tree that a screen reader would tell."""

    role: str
    name: str
    disabled: bool
    within: tuple[tuple[str, str], ...]  # roles and names of what contains it, the outermost first
    node: int  # where the keyboard's focus can go

    def lies_in(self, role: str, beginning: str = "") -> bool:
        """Returns whether something of a role, whose name begins so, contains it."""
        return any(outer == role and name.startswith(beginning) for outer, name in self.within)


class AccessibilityTree:
    """Reads the tree of a page, and presses Enter on its buttons."""

    def __init__(self, shown: Page) -> None:
        self._shown = shown
        self._session: CDPSession = shown.context.new_cdp_session(shown)

    def things(self) -> list[Thing]:
        """Returns what the tree has now, in its order."""
        nodes = self._session.send("Accessibility.getFullAXTree")["nodes"]
        by_id = {node["nodeId"]: node for node in nodes}
        return list(_told(by_id, nodes[0], ()))

    def press(self, thing: Thing) -> bool:
        """Gives a thing the focus, and presses Enter. Returns False if the page has drawn it anew since."""
        try:
            self._session.send("DOM.focus", {"backendNodeId": thing.node})
        except GoneFromPage:
            return False
        self._shown.keyboard.press("Enter")
        return True

    def when(self, find: Callable[[list[Thing]], Found | None], seconds: float) -> Found:
        """Returns what `find` finds in the tree, as soon as it finds something; fails after some seconds."""
        things = list[Thing]()
        for _ in range(int(seconds * 1_000 / LOOK_AGAIN)):
            things = self.things()
            found = find(things)
            if found is not None:
                return found
            self._shown.wait_for_timeout(LOOK_AGAIN)
        raise AssertionError(f"{find.__doc__} Not in {[(one.role, one.name) for one in things if one.name]}")


def _told(by_id: Mapping[str, Any], node: Mapping[str, Any], within: tuple[tuple[str, str], ...]) -> Iterator[Thing]:
    role, name = (str(node.get(part, {}).get("value", "")) for part in ("role", "name"))
    inner = within
    if not node["ignored"]:
        marks = {mark["name"]: mark["value"].get("value") for mark in node.get("properties", ())}
        yield Thing(role, name, bool(marks.get("disabled")), within, node.get("backendDOMNodeId", 0))
        inner = (*within, (role, name))
    for child in node.get("childIds", ()):
        if child in by_id:
            yield from _told(by_id, by_id[child], inner)
