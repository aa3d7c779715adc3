"""`curate filter`."""

from pathlib import Path

import pytest

EPOCH = "1767225600"


def filter_by(curate, workspace, *more, survey=""):
    """Filter a workspace by its own answers, or by another file."""
    path = survey or workspace / "responses" / "responses.csv"
    return curate("filter", "-w", workspace, "--survey", path, *more)


def test_a_run_that_was_broken_off_is_made_good_by_the_next(
    curate, workspace, listing, monkeypatch
):
    """Whichever file the disk fills up at, no half file is left and a rerun gives all of it."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    replace = Path.replace
    for allowed in range(1, 8):
        written = []

        def limited(path, target, *, written=written, allowed=allowed):
            if len(written) >= allowed:
                raise OSError(28, "No space left on device")
            written.append(target)
            return replace(path, target)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", limited)
            broken = filter_by(curate, workspace)
        left = listing(workspace)
        assert not [name for name in left if name.rsplit("/", 1)[-1].startswith(".")]
        if broken.code == 0:
            break
    else:
        pytest.fail("the run never came to its end")
    assert filter_by(curate, workspace, "--json").json["ledger"]["added"] == 0
    assert listing(workspace) == left
