"""The entropy or the commitment that a visitor's browser adds to a form."""

from collections.abc import Mapping

from projections.games.chance import ChanceLevel


def entropy_fields(form: Mapping[str, str], level: int) -> dict[str, str | bool]:
    """Returns the fields of the API's body that the page's script filled in; empty without scripts."""
    if level >= ChanceLevel.SEALED:
        return {"commits": True} if form.get("commits") else {}
    return {"entropy": form["entropy"]} if level == ChanceLevel.OPEN and form.get("entropy") else {}
