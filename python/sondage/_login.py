"""A person's login, by a browser or by an address that is pasted."""

from __future__ import annotations

from ._bases import LoginMethods
from ._convert import as_text, truth, wrong
from ._native import make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._blocking_client import Client
    from ._settings import LoginSettings, Unpack


class Login(LoginMethods):
    """A login in progress: show `url` to the person, then wait for the browser with `listen()`, or pass the
    address at which it ended up to `paste()`.
    Its arguments are those of `sondage.login`. Without `redirect` the browser comes back to a free port of this machine.
    """

    __slots__ = ()

    def __init__(
        self, account: str | None = None, *, redirect: str | None = None, identity: str | None = None, **settings: Unpack[LoginSettings]
    ) -> None:
        given: Any = settings
        given |= {"account": account, "redirect": redirect, "identity": identity}
        self._start(given)

    @classmethod
    def resume(
        cls, saved: str, account: str | None = None, *, identity: str | None = None, **settings: Unpack[LoginSettings]
    ) -> Login:
        """Goes on with a login that this or another process has begun. Nothing is sent.

        Args:
            saved: What `saved` returned there.
            account: The account's own address, as there.
            identity: A name of your own for the login, as there.
            settings: The other settings of that login.
        """
        login = cls.__new__(cls)
        given: Any = settings
        given |= {"account": account, "identity": identity, "saved": saved or ""}
        del saved
        login._start(given)
        return login

    def _start(self, given: dict[str, Any]) -> None:
        try:
            if unused := {"credentials", "token_provider", "token_store"} & given.keys():
                raise wrong(f"a login takes no `{unused.pop()}`", "The session is kept in `token_file`.")
            super().__init__(make("login", as_text(given)))
        finally:
            given.clear()


def login(
    account: str | None = None,
    *,
    redirect: str | None = None,
    browser: bool = True,
    identity: str | None = None,
    **settings: Unpack[LoginSettings],
) -> Client:
    """Lets a person log in, and returns the client.

    It opens a browser and waits for it to return. If there is no browser, for example in a notebook on a server, it
    prints the link and asks for the address at which the browser ended up.

    Args:
        account: The account's own address, for example `https://acme.survalyzer-eu.app`.
        redirect: The redirect address, exactly as it is registered for the client.
        browser: Whether to look for a browser on this machine.
        identity: A name of your own for the login, by which a later client finds its tokens. Default: the person's id at the service.
        settings: Other settings of the client.
    """
    import webbrowser

    try:
        browser = truth("browser", browser)
        pending = Login(account, redirect=redirect, identity=identity, **settings)
    finally:
        del settings
    if browser and pending.can_listen and webbrowser.open(pending.url):
        print(f"Waiting for the login in the browser. If none has opened: {pending.url}")
        return pending.listen()
    print(f"Log in at {pending.url}")
    return pending.paste(input("Then paste the address at which the browser ended up: "))
