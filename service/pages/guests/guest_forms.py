"""Forms that a visitor without an account may send: the answer makes the visitor a guest."""

from collections.abc import Callable
from http import HTTPStatus

from flask import Response, after_this_request, make_response, redirect, request

from service.pages.players.accounts import FORM_COOKIE, check_entry_form, entry_token, keep_entry_token
from service.pages.site.visitor import sender, session
from service.players.commands.guests import open_guest
from service.players.commands.sessions import OpenGuest
from service.players.identity import Identity
from service.web.auth import set_session_cookie
from service.web.routing import container


def page_with_token(render: Callable[[str], str]) -> Response:
    """Returns a page whose forms carry the CSRF value of the session, or else of the browser."""
    identity = session()
    token = entry_token() if identity is None else identity.csrf or ""
    response = make_response(render(token))
    if identity is None:
        keep_entry_token(response, token)
    return response


def as_player(act: Callable[[Identity], str]) -> Response:
    """Runs a form's command as the visitor, or as a new guest; redirects to the path that it returns.

    The browser keeps a new guest also when the command is refused: the next click makes no other one.

    Raises NotAllowed for a form of another site, TooManyAttempts for too many guests of an address.
    """
    if session() is not None:
        return make_response(redirect(act(sender(guests=True)), HTTPStatus.SEE_OTHER))
    check_entry_form()
    secret, guest = open_guest(container(), OpenGuest(request.remote_addr, request.user_agent.string))

    @after_this_request
    def keep_guest(response: Response) -> Response:
        set_session_cookie(response, secret, secure=container().settings.public_url.startswith("https:"))
        response.delete_cookie(FORM_COOKIE)
        return response

    return make_response(redirect(act(guest), HTTPStatus.SEE_OTHER))
