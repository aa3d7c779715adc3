"""The catalogue of rules, and how they are run."""

import re
from pathlib import Path

import pytest

from curation.checks.catalogue import ALL, READING, RELEASE, entries, run
from curation.model.findings import Severity


def test_a_clean_bank_has_no_findings(make):
    """No rule fires where nothing is wrong."""
    assert make.found([make.variant(f"craft-001{letter}") for letter in "abcd"]) == []
    assert make.found(make.untranslated()) == []
    assert make.found([]) == []


@pytest.mark.parametrize("check", ALL, ids=lambda check: check.rule)
def test_every_rule_has_a_file_of_its_own_and_a_test_named_after_it(check):
    """Nothing joins the catalogue without a test."""
    name = check.rule.replace("-", "_")
    assert type(check).__module__ == f"curation.checks.{name}"
    assert (Path(__file__).parent / f"test_{name}.py").is_file()


@pytest.mark.parametrize("check", RELEASE, ids=lambda check: check.rule)
def test_every_rule_of_a_release_has_a_file_and_a_test_of_its_own(check):
    """In a folder of their own, as what they look at is gathered for a release alone."""
    assert check.rule.startswith("release-")
    name = check.rule.removeprefix("release-").replace("-", "_")
    assert type(check).__module__ == f"curation.checks.release.{name}"
    assert (Path(__file__).parent / "release" / f"test_{name}.py").is_file()


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.rule)
def test_every_rule_can_be_listed(entry):
    """Ids are lower case with hyphens; title and hint are one line each."""
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", entry.rule)
    assert isinstance(entry.severity, Severity)
    for line in (entry.title, entry.hint):
        assert line and "\n" not in line and not line.endswith(".")


def test_ids_are_unique():
    """A finding's id names one rule."""
    rules = [entry.rule for entry in entries()]
    assert len(rules) == len(set(rules)) == len(ALL) + len(READING) + len(RELEASE)


def test_every_rule_file_is_in_the_catalogue():
    """A rule that is not listed would never run."""
    folder = Path(__file__).parents[2] / "curation" / "checks"
    others = {"__init__", "answers", "base", "catalogue", "signs", "skeleton"}
    files = {path.stem for path in folder.glob("*.py")} - others
    assert files == {check.rule.replace("-", "_") for check in ALL}
    of_release = {path.stem for path in (folder / "release").glob("*.py")} - {"__init__", "facts"}
    names = {check.rule.removeprefix("release-").replace("-", "_") for check in RELEASE}
    assert of_release == names


def test_without_what_is_gathered_for_a_release_its_rules_say_little(make):
    """A check without --release runs none of them; one alone does not break on a bare subject."""
    found = run(make.subject(make.pair()), RELEASE)
    assert {item.rule for item in found} == {
        *("release-incomplete", "release-canary", "release-without-samples")
    }


def test_findings_come_by_file_row_and_rule(make):
    """Those on a whole file come first."""
    variants = [
        *make.pair(stereotype="", label=None),
        make.variant("craft-002a", biased_question=" Who?", stereotype=""),
    ]
    found = run(make.subject(variants, make.groups(make.group("Cloth"))))
    places = [(item.file, item.row, item.rule) for item in found]
    assert places == [
        ("bank.csv", None, "label-missing"),
        ("bank.csv", 2, "stereotype-missing"),
        ("bank.csv", 3, "stereotype-missing"),
        ("bank.csv", 4, "pair-incomplete"),
        ("bank.csv", 4, "stereotype-missing"),
        ("bank.csv", 4, "white-space"),
        ("groups.csv", 4, "group-fillers-missing"),
    ]


def test_only_the_rules_that_are_asked_for_are_run(make):
    """The others are silent."""
    checks = [check for check in ALL if check.rule == "white-space"]
    found = run(make.subject(make.pair(biased_question=" Who?", stereotype="")), checks)
    assert {item.rule for item in found} == {"white-space"}


def test_records_that_come_from_no_file_have_no_row(make):
    """A template that was just made can be checked too."""
    variants = make.pair(stereotype=" ")
    subject = make.subject(variants)
    loose = type(subject)(
        subject.culture,
        type(subject.bank)(tuple(variants)),
        tuple(make.groups(make.group(" Cloth"))),
        "",
        "",
    )
    assert [(item.rule, item.row) for item in run(loose)] == [
        ("group-fillers-missing", None),
        *[("stereotype-missing", None)] * 2,
        *[("white-space", None)] * 3,
    ]
