"""The loopback servers."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.annotation.engines import loopback


@pytest.fixture
def deepl_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Start a server that speaks DeepL's protocol; the environment names it and its key."""
    with ExitStack() as stack:

        def start(**settings: Any) -> Any:
            server = stack.enter_context(loopback.serve(**settings))
            monkeypatch.setenv("DEEPL_SERVER_URL", server.url)
            monkeypatch.setenv("DEEPL_AUTH_KEY", loopback.KEY)
            monkeypatch.setenv("NO_PROXY", "127.0.0.1")
            return server

        yield start


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempts follow one another at once."""
    monkeypatch.setattr("curation.annotation.engines.engine.PAUSES", (0.0, 0.0))
