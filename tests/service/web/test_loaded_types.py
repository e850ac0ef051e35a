"""The types of loaded bodies and queries have the fields of their schemas."""

from collections.abc import Iterator
from inspect import get_annotations, unwrap
from typing import is_typeddict

import pytest
from marshmallow import Schema, missing

from service.web.blueprints import ROUTES


def loaded_data() -> Iterator[tuple[str, type, Schema]]:
    """Yields the types and schemas of the loaded bodies and queries that views take, with a name for each."""
    for subject in ROUTES:
        for operation in subject.operations:
            kinds = get_annotations(unwrap(operation.view))
            for name, schema in (("body", operation.reading.body), ("query", operation.reading.query)):
                if schema is not None and name in kinds:
                    yield f"{subject.name}.{operation.view.__name__}.{name}", kinds[name], schema


@pytest.mark.parametrize(("kind", "schema"), [pytest.param(*row[1:], id=row[0]) for row in loaded_data()])
def test_loaded_type_has_the_fields_of_its_schema(kind: type, schema: Schema) -> None:
    always = {
        field.attribute or name
        for name, field in schema.load_fields.items()
        if field.required or field.load_default is not missing
    }
    assert is_typeddict(kind)
    assert vars(kind)["__required_keys__"] == always
    assert kind.__annotations__.keys() == {field.attribute or name for name, field in schema.load_fields.items()}
