"""Tokens in the keyring of the system."""

from __future__ import annotations

__all__ = ["KeyringStore"]


class KeyringStore:
    """Keeps tokens in the keyring of the system, by the package keyring: `pip install 'sondage[keyring]'`.

    Pass it as `token_store`. The keyring may ask the person. Without a keyring, calls go on with the tokens in memory and a
    warning is logged.
    """

    __slots__ = ("_keyring", "_service")

    def __init__(self, service: str = "sondage") -> None:
        """`service` is the name under which the keyring shows the tokens."""
        from ._table import _need

        self._keyring = _need("keyring", "keyring")
        self._service = service

    def load(self, key: str, /) -> str | None:
        """The tokens of a key."""
        tokens: str | None = self._keyring.get_password(self._service, key)
        return tokens

    def save(self, key: str, tokens: str, /) -> None:
        """Stores the tokens of a key."""
        self._keyring.set_password(self._service, key, tokens)

    def forget(self, key: str, /) -> None:
        """Removes the tokens of a key."""
        if self.load(key) is not None:
            self._keyring.delete_password(self._service, key)
