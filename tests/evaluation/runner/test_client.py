"""One request, one reply: what is sent, by which way, and how an attempt ends."""

import asyncio
import gzip

import pytest

from curation import web
from curation.records.messages import CurateError
from curation.web import Cause, Client, NoReply, Response, proxy_of, service_address, service_key
from evaluation.replies.reply import Failure, FailureKind
from evaluation.runner.backends.completions import failure

pytestmark = pytest.mark.oldest
BODY = b'{"model": "m", "messages": [{"role": "user", "content": "q"}]}'


def post(url, *, timeout=20.0, times=1, headers=None):
    async def all_of_them():
        connection = Client(url, headers or {}, timeout)
        found = [await connection.send("POST", url, BODY) for _ in range(times)]
        await connection.close()
        return [failure(*item) if isinstance(item, NoReply) else item for item in found]

    return asyncio.run(all_of_them())


def test_a_key_is_one_word_of_the_environment(monkeypatch):
    """Whatever the service; a server of one's own may want none, or a short one."""
    for given, found in {" sk-1 \n": "sk-1", "x": "x", "  ": ""}.items():
        monkeypatch.setenv("SOME_KEY", given)
        assert service_key("SOME_KEY", "", needed=False) == found
    with pytest.raises(CurateError, match="SOME_KEY is not set\nenvironment\nset it"):
        service_key("SOME_KEY", "set it")
    for given in ("two words", "k\u00e9y", "a\nb"):
        monkeypatch.setenv("SOME_KEY", given)
        with pytest.raises(CurateError, match="SOME_KEY holds no key"):
            service_key("SOME_KEY", "", needed=False)


def test_an_address_is_shown_and_holds_no_secret():
    """Azure's has the version of the protocol behind it."""
    for given in ("http://127.0.0.1:8080/", "https://x.example/m?api-version=2024-06-01"):
        assert service_address(given, "here") == given.rstrip("/")
    for given in ("ftp://x.example", "x.example", "http://", "http://x:0", "http://[x"):
        with pytest.raises(CurateError, match="that is not an address of a server\nhere"):
            service_address(given, "here")
    for given in ("http://me:pw@x.example", "http://pw@x.example", "http://x.example?key=pw"):
        with pytest.raises(CurateError, match="an address must hold no name") as caught:
            service_address(given, "here")
        assert "pw" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("HANG", "timeout", "no reply came in 0.5 s"),
        ("SLOW", "timeout", "no reply came in 0.5 s"),
        ("DROP", "cut", "the connection ended before the reply did"),
        ("CUT", "cut", "the connection ended before the reply did"),
        ("HALF_CHUNKS", "cut", "the connection ended before the reply did"),
        ("NO_HTTP", "malformed", "the reply is not HTTP"),
    ],
)
def test_no_attempt_outlasts_its_time_or_passes_for_whole(serve, loopback, name, kind, said):
    """Also where a byte comes from time to time; each is one attempt."""
    server = serve(faults=lambda *_: getattr(loopback, name))
    (fault,) = post(server.url, timeout=0.5 if kind == "timeout" else 20.0)
    assert isinstance(fault, Failure)
    assert (fault.kind.value, fault.message, fault.again) == (kind, said, True)
    assert len(server.bodies) == 1


def test_proxies_are_those_of_the_environment(monkeypatch):
    """By the address; `NO_PROXY` excepts; a kind that is not known is refused."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    assert proxy_of("https://api.example/v1") is None
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    monkeypatch.setenv("NO_PROXY", "inner.example")
    assert proxy_of("https://api.example/v1") == "http://proxy.example:3128"
    assert proxy_of("http://api.example/v1") is None
    assert proxy_of("https://a.inner.example:8443/v1") is None
    for named in ("[proxy", "proxy.example:8080"):  # one that is none is told when it is used
        monkeypatch.setenv("ALL_PROXY", named)
        assert proxy_of("http://api.example/v1") == f"http://{named}"
    assert proxy_of("http://127.0.0.1:8000/v1") is None
    monkeypatch.setenv("ALL_PROXY", "socks5://proxy.example:1080")
    with pytest.raises(CurateError, match="a proxy of the kind 'socks5' cannot be used"):
        proxy_of("http://api.example/v1")


def test_a_proxy_is_asked_for_the_address(serve, monkeypatch):
    """A server that plays the proxy gets what was meant for a name that there is not."""
    proxy = serve(persona=lambda _body: "by the proxy")
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("HTTP_PROXY", proxy.url.removesuffix("/v1"))
    (answer,) = post("http://model.invalid/v1/chat/completions")
    assert isinstance(answer, Response)
    assert b"by the proxy" in answer.body
    assert len(proxy.bodies) == 1


def test_a_redirect_is_not_followed(serve, loopback):
    """The key and the prompt are for the server that was named alone."""
    other = serve()
    for number in (301, 302, 307, 308):
        fault = loopback.Fault(status=number, headers={"Location": f"{other.url}/x?secret=1"})
        server = serve(faults={1: fault})
        (found,) = post(server.url, headers={"api-key": "k"})
        assert isinstance(found, Failure)
        assert (found.status, found.stops) == (number, True)
        host = other.url.removesuffix("/v1")
        assert found.message.startswith(f"the server sends requests on to {host} (")
        assert "secret" not in found.message
    assert other.bodies == []


def test_a_reply_is_read_up_to_a_bound(serve, loopback, monkeypatch):
    """Unpacked: a few bytes may become many. It is not asked again."""
    monkeypatch.setattr(web, "MOST_BYTES", 1 << 20)
    packed = gzip.compress(b" " * (4 << 20))
    fault = loopback.Fault(raw=packed, headers={"Content-Encoding": "gzip"})
    server = serve(faults={1: fault})
    found, after = post(server.url, times=2)
    assert isinstance(found, Failure)
    assert (found.kind, found.again) == (FailureKind.MALFORMED, False)
    assert found.message == "the reply is longer than 1 MB"
    assert isinstance(after, Response)


def test_who_is_not_trusted_is_sent_nothing():
    """Asking again would not help: it is said where one's own certificates are named."""
    found = failure(Cause.UNTRUSTED, "the server's certificate is not trusted")
    assert (found.kind, found.sent) == (FailureKind.CONNECTION, False)
    assert found.stops and not found.again and "SSL_CERT_FILE" in found.hint
