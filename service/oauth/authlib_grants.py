"""The grants of Authlib over the tables of this folder: which codes, logins and tokens are valid."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from authlib.oauth2.rfc6749 import (
    AccessDeniedError,
    AuthorizationCodeGrant,
    InvalidGrantError,
    InvalidRequestError,
    RefreshTokenGrant,
)
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import (
    AuthorizationPendingError,
    DeviceAuthorizationEndpoint,
    DeviceCodeGrant,
    ExpiredTokenError,
    SlowDownError,
)

from service.oauth import codes, device_logins, program_tokens
from service.oauth.authlib_values import (
    PUBLIC,
    PresentedCode,
    PresentedLogin,
    PresentedRefresh,
    ProtocolRequest,
    PublicClient,
)
from service.oauth.codes import Consent
from service.oauth.programs import asked_scopes

DEVICE_PATH: Final = "/oauth/device"


class S256Challenge(CodeChallenge):  # type: ignore[misc]
    """PKCE, always, by S256 alone; with a state."""

    SUPPORTED_CODE_CHALLENGE_METHOD: Final = ["S256"]

    def validate_code_challenge(self, grant: Any, redirect_uri: str) -> None:
        """Raises InvalidRequestError for a request without challenge or state."""
        given = grant.request.payload.data
        if "code_challenge" not in given or given.get("code_challenge_method") != "S256":
            raise InvalidRequestError("code_challenge is required, with code_challenge_method=S256")
        if "state" not in given:
            raise InvalidRequestError("state is required: it shows your program that the answer is to its own request")
        super().validate_code_challenge(grant, redirect_uri)


class CodeGrant(AuthorizationCodeGrant):  # type: ignore[misc]
    """The authorisation code, with the consent of the player on a page."""

    TOKEN_ENDPOINT_AUTH_METHODS: Final = PUBLIC

    def generate_authorization_code(self) -> str:
        """Returns a new code."""
        return codes.new_code()

    def save_authorization_code(self, code: str, request: Any) -> None:
        """Stores the code of a consent."""
        payload, here = request.payload, self.server.here
        scopes, challenge = request.scope.split(), payload.data["code_challenge"]
        consent = Consent(payload.client_id, payload.redirect_uri, scopes, challenge)
        with here.stores.pool.connection() as connection, connection.transaction():
            codes.put_code(connection, here.now(), code, request.user, consent)

    def query_authorization_code(self, code: str, client: PublicClient) -> PresentedCode | None:
        """Uses a code up, whatever comes of the request."""
        here = self.server.here
        with here.stores.pool.connection() as connection, connection.transaction():
            used = codes.use_code(connection, here.now(), code)
            revoked = used is None and codes.revoke_replayed(connection, code)
        if revoked:
            self.server.forget_tokens()
        if used is None:
            return None
        return PresentedCode(used) if used.program == client.program.id else None

    def authenticate_user(self, code: PresentedCode) -> UUID:
        """Returns the player who consented."""
        return code.used.player

    def delete_authorization_code(self, authorization_code: PresentedCode) -> None:
        """Does nothing: the code is used up, and kept to recognise a second use."""


class RenewalGrant(RefreshTokenGrant):  # type: ignore[misc]
    """Refresh tokens, each used once."""

    TOKEN_ENDPOINT_AUTH_METHODS: Final = PUBLIC
    INCLUDE_NEW_REFRESH_TOKEN: Final = True

    def authenticate_refresh_token(self, refresh_token: str) -> PresentedRefresh | None:
        """Returns the token to renew; a used refresh token revokes it."""
        here = self.server.here
        with here.stores.pool.connection() as connection, connection.transaction():
            token = program_tokens.find_refreshed(connection, here.now(), refresh_token)
            revoked = token is None and program_tokens.revoke_reused(connection, refresh_token)
        if revoked:
            self.server.forget_tokens()
        return None if token is None else PresentedRefresh(token, refresh_token)

    def authenticate_user(self, refresh_token: PresentedRefresh) -> UUID:
        """Returns the player of the token."""
        return refresh_token.token.player

    def revoke_old_credential(self, refresh_token: PresentedRefresh) -> None:
        """Forgets the token that was replaced."""
        self.server.here.authenticator.forget(bytes(refresh_token.token.hash))


class DeviceGrant(DeviceCodeGrant):  # type: ignore[misc]
    """Device codes: the program asks until the player has answered."""

    TOKEN_ENDPOINT_AUTH_METHODS: Final = PUBLIC

    def query_device_credential(self, device_code: str) -> PresentedLogin:
        """Returns the login, and notes that the program asked; raises InvalidGrantError for an unknown code."""
        here = self.server.here
        with here.stores.pool.connection() as connection, connection.transaction():
            login = device_logins.find_by_device(connection, device_code)
            if login is None:
                raise InvalidGrantError("the device code is unknown, was used or has expired")
            return PresentedLogin(login, too_soon=device_logins.note_question(connection, here.now(), login))

    def validate_device_credential(self, credential: PresentedLogin) -> UUID:
        """Returns the player who allowed the login; raises what the program is to know else."""
        login = credential.login
        if login.expires <= self.server.here.now():
            raise ExpiredTokenError
        if login.allowed is None:
            raise SlowDownError if credential.too_soon else AuthorizationPendingError
        if not login.allowed or login.player is None:
            raise AccessDeniedError
        return login.player


class Revocation(RevocationEndpoint):  # type: ignore[misc]
    """Revokes a token of a program with its refresh token (RFC 7009)."""

    CLIENT_AUTH_METHODS: Final = PUBLIC

    def check_params(self, request: ProtocolRequest, _client: PublicClient) -> None:
        """Raises InvalidRequestError for a request without token; a hint is not needed."""
        if "token" not in request.form:
            raise InvalidRequestError("token is required")

    def query_token(self, token_string: str, _hint: str | None) -> PresentedRefresh | None:
        """Returns the token; None for an unknown one, which is as good as revoked."""
        with self.server.here.stores.pool.connection() as connection:
            token = program_tokens.find_for_revocation(connection, token_string)
        return None if token is None else PresentedRefresh(token, token_string)

    def revoke_token(self, token: PresentedRefresh, _request: ProtocolRequest) -> None:
        """Deletes the token."""
        with self.server.here.stores.pool.connection() as connection:
            program_tokens.delete(connection, token.token.id)
        self.server.forget_tokens()


class DeviceEndpoint(DeviceAuthorizationEndpoint):  # type: ignore[misc]
    """Begins device logins."""

    CLIENT_AUTH_METHODS: Final = PUBLIC
    EXPIRES_IN: Final = device_logins.LOGIN_SECONDS
    INTERVAL: Final = device_logins.INTERVAL

    def get_verification_uri(self) -> str:
        """Returns the address of the page for the short code."""
        return f"{self.server.here.settings.public_url.rstrip('/')}{DEVICE_PATH}"

    def generate_user_code(self) -> str:
        """Returns a new short code."""
        return device_logins.new_user_code()

    def save_device_credential(self, client_id: str, scope: str | None, data: Mapping[str, str]) -> None:
        """Stores the login; raises TooManyLogins."""
        here = self.server.here
        with here.stores.pool.connection() as connection, connection.transaction():
            begun = device_logins.NewDeviceLogin(data["device_code"], data["user_code"])
            device_logins.begin(connection, here.now(), begun, client_id, asked_scopes(scope), self.server.network)
