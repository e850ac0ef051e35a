"""HTTP around every area: routing, authentication, limits, problems, OpenAPI."""

from service.web.schema_messages import remember_patterns

remember_patterns()  # before the first field of a schema is made
