"""Buttons are imperatives: what they say begins with what they do."""

import re
from collections.abc import Iterator
from typing import Final

import pytest

from projections.rules.catalogue import LANGUAGES
from service.i18n.phrases import phrase
from tests.support.source_tree import PROJECT

PAGES: Final = PROJECT / "service/pages"
IN_TEMPLATES: Final = re.compile(r"<button\b[^>]*>(.*?)</button>", re.DOTALL)
IN_SCRIPTS: Final = re.compile(
    r'\bbutton\(say\("([\w.]+)"[,)]|\bhtml\("button", \{[^}]*\}, (?:[^;]*?)say\("([\w.]+)"[,)]'
)
SAID: Final = re.compile(r'say\("([\w.]+)"[,)]')
FILLED: Final = {"n": 2, "name": "Nina"}  # placeholders
STEPS: Final = [f"replay.{name}" for name in ("first", "turn_back", "back", "on", "turn_on", "last")]
STEPPING: Final = (*STEPS, "rules.step_back", "rules.step_on")  # named by data in templates and scripts
NAMES: Final = {"guide.show_table", "talk.forgotten"}  # a person by name, before what is done
VERB: Final = re.compile(
    r"(?:"
    r"Abort|Add|Agree|Allow|Always|Analyse|Answer|Ask|Be|Begin|Block|Bring|Cancel|Change|Choose|Clear|"
    r"Close|Come|Confirm|Continue|Copy|Decline|Delete|Demote|Do|Download|Draw|Edit|Empty|Explain|End|Fill|Find|"
    r"Forbid|Go|Hand|Hear|Join|Keep|Leave|Let|List|Listen|Log|Mail|Make|Mark|Move|Open|Pass|Place|Play|"
    r"Promote|Propose|Register|Remove|Rename|Resign|Rule|Save|Search|Send|Set|Settle|Share|Show|Sit|Step|"
    r"Suggest|Switch|Take|Undo|Verify|Withdraw"
    r")\b"
)
BARE: Final = re.compile(  # how texts of buttons began that named a place or a thing
    r"(?:Previous|Next|First|Last|Older|Yes|Back|"
    r"Fyrra|Fyrri|Næsta|Fyrsta|Síðasta|Eldri|Já|Til baka|Aftur|"
    r"Föregående|Nästa|Första|Sista|Äldre|Ja|Tillbaka|"
    r"Předchozí|Další|První|Poslední|Starší|Ano|Zpět|"
    r"Előző|Következő|Első|Utolsó|Régebbi|Igen|Vissza)\b"
)


def buttons() -> Iterator[str]:
    """Yields the phrases of buttons in templates and scripts."""
    yield from STEPPING
    for template in sorted((PAGES / "templates").rglob("*.html")):
        for inside in IN_TEMPLATES.findall(template.read_text("utf-8")):
            yield from SAID.findall(inside)
    for script in sorted((PAGES / "static").rglob("*.js")):
        for found in IN_SCRIPTS.findall(script.read_text("utf-8")):
            yield found[0] or found[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_button_names_a_place_instead_of_what_it_does(language: str) -> None:
    told = {key: phrase(language, key, **FILLED) for key in buttons()}
    assert len(told) > 100
    assert {key: text for key, text in told.items() if BARE.match(text)} == {}


def test_a_button_begins_with_a_verb_in_english() -> None:
    told = {key: phrase("en", key, **FILLED) for key in buttons() if key not in NAMES}
    assert {key: text for key, text in told.items() if not VERB.match(text)} == {}
