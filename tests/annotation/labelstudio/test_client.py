"""Failures of a server as a user meets them."""

import json

import pytest
from site_on_loopback import serving

from curation.annotation.labelstudio import client
from curation.annotation.labelstudio.client import Server, ServerFault, connect

pytestmark = pytest.mark.slow
KEY = "0123456789abcdef0123456789abcdef01234567"
HTML = "<html>sessionid=secret-cookie</html>" * 100


@pytest.fixture
def site():
    with serving() as site:
        site.headers = {"Content-Type": "application/json", "Set-Cookie": "sessionid=secret-cookie"}
        yield site


def failure(call):
    """Give how a call fails; nothing of the answer may be in it."""
    with pytest.raises(ServerFault) as caught:
        call()
    said = "\n".join([str(caught.value), repr(caught.value.args), str(caught.value.__cause__)])
    assert "secret" not in said
    assert KEY not in said
    assert len(said) < 500
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return caught.value


REFUSALS = {
    400: ("the server refuses what was sent (400)", False),
    401: ("the token is wrong, revoked or expired (401)", False),
    403: ("the token's owner may not do this (403)", False),
    404: ("it is not there (404)", False),
    413: ("what was sent is too large (413)", False),
    418: ("the server refuses (418)", False),
    429: ("the server asks to wait (429)", False),
    500: ("the server failed (500)", True),
    503: ("the server failed (503)", True),
}


def test_a_refusal_is_said_in_our_words(site):
    """And a request that changes something is not sent again."""
    for status, (what, uncertain) in REFUSALS.items():
        for body in (HTML, '{"detail": "secret-cookie"}', ""):
            site.answer = lambda _method, _path, status=status, body=body: (status, body)
            site.asked.clear()
            found = failure(lambda: Server(site.url, KEY).send(3, [{"uid": "a"}]))
            assert found.what.startswith(f"cannot send 1 tasks to project 3: {what}")
            assert (found.status, found.uncertain, found.busy) == (
                *(status, uncertain, status == 429),
            )
            assert site.asked == [("POST", "/api/projects/3/import")]


def test_no_server_is_said(site):
    url = "http://127.0.0.1:9"
    found = failure(lambda: Server(url, KEY).send(3, []))
    assert (found.where, found.uncertain) == (url, False)
    assert "no server answers" in found.what


def test_what_ends_without_an_answer_is_uncertain(site, monkeypatch):
    """The server may have done it: it is not sent a second time."""
    site.answer = lambda _method, _path: (0, "")
    found = failure(lambda: Server(site.url, KEY).send(3, [{"uid": "a"}]))
    assert ("broke off" in found.what, found.uncertain, len(site.asked)) == (True, True, 1)
    monkeypatch.setattr(client, "_IMPORT_TIMEOUT", 0.1)
    site.hangs.clear()
    found = failure(lambda: Server(site.url, KEY).send(3, [{"uid": "a"}]))
    assert ("took too long" in found.what, found.uncertain) == (True, True)


def test_another_server_is_recognised(site):
    """Its answers make no sense."""
    for body in (HTML, "", "[]", '"x"', "{", "null"):
        site.answer = lambda _method, _path, body=body: (200, body)
        found = failure(lambda: Server(site.url, KEY).project(3))
        assert "the answer does not come from Label Studio" in found.what


def test_a_personal_token_is_exchanged_whenever_the_other_has_ended(site):
    """What is asked is sent again then, for it was not heard; a wrong one is said."""
    valid = []

    def answer(_method, path):
        if path == "/api/token/refresh/":
            valid.append(f"access-{len(valid)}")
            return 200, json.dumps({"access": valid[-1]})
        is_in = valid and site.tokens[-1] == f"Bearer {valid[-1]}"
        return (200, "[]") if is_in else (401, HTML)

    site.answer = answer
    server = Server(site.url, "header.claims.signature")
    for end in (True, False, False):
        assert server.users() == {}
        valid.extend(["ended"] * end)
    refreshed, asked = ("POST", "/api/token/refresh/"), ("GET", "/api/users/")
    assert site.asked == [asked, refreshed, asked, asked, refreshed, asked, asked]
    for status in (401, 403):
        site.answer = lambda _method, _path, status=status: (status, HTML)
        site.asked.clear()
        assert failure(server.users).status == status
        assert site.asked == [asked, refreshed][: 1 + (status == 401)]
    site.answer = lambda _method, path: (200 if "token" in path else 401, "{}")
    assert "does not come from Label Studio" in failure(server.users).what


def test_a_listing_that_ends_early_is_not_taken_for_whole(site):
    """Where tasks are taken out between two pages there is no second one."""
    page = {"tasks": [{"id": 1, "data": {"uid": "a"}}], "total": 2}
    site.answer = lambda _method, path: (
        (200, json.dumps(page)) if "page=1&" in f"{path}&" else (404, "{}")
    )
    assert failure(lambda: Server(site.url, KEY).listing(3)).status == 404


def test_what_somebody_has_begun_is_told(site):
    """A server names drafts only where it has to choose by them."""

    def answer(_method, path):
        known = {"draft_exists": True} if "filter" in path else {}
        return 200, json.dumps({"tasks": [{"id": 1, "data": {"uid": "a"}, **known}], "total": 1})

    site.answer = answer
    assert [item.touched for item in Server(site.url, KEY).listing(3)] == [True]


def test_a_path_before_the_api_is_kept_and_no_proxy_asked(site, monkeypatch):
    """A server may lie below a folder; what stays on this machine goes through nobody."""
    for name in ("HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    site.answer = lambda _method, _path: (200, "[]")
    assert connect(f"{site.url}/studio", KEY).users() == {}
    assert site.asked[0][1].startswith("/studio/api/users")
