"""The authorisation server: Authlib checks what OAuth says of requests, the tables of this folder hold the state."""

import logging
from typing import Any, Final, NamedTuple

from authlib.common.urls import add_params_to_uri
from authlib.oauth2.rfc6749 import AuthorizationServer, InvalidGrantError, OAuth2Error

from service.container import Container
from service.core.errors import QuotaReached
from service.core.quotas import TOKENS
from service.live.access import RIGHTS_ENDED
from service.oauth import codes, device_logins, program_tokens
from service.oauth.authlib_grants import CodeGrant, DeviceEndpoint, DeviceGrant, RenewalGrant, Revocation, S256Challenge
from service.oauth.authlib_values import PresentedRefresh, ProtocolRequest, PublicClient
from service.oauth.codes import UsedCode
from service.oauth.device_logins import DeviceLogin
from service.oauth.documents import issuer
from service.oauth.program_tokens import IssuedSecrets
from service.oauth.programs import SCOPES, Program, asked_scopes, find_program
from service.players.identity import Identity

__all__ = ["AuthorisationServer", "OAuth2Error"]
FULL: Final = "the account has as many tokens as it may have"
logging.getLogger("authlib").setLevel(logging.INFO)  # it logs tokens at the level below


class ProtocolAnswer(NamedTuple):
    """An answer of the protocol; its body is a document, or empty with a Location."""

    status: int
    body: object
    headers: dict[str, str]


class AuthorisationServer(AuthorizationServer):  # type: ignore[misc]
    """Authlib's server over the stores of a container; made for one request."""

    def __init__(self, here: Container, network: str = "") -> None:
        super().__init__(scopes_supported=list(SCOPES))
        self.here = here
        self.network = network  # of the client
        self.register_token_generator("default", lambda **_asked: {})  # save_token makes it, in its transaction
        self.register_grant(CodeGrant, [S256Challenge(required=True)])
        self.register_grant(RenewalGrant)
        self.register_grant(DeviceGrant)
        self.register_endpoint(Revocation)
        self.register_endpoint(DeviceEndpoint)

    def checked_consent(self, request: ProtocolRequest) -> tuple[Any, Program, list[str]]:
        """Returns the grant that a player is asked for, its program and scopes; raises OAuth2Error."""
        grant = self.get_consent_grant(request)
        return grant, grant.request.client.program, grant.request.scope.split()

    def answer_consent(self, request: ProtocolRequest, grant: Any, client: Identity | None) -> str:
        """Returns the address that brings the browser back to the program: with a code, or with the refusal."""
        response = self.create_authorization_response(request, grant_user=client, grant=grant)
        return self._with_issuer(response)

    def address_of(self, error: OAuth2Error) -> str:
        """Returns the address by which the program learns of an error."""
        return self._with_issuer(self.handle_error_response(None, error))

    def query_client(self, client_id: str) -> PublicClient | None:
        """Returns a program; None for an unknown one."""
        with self.here.stores.pool.connection() as connection:
            found = find_program(connection, self.here.now(), client_id)
        return None if found is None else PublicClient(found)

    def save_token(self, token: dict[str, object], request: Any) -> None:
        """Stores a new or renewed token, and completes the answer that holds it. Raises InvalidGrantError."""
        here = self.here
        try:
            with here.stores.pool.connection() as connection, here.quotas.refusals(), connection.transaction():
                issued = self._issue(connection, request)
                connection.execute(*here.quotas.check(request.user, TOKENS))
        except QuotaReached as full:
            raise InvalidGrantError(FULL) from full
        token.update(token_type="Bearer", access_token=issued.access, expires_in=issued.seconds)  # noqa: S106
        token.update(scope=" ".join(issued.scopes))
        if issued.refresh is not None:
            token["refresh_token"] = issued.refresh

    def forget_tokens(self) -> None:
        """Empties the cache of tokens, one of which may have been revoked."""
        self.here.authenticator.forget()
        self.here.announcer.announce(RIGHTS_ENDED)

    def create_oauth2_request(self, request: ProtocolRequest) -> ProtocolRequest:
        """Returns the request, which is one already."""
        return request

    def handle_response(self, status: int, body: object, headers: list[tuple[str, str]]) -> ProtocolAnswer:
        """Returns an answer."""
        return ProtocolAnswer(status, body, dict(headers))

    def send_signal(self, _name: str, *_about: object, **_more: object) -> None:
        """Does nothing: nobody listens."""

    def _with_issuer(self, response: ProtocolAnswer) -> str:
        """Returns where an answer leads, with the name of this server (RFC 9207)."""
        named = [("iss", issuer(self.here.settings.public_url))]
        return str(add_params_to_uri(response.headers["Location"], named))

    def _issue(self, connection: Any, request: Any) -> IssuedSecrets:
        at, program = self.here.now(), request.client.program
        if request.refresh_token is not None:
            scopes = asked_scopes(request.payload.scope or request.refresh_token.get_scope())
            kept: PresentedRefresh = request.refresh_token
            renewed = program_tokens.renew(connection, at, kept.token, kept.presented, scopes)
            if renewed is None:
                raise InvalidGrantError("the refresh token was used")
            return renewed
        if request.credential is not None:
            login: DeviceLogin = request.credential.login
            if not device_logins.delete(connection, login):
                raise InvalidGrantError("the device code was used")
            return program_tokens.issue(connection, at, program, request.user, login.scopes, renewable=False)
        used: UsedCode = request.authorization_code.used
        issued = program_tokens.issue(connection, at, program, request.user, used.scopes, renewable=True)
        if not codes.note_token(connection, used, issued.id):
            raise InvalidGrantError("the code was presented twice")
        return issued
