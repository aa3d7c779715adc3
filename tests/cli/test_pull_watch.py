"""`curate pull --watch`: a line a round, whatever the server does; against one in memory."""

import threading
from pathlib import Path
from typing import Any

import pytest

from curation.annotation.labelstudio.watch import watch_answers
from curation.files.lock import writing
from curation.files.workspace import Workspace
from tests.annotation.labelstudio.fake import FakeServer, fault

from .conftest import Curate
from .test_push_pull import ST, edit_bank, push

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


def test_a_server_that_is_away_at_first_is_waited_for(
    curate: Curate, demo: Path, server: FakeServer, between: Any
) -> None:
    """It may be started later."""
    push(curate, demo, "classify")
    server.failures["project"] = [fault()]
    between(lambda: None)
    ran = curate("pull", "classify", "-w", demo, "--watch", 1)
    assert ran.out.splitlines()[0].endswith("cannot do it; asking again in 1 minute")
    assert ran.out.splitlines()[1] == f"{AT}  0 answers"


def test_a_token_that_is_refused_ends_it(
    curate: Curate, demo: Path, server: FakeServer, between: Any
) -> None:
    """At any time; so does a first round that cannot be."""
    ran = curate("pull", "classify", "-w", demo, "--watch", 1)
    assert (ran.code, "nothing was pushed to classify" in ran.err) == (1, True)
    push(curate, demo, "classify")

    def revoke() -> None:
        server.failures["project"] = [fault(401)]

    between(revoke)
    ran = curate("pull", "classify", "-w", demo, "--watch", 1)
    assert (ran.code, ran.out, "cannot do it" in ran.err) == (1, f"{AT}  0 answers\n", True)


def test_nothing_is_locked_between_rounds_and_files_are_read_anew(
    curate: Curate, demo: Path, server: FakeServer, between: Any
) -> None:
    """Another command may write; a bank that somebody is at work on is no end."""
    push(curate, demo, "classify")
    bank = demo / "templates_src" / "bank.csv"
    whole = bank.read_bytes()
    locked: list[str] = []

    def others() -> None:
        def take(name: str) -> None:
            with writing(Workspace(demo), "another command", 0, lock=name):
                locked.append(name)

        for name in ("lock", "pull", "push"):
            thread = threading.Thread(target=take, args=[name])
            thread.start()
            thread.join()

    between(
        others, lambda: edit_bank(demo, "template_id,", "templ,"), lambda: bank.write_bytes(whole)
    )
    ran = curate("pull", "classify", "-w", demo, "--watch", 1)
    assert (ran.code, locked) == (0, ["lock", "pull", "push"])
    lines = [line.removeprefix(f"{AT}  ") for line in ran.out.splitlines()]
    assert (lines[0], lines[1], lines[3]) == ("0 answers", "0 answers", "0 answers")
    assert lines[2].startswith("not pulled: ")


@pytest.mark.parametrize("value", ["0", "-1", "1441", "1.5", "soon", "nan"])
def test_minutes_that_cannot_be_are_refused(curate: Curate, demo: Path, value: str) -> None:
    """Whole minutes, of one day at most."""
    assert curate("pull", "classify", "-w", demo, "--watch", value).code == 2


def test_json_is_of_one_pull(curate: Curate, demo: Path) -> None:
    """One object is printed, or none."""
    ran = curate("pull", "classify", "-w", demo, "--watch", "1", "--json")
    assert (ran.code, "--json is of one pull" in ran.err) == (2, True)
