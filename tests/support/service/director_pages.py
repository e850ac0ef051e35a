"""Leading a tournament by the director's pages: the steps that every event takes."""

from tests.support.service.scriptless_browser import Filled, Visitor

SWISS: dict[str, str | list[str]] = {
    "title": "The open of Ponce",
    "stage0.format": "swiss",
    "stage0.rounds": "1",
    "stage1.format": "",
    "bots": "greedy",
    "chance": "0",
}


def declared(director: Visitor, path: str = "/tournaments/new", /, **changes: str | list[str]) -> str:
    """The desk of a tournament that is declared by the form as it stands, but for some fields."""
    return director.sent(path, **{**Filled(director.open(path)).fields, **changes})


def paired(director: Visitor, desk: str, /, **more: str | list[str]) -> None:
    """Preview the next round, and pair it as the preview says."""
    previewed = director.open(f"{desk}/next").replace(f' action="{desk}/pairing"', "")
    fields: dict[str, str | list[str]] = {**Filled(previewed).fields, **more}
    director.sent(f"{desk}/pairing", **fields)
