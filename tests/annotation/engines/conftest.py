"""The loopback servers."""

from contextlib import ExitStack, contextmanager

import pytest

from tests.annotation.engines import loopback


@contextmanager
def served(monkeypatch, module, key, url=""):
    """Give what starts a server of a module; the environment names its key, and its address."""
    with ExitStack() as stack:

        def start(**settings):
            server = stack.enter_context(module.serve(**settings))
            monkeypatch.setenv(key, module.KEY)
            monkeypatch.setenv("NO_PROXY", "127.0.0.1")
            if url:
                monkeypatch.setenv(url, server.url)
            return server

        yield start


@pytest.fixture
def deepl_server(monkeypatch):
    """Start a server that speaks DeepL's protocol; the environment names it and its key."""
    with served(monkeypatch, loopback, "DEEPL_AUTH_KEY", "DEEPL_SERVER_URL") as start:
        yield start


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch):
    monkeypatch.setattr("curation.annotation.engines.engine.PAUSES", (0.0, 0.0))
