"""Runs in the notebook before its first cell: in place of a browser, a person who logs in to the sandbox of the notebook."""

import html
import re
import threading
import urllib.parse
import urllib.request
import webbrowser


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def log_in(url: str) -> None:
    box = get_ipython().user_ns["box"]  # noqa: F821
    with urllib.request.urlopen(url) as answer:
        page = answer.read().decode()
    hidden = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page)
    form = {name: html.unescape(value) for name, value in hidden}
    form |= {"username": box.username, "password": box.password, "decision": "allow"}
    target = urllib.parse.urljoin(url, "/openid/authorize")
    try:
        urllib.request.build_opener(Stay).open(target, urllib.parse.urlencode(form).encode())
    except urllib.error.HTTPError as answer:
        urllib.request.urlopen(answer.headers["Location"])


def browse(url: str) -> bool:
    threading.Thread(target=log_in, args=(url,)).start()
    return True


webbrowser.open = browse
