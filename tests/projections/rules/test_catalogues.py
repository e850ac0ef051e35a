"""The catalogues of the games are complete: every row has a text in each language, with the same placeholders."""

from typing import Final

import pytest

from projections.rules.catalogue import LANGUAGES, Catalogue
from projections.rules.puerto_rico.text import labels as puerto_rico
from projections.rules.spice_road.text import labels as spice_road
from tests.support.catalogues import differing_placeholders, foreign_forms, forms, placeholders

CATALOGUES: Final = {"puerto_rico": puerto_rico.CATALOGUE, "spice_road": spice_road.CATALOGUE}
SUBJECTS: Final = [(catalogue, subject) for catalogue in CATALOGUES.values() for subject in catalogue.subjects()]
NAMED: Final = [f"{game}-{subject}" for game, catalogue in CATALOGUES.items() for subject in catalogue.subjects()]


@pytest.mark.parametrize(("catalogue", "subject"), SUBJECTS, ids=NAMED)
def test_every_row_has_a_text_in_each_language(catalogue: Catalogue, subject: str) -> None:
    rows = catalogue.rows(subject)
    assert [name for name, row in rows.items() if [*row] != [*LANGUAGES]] == []
    assert [name for name, row in rows.items() if not all(all(forms(text)) for text in row.values())] == []


@pytest.mark.parametrize(("catalogue", "subject"), SUBJECTS, ids=NAMED)
def test_every_row_has_the_same_placeholders_in_each_language(catalogue: Catalogue, subject: str) -> None:
    assert differing_placeholders(dict(catalogue.rows(subject))) == []


@pytest.mark.parametrize(("catalogue", "subject"), SUBJECTS, ids=NAMED)
def test_numbers_have_the_plural_forms_of_their_language(catalogue: Catalogue, subject: str) -> None:
    assert foreign_forms(dict(catalogue.rows(subject))) == []


@pytest.mark.parametrize("catalogue", CATALOGUES.values(), ids=CATALOGUES)
def test_orders_and_reports_tell_the_same_moves(catalogue: Catalogue) -> None:
    orders, reports = catalogue.rows("orders"), catalogue.rows("reports")
    assert [*orders] == [*reports]
    assert [name for name in orders if placeholders(orders[name]["en"]) != placeholders(reports[name]["en"])] == []
