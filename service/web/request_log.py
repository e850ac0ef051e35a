"""Gives each request an id, logs it in one line and counts it in the metrics."""

import itertools
import logging
import os
import re
import secrets
import time
from functools import lru_cache, partial

import structlog
from flask import Flask, Response, g, request

from service.core.logs import REQUEST
from service.web.live.parking import is_parked
from service.web.metrics import REQUESTS, SECONDS

HEADER = "X-Request-Id"
ACCEPTABLE = re.compile(r"[A-Za-z0-9._-]{1,64}")
PRIVATE_PART = "<mark>"  # part of a path that only its receiver knows
QUIET = frozenset(("/healthz", "/readyz"))  # asked every few seconds by machines
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
OTHER_METHOD = "OTHER"  # counts all methods that clients invent as one
NUMBERS = itertools.count()
NAME = "service.web.request_log"
log = structlog.get_logger(NAME)
lines = logging.getLogger(NAME)  # asked first: it takes longer to make a line than to throw it away


def log_requests(app: Flask) -> None:
    """Logs every request of the application."""
    app.before_request(partial(_begin, secrets.token_hex(6)))
    app.after_request(_end)


def _begin(application: str) -> None:
    """Sets the request id; application, process and number make it unique."""
    g.began = time.perf_counter()
    given = request.headers.get(HEADER) or ""
    REQUEST.set(given if ACCEPTABLE.fullmatch(given) else f"{application}{os.getpid():08x}{next(NUMBERS):012x}")


def _end(response: Response) -> Response:
    if is_parked():
        return response
    response.headers.add(HEADER, REQUEST.get())
    seconds = time.perf_counter() - g.began
    rule = request.url_rule
    route = rule.rule if rule else "unmatched"
    _counter(request.method if request.method in METHODS else OTHER_METHOD, route, response.status_code).inc()
    _histogram(route).observe(seconds)
    level = logging.DEBUG if route in QUIET else logging.INFO
    if lines.isEnabledFor(level):
        log.log(
            level,
            "request",
            method=request.method,
            path=route if PRIVATE_PART in route else request.path,
            status=response.status_code,
            milliseconds=round(seconds * 1000, 1),
        )
    return response


_counter = lru_cache(maxsize=4_096)(REQUESTS.labels)
_histogram = lru_cache(maxsize=1_024)(SECONDS.labels)
