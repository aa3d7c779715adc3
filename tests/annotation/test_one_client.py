"""Every server is asked by one client: what it was sent alone, and how an attempt fails."""

import asyncio
import json
import shutil
import ssl
import subprocess
import threading
from contextlib import ExitStack, closing

import pytest
from site_on_loopback import serving

from curation import web
from curation.annotation.engines.deepl_engine import DeeplService
from curation.annotation.engines.engine import EngineFault, FaultKind
from curation.annotation.engines.libre_engine import LibreService
from curation.annotation.engines.openai_engine import OpenaiService
from curation.records.culture import TranslationSettings
from curation.web import Caller, Cause, Client, NoReply

KEY = "one-client-key-77"
SETTINGS = TranslationSettings.model_validate({"model": "m"}).model_copy(update={"timeout": 20.0})
ENGINES = {
    "DEEPL_AUTH_KEY DEEPL_SERVER_URL": lambda settings: DeeplService(settings, "en", "ko"),
    "OPENAI_API_KEY OPENAI_BASE_URL": lambda settings: OpenaiService(settings, "en", "ko"),
    "LIBRETRANSLATE_API_KEY LIBRETRANSLATE_URL": lambda settings: LibreService(
        settings, "en", "ko"
    ),
}
engines = pytest.mark.parametrize("names", ENGINES)


@pytest.fixture
def start():
    with ExitStack() as stack:
        yield lambda tls=None: stack.enter_context(serving(tls))


def failure(monkeypatch, names, url, timeout=20.0):
    for name, value in zip(names.split(), (KEY, url), strict=True):
        monkeypatch.setenv(name, value)
    settings = SETTINGS.model_copy(update={"timeout": timeout})
    service = ENGINES[names](settings)
    with closing(service), pytest.raises(EngineFault) as caught:
        service.translate(["text"], "")
    assert KEY not in f"{caught.value.what} {caught.value.hint}"
    return caught.value


@pytest.mark.slow
@engines
def test_no_redirect_is_followed(start, monkeypatch, names):
    """Neither key nor text reaches another address; it is said which, and nothing was billed."""
    other, site = start(), start()
    for site.status in (301, 307):
        site.headers = {"Location": f"{other.url}/x?token=1"}
        found = failure(monkeypatch, names, site.url)
        assert found.kind is FaultKind.STOP and not found.billed
        assert f"sends requests on to {other.url} (" in found.what and "token" not in found.what
    assert other.got == [] and len(site.got) == 2


@pytest.mark.slow
@engines
def test_a_reply_is_read_up_to_a_bound(start, monkeypatch, names):
    """It was sent, so it may have been billed."""
    monkeypatch.setattr(web, "MOST_BYTES", 1 << 20)
    site = start()
    site.body = json.dumps("a" * (2 << 20)).encode()
    found = failure(monkeypatch, names, site.url)
    assert (found.kind, found.billed) == (FaultKind.STOP, True)
    assert found.what == "the reply is longer than 1 MB"


@pytest.mark.slow
@engines
def test_a_server_that_is_silent_may_have_billed(start, monkeypatch, names):
    """So it is not asked again; one that is not there was asked nothing."""
    site = start()
    site.hangs.clear()
    found = failure(monkeypatch, names, site.url, timeout=0.5)
    assert (found.kind, found.what) == (FaultKind.UNANSWERED, "no reply came in time")
    assert len(site.got) == 1
    found = failure(monkeypatch, names, "http://127.0.0.1:9")
    assert (found.kind, found.billed) == (FaultKind.BUSY, False)
    assert "cannot be reached" in found.what


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
@engines
def test_a_certificate_that_nobody_vouches_for_stops_the_run(start, monkeypatch, tmp_path, names):
    """Before anything is sent; asking again would not help, and it is said what does."""
    files = [str(tmp_path / name) for name in ("key.pem", "cert.pem")]
    made = ("openssl", "req", "-x509", "-nodes", "-newkey", "rsa:2048", "-days", "2")
    subject = ("-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1")
    subprocess.run(
        [*made, *subject, "-keyout", files[0], "-out", files[1]],
        check=True,
        capture_output=True,
        timeout=60,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files[1], files[0])
    site = start(tls=context)
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    found = failure(monkeypatch, names, site.url)
    assert (found.kind, found.billed) == (FaultKind.STOP, False)
    assert found.what == "the server's certificate is not trusted"
    assert "SSL_CERT_FILE" in found.hint and site.got == []
    monkeypatch.setenv("SSL_CERT_FILE", files[1])
    failure(monkeypatch, names, site.url)
    assert len(site.got) == 1


@pytest.mark.slow
def test_a_caller_waits_in_whatever_thread(start):
    """Several at once, one after another, with a time of its own for a request."""
    site = start()
    site.body = b"[1]"
    caller = Caller(Client(site.url, {"X-A": "b"}, 20.0))
    web._loop.cache_clear()  # as in a new process, in which several threads come first
    found = []
    threads = [
        threading.Thread(
            target=lambda: found.append(caller.send("POST", site.url, b"x")), daemon=True
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [answer.body for answer in found] == [b"[1]"] * 4
    assert all(b"X-A: b" in one and one.endswith(b"x") for one in site.got)
    site.hangs.clear()
    late = caller.send("GET", site.url, timeout_s=0.2)
    caller.close()
    assert isinstance(late, NoReply) and late.cause is Cause.LATE
    assert late.said == "no reply came in 0.2 s"


@pytest.mark.slow
def test_a_client_may_be_let_go_of_in_the_middle_of_a_call(start, monkeypatch):
    """The collector closes it wherever it comes, so also where another one begins to ask."""
    site, begin = start(), asyncio.run_coroutine_threadsafe

    def collected(work, loop):
        monkeypatch.undo()
        Caller(Client(site.url, {}, 20.0)).close()
        return begin(work, loop)

    monkeypatch.setattr(asyncio, "run_coroutine_threadsafe", collected)
    with closing(Caller(Client(site.url, {}, 20.0))) as caller:
        assert caller.send("GET", site.url).status == 200
