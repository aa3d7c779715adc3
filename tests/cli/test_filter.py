"""`curate filter`."""

from pathlib import Path

import pytest

from curation.files.codec import DECISIONS
from curation.records.survey import Rule

EPOCH = "1767225600"


def filter_by(curate, workspace, *more, survey=""):
    """Filter a workspace by its own answers, or by another file."""
    path = survey or workspace / "responses" / "responses.csv"
    return curate("filter", "-w", workspace, "--survey", path, *more)


def ledger(workspace):
    return (workspace / "decisions.csv").read_bytes()


# What is said, and decided all the same.


def test_groups_that_cannot_be_put_in_are_an_error_that_exports_refuse(curate, demo):
    """The decisions are kept, the template is named, and the status is 1."""
    groups = demo / "templates_src" / "groups.csv"
    text = groups.read_text("utf-8")
    line = next(line for line in text.splitlines() if line.startswith("Home_region,갈대늪,"))
    groups.write_text(text.replace(line, f"{line.partition(',region,')[0]},region,true,"), "utf-8")
    ran = filter_by(curate, demo, "--json")
    assert ran.code == 1
    errors = [item for item in ran.json["findings"] if item["severity"] == "error"]
    assert {item["rule"] for item in errors} == {"survey-groups-not-put-in"}
    assert any("'갈대늪' has no fillers" in item["message"] for item in errors)
    assert DECISIONS.read(demo / "decisions.csv")
    export = curate("export", "samples", "-w", demo)
    assert (export.code, "has no fillers" in export.err) == (1, True)
    assert not (demo / "exports" / "samples").exists()


# Several files.


@pytest.mark.parametrize("answered", [False, True])
def test_comprehension_of_an_earlier_file_decides_nothing(curate, demo, answered):
    """Without answers to it, or none that count, no template is dropped by what others said."""
    path = demo / "responses" / "responses.csv"
    assert filter_by(curate, demo, "--json").json["templates"]["dropped"] == 5
    lines = path.read_text("utf-8").splitlines(keepends=True)
    rest = [line.replace(",selected,", ",missing,") if answered else "" for line in lines]
    path.write_text(
        "".join(b if ",comprehension," in a else a for a, b in zip(lines, rest, strict=True)),
        "utf-8",
    )
    again = filter_by(curate, demo, "--json").json
    assert again["templates"]["dropped"] == 4
    assert "hobby-008" not in {item["template_id"] for item in again["dropped"]}
    assert sum(row["dropped"]["comprehension"] for row in again["funnel"]["templates"]) == 0
    last = {
        item.subject: (item.outcome.value, item.reason)
        for item in DECISIONS.read(demo / "decisions.csv")
        if item.rule is Rule.COMPREHENSION
    }
    assert last["hobby-008"] == ("keep", "not_asked")
    assert filter_by(curate, demo, "--json").json["ledger"]["added"] == 0


# The command as a user runs it.


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
