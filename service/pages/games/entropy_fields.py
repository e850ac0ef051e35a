"""What a visitor's browser brings to the deal with a form: entropy in clear, or the promise of a commitment."""

from collections.abc import Mapping

from projections.games.chance import ChanceLevel


def brought(form: Mapping[str, str], level: int) -> dict[str, str | bool]:
    """As the API takes it, of what a script of the page has filled in; nothing without scripts."""
    if level >= ChanceLevel.SEALED:
        return {"commits": True} if form.get("commits") else {}
    return {"entropy": form["entropy"]} if level == ChanceLevel.OPEN and form.get("entropy") else {}
