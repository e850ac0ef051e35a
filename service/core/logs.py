"""Structured logs without secrets, in one form for the service and its libraries."""

import logging
import logging.config
import re
from collections.abc import MutableMapping
from contextvars import ContextVar
from typing import Any, Final

import structlog

SECRET_NAMES = re.compile(
    r"authorization|cookie|password|secret|token|api_?key|(master|log|signing)_key|seed|entropy", re.I
)
SECRET_VALUES = re.compile(r"cab_[A-Za-z0-9_-]{8,}|(?<=://)[^/@\s:]*:[^/@\s]+(?=@)|(?<=password=)[^&\s]+")
MASK = "***"
REQUEST: Final[ContextVar[str]] = ContextVar("request")  # the id of the current request


def of_request(_logger: object, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Adds the request id to a log line."""
    if (request := REQUEST.get(None)) is not None:
        line["request_id"] = request
    return line


def without_secrets(_logger: object, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Masks values with the name of a secret, and tokens and passwords inside values."""
    for name, value in line.items():
        if SECRET_NAMES.search(name):
            line[name] = MASK
        elif isinstance(value, str):
            line[name] = SECRET_VALUES.sub(MASK, value)
    return line


COMMON: tuple[Any, ...] = (
    of_request,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
    without_secrets,
)


def configure(level: str, form: str) -> None:
    """Send all log lines of this process to standard error in one form."""
    structlog.configure(
        processors=[*COMMON, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    logging.config.dictConfig(as_dict(level, form))


def as_dict(level: str, form: str) -> dict[str, object]:
    """Returns the configuration for the standard library's logging."""
    render = structlog.processors.JSONRenderer() if form == "json" else structlog.dev.ConsoleRenderer(colors=False)
    line = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": COMMON,
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, render],
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": line},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level.upper()},
        "loggers": {"gunicorn.error": {"handlers": [], "propagate": True}},
    }
