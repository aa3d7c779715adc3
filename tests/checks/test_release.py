"""The rules on a release: what stops it, and what does not."""

from dataclasses import replace
from pathlib import Path

from curation.checks.subject import Cell, ReleaseFacts, stale_input
from curation.checks.workspace import RELEASE, run
from curation.records.bank import Label
from curation.records.culture import Release, ReleaseSettings, SampleDigest
from curation.records.licences import Licence
from curation.records.messages import CurateError, own_yaml

SURVEY = {"population": "adults", "began": "2025-01-01", "ended": "2025-01-02"}
SETTINGS = {
    "title": "CraftBBQ",
    "description": "Invented.",
    "licence": "CC-BY-4.0",
    "authors": [{"name": "Somebody"}],
    "date": "2026-01-01",
    "url": "https://example.org",
    "canary": "0123456789abcdef",
    "survey": SURVEY,
}
DIGEST = SampleDigest(80, 8, "aa", "bb", 42)
FACTS = ReleaseFacts(
    retained=frozenset({"craft-001"}),
    sources={"invented": Licence("MIT", "Somebody", "https://example.org")},
    has_survey=True,
    digest=DIGEST,
)


TABLE = own_yaml(Path(__file__).with_name("release.yaml").read_text(encoding="utf-8"))


def recorded(version="0.1", **changes):
    fields = {"version": version, "date": "2026-01-01", "samples": 80, "test_samples": 8}
    hashes = {"samples_sha256": "aa", "test_samples_sha256": "bb", "manifest_sha256": "cc"}
    others = {"data_format": 1, "tool_version": "0.1.0", "seed": 42}
    return Release(**{**fields, **hashes, **others, **changes})


def subject(make, pairs=({},), **changes):
    """What is looked at: changes are of the release's settings, the culture's, or the facts."""
    release, culture = changes.pop("release", {}), changes.pop("culture", {})
    variants = [
        variant
        for at, fields in enumerate(pairs, start=1)
        for variant in make.pair(f"craft-00{at}", **fields)
    ]
    made = make.subject(variants)
    settings = ReleaseSettings.model_validate({**SETTINGS, **release})
    return replace(
        made,
        culture=made.culture.model_copy(update={"release": settings, **culture}),
        release=replace(FACTS, **changes),
    )


def made(case):
    kinds = {
        "stale": lambda item: stale_input(*item),
        "problems": lambda item: CurateError(*item),
        "outgoing": lambda item: Cell(*item),
        "releases": lambda item: recorded(**item),
    }
    found = {}
    for key, value in case.items():
        if key in ("why", "found", "says"):
            continue
        if key in kinds:
            value = tuple(map(kinds[key], value))
        elif key in ("retained", "surveyed", "annotators"):
            value = frozenset(value)
        elif key == "sources":
            value = {name: Licence(*terms) for name, terms in value.items()}
        elif key == "pairs":
            labels = [{"label": Label(item["label"])} if "label" in item else {} for item in value]
            value = [{**item, **label} for item, label in zip(value, labels, strict=True)]
        elif key in ("reworded", "untested", "waiting"):
            value = tuple(value)
        found[key] = value
    return found


def test_what_stops_a_release_is_said_at_its_place(make):
    """Every rule of a release, alone."""
    for case in TABLE["speaks"]:
        found = run(subject(make, **made(case)), RELEASE)
        assert [f"{item.rule} {item.severity.value}: {item.where}" for item in found] == [
            case["found"]
        ], case
        assert case.get("says") in (None, found[0].message), case
        assert found[0].hint
    assert {f"{rule.id} {rule.severity.value}" for rule in RELEASE} == {
        case["found"].partition(":")[0] for case in TABLE["speaks"]
    }


def test_what_does_not_stop_a_release(make):
    """Nothing is said."""
    for case in TABLE["silent"]:
        assert run(subject(make, **made(case)), RELEASE) == [], case


def test_terms_go_together_or_stop_a_release(make):
    for source, release, why in [
        ("CC-BY-SA-4.0", "CC-BY-4.0", "asks that what is derived carries CC-BY-SA-4.0"),
        ("CC-BY-SA-4.0", "CC-BY-NC-SA-4.0", "asks that what is derived carries CC-BY-SA-4.0"),
        ("CC-BY-NC-4.0", "CC-BY-4.0", "forbids commercial use, which CC-BY-4.0 allows"),
        ("CC-BY-ND-4.0", "CC-BY-4.0", "does not allow derived texts to be published"),
        ("CC-BY-4.0", "CC0-1.0", "asks that its creators are named, which CC0-1.0 gives up"),
        ("MIT", "CC-BY-SA-4.0", ""),
        ("CC-BY-4.0", "CC-BY-NC-SA-4.0", ""),
        ("CC-BY-SA-4.0", "CC-BY-SA-4.0", ""),
        ("CC-BY-SA-3.0", "CC-BY-SA-4.0", ""),
        ("CC0-1.0", "CC0-1.0", ""),
    ]:
        sources = {"invented": Licence(source, "Somebody", "there")}
        found = run(subject(make, sources=sources, release={"licence": release}), RELEASE)
        assert [(item.rule, item.message) for item in found] == (
            [("release-source-terms", f"source 'invented' (first in craft-001): {source} {why}")]
            if why
            else []
        )


def test_who_can_be_reached_is_found_and_references_are_not(make):
    """The finding says where, not whom."""
    for text, what in [
        ("ask ann@example.org", "an e-mail address"),
        ("call 010-1234-5678", "a telephone number"),
        ("call +82 10 1234 5678", "a telephone number"),
        ("from 192.168.20.7", "an IP address"),
        ("worker A2B3C4D5E6F7G8", "an id of a survey platform"),
        ("participant 5f4dcc3b5aa765d61d8327de", "an id of a survey platform"),
        ("response R_2aBcDeFgHiJkLmN", "an id of a survey platform"),
        ("see panel-00417, who said so", "the id of a respondent"),
        ("Kim 2020, pp. 123-145; doi 10.1162/tacl_a_00661", ""),
        ("ISBN 978-3-16-148410-0, ISSN 1234-5678", ""),
        ("https://news.example.org/5f4dcc3b5aa765d61d8327de?mail=a@b.org", ""),
        ("orcid: 0000-0002-1825-0097", ""),
        ("version 1.2.3, 2026-01-01, ABCDEFGHIJKLMN", ""),
        ("r1 said so", ""),
    ]:
        note = Cell("bank.csv", 2, "note", text)
        respondents = frozenset({"panel-00417", "r1"})
        found = run(subject(make, outgoing=(note,), respondents=respondents), RELEASE)
        assert [(item.rule, item.message) for item in found] == (
            [("release-personal-data", f"the text holds what looks like {what}")] if what else []
        )
