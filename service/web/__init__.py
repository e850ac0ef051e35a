"""HTTP around every area: routing, authentication, limits, problems, OpenAPI."""

from service.web.schema_messages import use_translatable_messages

use_translatable_messages()  # before the first field of a schema is made
