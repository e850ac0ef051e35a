"""The types of loaded bodies and queries have the fields of their schemas."""

from collections.abc import Iterator
from inspect import signature
from typing import get_type_hints, is_typeddict

import pytest
from marshmallow import Schema, missing

from service.web.blueprints import ROUTES


def typed_data() -> Iterator[tuple[str, type, Schema]]:
    """Yields the loaded bodies and queries that have a type, with the name of the operation."""
    for subject in ROUTES:
        for operation in subject.operations:
            hints = get_type_hints(operation.view)
            for name, schema in (("body", operation.reading.body), ("query", operation.reading.query)):
                if schema is not None and name in signature(operation.view).parameters and is_typeddict(hints[name]):
                    yield f"{subject.name}.{operation.view.__name__}.{name}", hints[name], schema


TYPED = [pytest.param(kind, schema, id=name) for name, kind, schema in typed_data()]


@pytest.mark.parametrize(("kind", "schema"), TYPED)
def test_loaded_type_has_the_fields_of_its_schema(kind: type, schema: Schema) -> None:
    always = {
        field.attribute or name
        for name, field in schema.load_fields.items()
        if field.required or field.load_default is not missing
    }
    assert vars(kind)["__required_keys__"] == always
    assert get_type_hints(kind).keys() == {field.attribute or name for name, field in schema.load_fields.items()}
