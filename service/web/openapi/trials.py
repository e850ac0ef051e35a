"""How the reference tries each operation: the values of its form, and requests that make what it needs.

A row of `requests/` tells path, query and body; `$name` in them stands for a value. `needs` names recipes: requests of
the API, sent before with the reader's own rights, whose answers hold the values. `find` of a recipe looks for something
that exists; `steps` make it. The recorder of examples and the tests send the same requests.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypedDict

REQUESTS: Final = Path(__file__).with_name("requests")
RECIPES_FILE: Final = REQUESTS / "recipes.json"
SAMPLES_FILE: Final = REQUESTS / "samples.json"


class FormTrial(TypedDict, total=False):
    """A request that the reference sends."""

    needs: Sequence[str]  # names of recipes
    path: Mapping[str, str]  # other parameters are values of the same name
    query: Mapping[str, str]
    body: Any
    first: str  # the phrase that tells the reader what to do first
    asks: bool  # it takes something of the reader's own away, so the page asks
    session: bool  # tokens may not
    anonymous: bool  # sent without saying who asks
    others: Sequence["OtherRequest"]  # that are answered otherwise, for the examples


class OtherRequest(TypedDict, total=False):
    """What differs from the trial in a request with another answer: another status, or another media type."""

    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Any


class RecipeStep(TypedDict, total=False):
    """A request of a recipe."""

    send: str  # method and path
    body: Any
    accept: str
    commits: int  # before it, `$commitment` of this chair in `$game` is made, to `$entropy`: 32 random bytes
    keep: Mapping[str, str]  # name of a value -> where the answer has it, as members between slashes
    until: Sequence[str]  # where the answer has it, and the value to wait for


class Recipe(TypedDict, total=False):
    uses: Sequence[str]
    find: Sequence[RecipeStep]
    steps: Sequence[RecipeStep]


def _read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


RECIPES: Final[Mapping[str, Recipe]] = _read(RECIPES_FILE)
SAMPLES: Final[Mapping[str, str]] = _read(SAMPLES_FILE)
TRIALS: Final[Mapping[str, FormTrial]] = {
    operation: row
    for file in sorted(REQUESTS.glob("*.json"))
    if file not in (RECIPES_FILE, SAMPLES_FILE)
    for operation, row in _read(file).items()
}


def recipes_of(trials: Sequence[FormTrial]) -> Mapping[str, Recipe]:
    """Returns the recipes that some trials need, with those that these use."""
    found: dict[str, Recipe] = {}
    waiting = [name for trial in trials for name in trial.get("needs", ())]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = RECIPES[name]
            waiting += RECIPES[name].get("uses", ())
    return found


def samples_of(trials: Sequence[FormTrial]) -> Mapping[str, str]:
    """Returns the texts that some trials send."""
    written = json.dumps([trials, recipes_of(trials)])
    return {name: text for name, text in SAMPLES.items() if f'"${name}"' in written}
