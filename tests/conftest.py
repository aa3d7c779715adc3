"""Fixtures that many tests share, and what a quick test may do."""

import os
import sys
from pathlib import Path

import hypothesis
import pytest

# How long an example takes says more about the machine's load than about the code.
hypothesis.settings.register_profile("curate", deadline=None, max_examples=40)
hypothesis.settings.register_profile("quick", deadline=None, max_examples=15)
hypothesis.settings.register_profile("nightly", deadline=None, max_examples=200)
hypothesis.settings.load_profile("curate")

# Commands that tests start would compile the toolkit anew each time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

SLOW_FIXTURES = {"deepl_server", "helpers", "reference", "serve", "warm"}
"""Fixtures that start a server or processes, or read all of the published data."""
COMMAND_FIXTURES = {"curate"}
"""Fixtures that run a whole command."""
OUTSIDE = {"os.fork", "os.posix_spawn", "socket.bind", "subprocess.Popen"}
"""Audit events of what no quick test does."""
SMALL = ("sav_child.py", "fc-list", "system_profiler")
"""Processes that take little: one reads an SPSS file, Matplotlib lists fonts once a machine."""

MAY_BE_ABSENT = (
    "the extra 'hf'",
    "lm-evaluation-harness",
    "root may write everywhere",
    "this machine has a GPU",
)
"""Reasons for which a test may be skipped in the gate too; there, any other skip is a failure."""

_is_quick = False


def pytest_xdist_auto_num_workers():
    """One worker more than there are cores: a quarter of the time is waiting for servers."""
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else 4


def pytest_configure(config):
    if "nightly" in config.option.markexpr:
        hypothesis.settings.load_profile("nightly")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark tests by the fixtures that they use, and leave out those of the night."""
    if "nightly" not in config.option.markexpr:
        of_the_night = [item for item in items if item.get_closest_marker("nightly")]
        config.hook.pytest_deselected(items=of_the_night)
        items[:] = [item for item in items if not item.get_closest_marker("nightly")]
    for item in items:
        used = set(getattr(item, "fixturenames", ()))
        if used & SLOW_FIXTURES:
            item.add_marker(pytest.mark.slow)
        if used & COMMAND_FIXTURES:
            item.add_marker(pytest.mark.command)
        if item.get_closest_marker("server"):
            item.add_marker(pytest.mark.timeout(600))  # what it starts is installed first
        if item.get_closest_marker("nightly"):
            item.add_marker(pytest.mark.timeout(3600))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Hold a test that has no mark to what quick tests do."""
    global _is_quick  # an audit hook has no other state
    _is_quick = not {mark.name for mark in item.iter_markers()} & {"command", "server", "slow"}
    try:
        return (yield)
    finally:
        _is_quick = False


def _fail_skipped(report):
    """Let a skipped test fail in the gate: what it needs is to be there."""
    reason = str(report.longrepr)
    is_skip = report.skipped and not hasattr(report, "wasxfail")
    if is_skip and os.environ.get("CI") and not any(part in reason for part in MAY_BE_ABSENT):
        report.outcome = "failed"
        report.longrepr = f"skipped, which the gate does not allow: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    report = yield
    _fail_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    report = yield
    _fail_skipped(report)
    return report


def _refuse(event, args):
    if _is_quick and event in OUTSIDE and not any(name in str(args) for name in SMALL):
        raise AssertionError(f"{event}: mark the test `slow`")


sys.addaudithook(_refuse)


@pytest.fixture(scope="session")
def reference():
    """The folder of published reference data; a test that needs it is skipped without it."""
    default = Path(__file__).parents[1] / ".." / "shared" / "reference"
    folder = Path(os.environ.get("CURATE_REFERENCE", default)).resolve()
    if not folder.is_dir():
        pytest.skip(f"no reference data in {folder}: set CURATE_REFERENCE to have these tests")
    return folder


@pytest.fixture(scope="session")
def warm(tmp_path_factory):
    """What runs the commands of pages and scenarios; all workers of a run ask the same process."""
    from doc_pages import warm_curate

    base = tmp_path_factory.getbasetemp()
    is_worker = "PYTEST_XDIST_WORKER" in os.environ
    with warm_curate((base.parent if is_worker else base) / "warm") as socket:
        yield socket
