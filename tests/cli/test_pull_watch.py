"""`curate pull --watch`: a line a round, whatever the server does; against one in memory."""

from pathlib import Path
from typing import Any

import pytest

from curation.annotation.labelstudio.pull import watch_answers
from tests.annotation.labelstudio.fake import FakeServer, fault

from .conftest import Curate
from .test_push_pull import ST, push

pytestmark = pytest.mark.usefixtures("server")
AT = "2026-01-01T00:00:00Z"


class Between:
    """What happens between two rounds; after the last of it Ctrl-C.

    Attributes:
        waited: How long each wait was to be, in seconds.
    """

    def __init__(self, *steps: Any) -> None:
        self.steps = list(steps)
        self.waited: list[float] = []

    def __call__(self, seconds: float) -> None:
        """Do the next thing."""
        self.waited.append(seconds)
        if not self.steps:
            raise KeyboardInterrupt
        self.steps.pop(0)()


@pytest.fixture
def between(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put something between two rounds of the command."""

    def put(*steps: Any) -> Between:
        found = Between(*steps)
        monkeypatch.setattr(
            "curation.cli.labelstudio.watch_answers",
            lambda *args, **more: watch_answers(*args, **more, wait=found),
        )
        return found

    return put


def test_each_round_is_a_line_until_ctrl_c(
    curate: Curate, demo: Path, server: FakeServer, between: Any
) -> None:
    """A server that is away or busy is told and asked again; the status is 0."""
    push(curate, demo, "classify")

    def annotate() -> None:
        server.annotate(1, "age-001", 1, ST)
        server.annotate(1, "age-002", 1, [])
        server.annotate(1, "age-003", 1, [], was_cancelled=True)

    def away() -> None:
        server.failures["export"] = [fault(), fault(502), fault(429)]

    def nothing() -> None:
        pass

    waits = between(annotate, away, nothing, nothing, nothing)
    ran = curate("pull", "classify", "-w", demo, "--watch", 5)
    assert (ran.code, ran.err) == (0, "Stopped after 6 rounds.\n")
    away_line = f"{AT}  not pulled: cannot do it; asking again in 5 minutes"
    full = f"{AT}  1 answer, 1 skipped, 1 refused"
    assert ran.out.splitlines() == [
        f"{AT}  0 answers",
        f"{AT}  1 answer, 1 more than before, 1 skipped, 1 refused",
        *(away_line, away_line, away_line),
        full,
    ]
    assert waits.waited == [300] * 6
