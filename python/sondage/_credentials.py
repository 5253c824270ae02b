"""Credentials. Everything else comes from the other settings of the client."""

from __future__ import annotations


class Credentials:
    """The credentials of a client."""

    __slots__ = ("settings",)
    settings: dict[str, str | int | None]
    """The settings that it represents."""

    def __init__(self, **settings: str | int | None) -> None:
        self.settings = settings

    def __repr__(self) -> str:
        return f"{type(self).__name__}(***)"


class ClientCredentials(Credentials):
    """The client id and its secret alone, with the permissions of the account."""

    __slots__ = ()

    def __init__(self, client_id: str | None = None, client_secret: str | None = None) -> None:
        super().__init__(grant="client_credentials", client_id=client_id, client_secret=client_secret)


class Password(Credentials):
    """A dedicated user, with that user's permissions.

    Args:
        username: The user.
        password: The user's password.
        panel_id: The only panel for which the token is valid.
    """

    __slots__ = ()

    def __init__(self, username: str, password: str, *, panel_id: int | None = None) -> None:
        super().__init__(grant="password", username=username, password=password, panel_id=panel_id)


class RefreshToken(Credentials):
    """A refresh token from an earlier login."""

    __slots__ = ()

    def __init__(self, refresh_token: str) -> None:
        super().__init__(grant="refresh_token", refresh_token=refresh_token)


class Token(Credentials):
    """An access token that is renewed elsewhere. The client cannot renew it."""

    __slots__ = ()

    def __init__(self, token: str) -> None:
        super().__init__(grant="token", token=token)
