"""Answers on the port of the metrics: `GET /metrics`, and nothing else."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_LATEST
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, Rule
from werkzeug.wrappers import Response

from service.core.stores import Stores
from service.web.browsers.security_headers import NO_SNIFFING
from service.web.metrics import exposition

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

PATHS = Map([Rule("/metrics", methods=["GET"])])


def metrics_endpoint(stores: Stores) -> "Callable[[WSGIEnvironment, StartResponse], Iterable[bytes]]":
    """Returns the WSGI application of the port of the metrics."""

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        try:
            PATHS.bind_to_environ(environ).match()
            response = Response(exposition(stores), content_type=CONTENT_TYPE_LATEST, headers=dict(NO_SNIFFING))
        except HTTPException as refusal:
            response = Response(status=refusal.code, headers=dict(NO_SNIFFING))
        return response(environ, start_response)

    return answer
