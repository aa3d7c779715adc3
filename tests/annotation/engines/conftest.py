"""The loopback servers."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from tests.annotation.engines import loopback


@contextmanager
def served(monkeypatch: pytest.MonkeyPatch, module: Any, key: str, url: str = "") -> Iterator[Any]:
    """Give what starts a server of a module; the environment names its key, and its address."""
    with ExitStack() as stack:

        def start(**settings: Any) -> Any:
            server = stack.enter_context(module.serve(**settings))
            monkeypatch.setenv(key, module.KEY)
            monkeypatch.setenv("NO_PROXY", "127.0.0.1")
            if url:
                monkeypatch.setenv(url, server.url)
            return server

        yield start


@pytest.fixture
def deepl_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Start a server that speaks DeepL's protocol; the environment names it and its key."""
    with served(monkeypatch, loopback, "DEEPL_AUTH_KEY", "DEEPL_SERVER_URL") as start:
        yield start


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempts follow one another at once."""
    monkeypatch.setattr("curation.annotation.engines.engine.PAUSES", (0.0, 0.0))
