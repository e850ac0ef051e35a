"""The routes of the service, a module per subject; a new subject is a module and a line in this table."""

from service.api import Routes
from service.routes import health, log

ROUTES: tuple[Routes, ...] = (health.routes, log.routes)
