"""Requests, programs, codes and tokens as Authlib asks them."""

import re
from collections import defaultdict
from typing import Final

from authlib.oauth2.rfc6749 import ClientMixin, InvalidRequestError, OAuth2Payload, OAuth2Request
from authlib.oauth2.rfc8628 import DEVICE_CODE_GRANT_TYPE
from werkzeug.datastructures import Headers, MultiDict

from service.oauth.codes import UsedCode
from service.oauth.device_logins import DeviceLogin
from service.oauth.program_tokens import ProgramToken
from service.oauth.programs import Program, asked_scopes
from service.oauth.redirects import is_registered

GRANTS: Final = ("authorization_code", "refresh_token", DEVICE_CODE_GRANT_TYPE)
PUBLIC: Final = ["none"]  # programs in browsers and on machines of players keep no secret
LONGEST_VALUE: Final = 1_000
PLAIN_VALUE: Final = re.compile(r'[^"\\]*')  # what Authlib may repeat in the description of an error


class Values(OAuth2Payload):  # type: ignore[misc]
    """The parameters of a request; each is given once and printable. An empty one counts as left out."""

    def __init__(self, given: "MultiDict[str, str]") -> None:
        for name, values in given.lists():
            if len(values) > 1:
                raise InvalidRequestError("a parameter is given more than once")
            plain = name == "state" or PLAIN_VALUE.fullmatch(values[0])
            if not (plain and values[0].isascii() and values[0].isprintable() and len(values[0]) <= LONGEST_VALUE):
                raise InvalidRequestError("a parameter is too long, or has characters that OAuth does not take")
        self._data = {name: value for name, value in given.items() if value}

    @property
    def data(self) -> dict[str, str]:
        """The parameters by name."""
        return self._data

    @property
    def datalist(self) -> defaultdict[str, list[str]]:
        """The same as lists."""
        return defaultdict(list, {name: [value] for name, value in self._data.items()})


class ProtocolRequest(OAuth2Request):  # type: ignore[misc]
    """A request as Authlib reads it."""

    def __init__(self, method: str, given: "MultiDict[str, str]", headers: Headers | None = None) -> None:
        super().__init__(method, "https://localhost/", headers=headers)  # whether TLS is in use, the operator decides
        self.payload = Values(given)

    @property
    def args(self) -> dict[str, str]:
        """The parameters of the address."""
        return self.payload.data

    @property
    def form(self) -> dict[str, str]:
        """The parameters of the form."""
        return self.payload.data


class PublicClient(ClientMixin):  # type: ignore[misc]
    """A program as Authlib asks it."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def get_client_id(self) -> str:
        """Returns its id."""
        return self.program.id

    def get_default_redirect_uri(self) -> None:
        """Returns none: every request names its address."""

    def get_allowed_scope(self, scope: str | None) -> str:
        """Returns the scopes of a request."""
        return " ".join(asked_scopes(scope))

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        """Returns whether an address is registered."""
        return is_registered(redirect_uri, tuple(self.program.redirects))

    def check_client_secret(self, _secret: str) -> bool:
        """Returns false: no program has a secret."""
        return False

    def check_endpoint_auth_method(self, method: str, _endpoint: str) -> bool:
        """Returns whether programs authenticate so."""
        return method in PUBLIC

    def check_response_type(self, response_type: str) -> bool:
        """Returns whether the response type is supported."""
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        """Returns whether the grant type is supported."""
        return grant_type in GRANTS


class PresentedCode:
    """A code at the token endpoint."""

    code_challenge_method = "S256"

    def __init__(self, used: UsedCode) -> None:
        self.used = used
        self.code_challenge = used.challenge

    def get_redirect_uri(self) -> str:
        """Returns the address of the request for consent."""
        return self.used.redirect

    def get_scope(self) -> str:
        """Returns the scopes that the player allowed."""
        return " ".join(self.used.scopes)


class PresentedLogin:
    """A device login at the token endpoint."""

    def __init__(self, login: DeviceLogin, *, too_soon: bool) -> None:
        self.login = login
        self.too_soon = too_soon

    def get_client_id(self) -> str:
        """Returns the program that began it."""
        return self.login.program

    def get_scope(self) -> str:
        """Returns the scopes that it asked for."""
        return " ".join(self.login.scopes)


class PresentedRefresh:
    """A refresh token at the token endpoint, or any token at the revocation endpoint."""

    def __init__(self, token: ProgramToken, presented: str) -> None:
        self.token = token
        self.presented = presented

    def check_client(self, client: PublicClient) -> bool:
        """Returns whether it was issued to the program."""
        return self.token.program == client.program.id

    def get_scope(self) -> str:
        """Returns its scopes."""
        return " ".join(self.token.scopes)
