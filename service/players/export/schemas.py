"""The query of an export, and its loaded type."""

from typing import TypedDict

from marshmallow import Schema

from service.web.schema_fields import description, text


class LoadedExportQuery(TypedDict):
    """A loaded `ExportQuery`."""

    after: str | None


class ExportQuery(Schema):
    """Which part of the export."""

    after = text(100, load_default=None, metadata=description("`next` of the part before; left out: the first part."))
