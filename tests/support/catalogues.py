"""Reads rows of catalogues: their plural forms and placeholders."""

import string

from projections.rules.catalogue import Row, Text

FORMS = {"cs": {"one", "few", "other"}, "hu": {"other"}}  # Czech counts in three ways, Hungarian in one


def forms(text: Text) -> list[str]:
    return [text] if isinstance(text, str) else list(text.values())


def placeholders(text: Text) -> set[str]:
    fields = (field for form in forms(text) for field in string.Formatter().parse(form))
    return {f"{name}!{conversion}:{spec}" for _, name, spec, conversion in fields if name}


def differing_placeholders(rows: dict[str, Row]) -> list[str]:
    """Returns the names of rows whose languages take different values."""
    return [name for name, row in rows.items() if len({frozenset(placeholders(text)) for text in row.values()}) > 1]


def foreign_forms(rows: dict[str, Row]) -> list[tuple[str, str]]:
    """Returns rows and languages with plural forms that the language does not have, or without the general one."""
    return [
        (name, language)
        for name, row in rows.items()
        for language, text in row.items()
        if not isinstance(text, str) and not {"other"} <= set(text) <= FORMS.get(language, {"one", "other"})
    ]
