"""The rules on a release: what stops it, and what does not."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from curation.checks.catalogue import RELEASE, run
from curation.checks.subject import Cell, ReleaseFacts, StaleInput, Subject
from curation.records.bank import Label
from curation.records.culture import Release, ReleaseSettings, SampleDigest
from curation.records.errors import CurateError
from curation.records.licences import Licence

SURVEY = {"population": "adults", "began": "2025-01-01", "ended": "2025-01-02"}
SETTINGS: dict[str, Any] = {
    "title": "CraftBBQ",
    "description": "Invented.",
    "licence": "CC-BY-4.0",
    "authors": [{"name": "Somebody"}],
    "date": "2026-01-01",
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
NEW = {"label": Label.NEWLY_CREATED, "source": "", "source_id": ""}
MODIFIED = {"label": Label.TARGET_MODIFIED}
ELSEWHERE = {"craft-009": 3}
NOTE = Cell("bank.csv", 2, "note", "Ann Lee, and 김민수, were in doubt")
CONTACT = Cell("culture.yaml", 5, "", "contact: team@example.org")
LEE = frozenset({"Ann Lee"})


def recorded(version: str = "0.1", **changes: Any) -> Release:
    """A release of the samples, or of others."""
    fields = {"version": version, "date": "2026-01-01", "samples": 80, "test_samples": 8}
    hashes = {"samples_sha256": "aa", "test_samples_sha256": "bb", "manifest_sha256": "cc"}
    others = {"data_format": 1, "tool_version": "0.1.0", "seed": 42}
    return Release(**{**fields, **hashes, **others, **changes})


def subject(make: Any, pairs: Any = ({},), **changes: Any) -> Subject:
    """What is looked at: changes are of the release's settings, the culture's, or the facts."""
    release, culture = changes.pop("release", {}), changes.pop("culture", {})
    decided = changes.pop("decided_with", {})
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
        decided_with=decided,
    )


def terms(*licence: str) -> dict[str, Licence]:
    """The terms of the source."""
    return {"invented": Licence(*licence)}


STALE = StaleInput("responses/questionnaire.csv", "has changed", "curate filter", "put it back")
UNFILLED = CurateError("the list of slot N1 is empty", "bank, row 2, craft-001a", "fill it")
DECIDED = {"stereotype_share": Fraction(3, 4), "comprehension_share": Fraction(1, 2)}
BOTH = frozenset({"craft-001", "craft-002"})
SPEAKS: list[tuple[str, str, str, dict[str, Any]]] = [
    (
        "release-undecided error: bank.csv, row 2",
        "craft-001 is undecided: not asked",
        "the reason is told",
        {"undecided": {"craft-001": "not asked"}},
    ),
    (
        "release-stale error: responses/questionnaire.csv",
        "responses/questionnaire.csv has changed since the last 'curate filter'",
        "a file changed since it was read",
        {"stale": (STALE,)},
    ),
    (
        "release-comprehension error: culture.yaml, column release.survey.comprehension",
        "comprehension was not asked of 1 kept template (craft-001)",
        "readers take a benchmark as tested",
        {"untested": ("craft-001",)},
    ),
    (
        "release-comprehension error: culture.yaml, column release.survey.comprehension",
        "comprehension was not asked of 2 kept templates (craft-001 first)",
        "several",
        {"untested": ("craft-001", "craft-002")},
    ),
    (
        "release-unconfirmed error: bank.csv, row 2",
        "craft-001 has 2 texts as the machine wrote, which nobody has confirmed",
        "templates that are not kept are passed",
        {"unconfirmed": {"craft-001": 2, **ELSEWHERE}},
    ),
    (
        "release-not-asked warning: bank.csv, row 2",
        "craft-001 has 1 text as the machine wrote, which nobody was asked to confirm when they "
        "were collected",
        "it cannot be known",
        {"unasked": {"craft-001": 1, **ELSEWHERE}},
    ),
    (
        "release-without-samples error: bank.csv, row 2, column names",
        "craft-001 is not translated, or waits for surveyed groups",
        "only a retained one",
        {"waiting": ("craft-001", "craft-002")},
    ),
    (
        "release-without-samples error: bank.csv",
        "no template is retained, so there is nothing to release",
        "nothing",
        {"retained": frozenset()},
    ),
    (
        "release-unfinished error: bank, row 2, craft-001a",
        "the list of slot N1 is empty",
        "in the words of the error",
        {"problems": (UNFILLED,)},
    ),
    (
        "release-settings error: culture.yaml, column survey",
        "changed since the last 'curate filter' decided: stereotype_share (3/4 → 2/3)",
        "the threshold that changed",
        {"decided_with": DECIDED},
    ),
    (
        "release-reference error: bank.csv, row 2, column reference",
        "craft-001 is newly created and has no reference",
        "a new stereotype is documented",
        {"pairs": [NEW]},
    ),
    (
        "release-reference-modified warning: bank.csv, row 2, column reference",
        "",
        "the new target too",
        {"pairs": [MODIFIED]},
    ),
    (
        "release-licence error: culture.yaml, column release.licence",
        "'CC BY 4.0' is not an SPDX identifier that the toolkit knows",
        "no identifier",
        {"release": {"licence": "CC BY 4.0"}},
    ),
    (
        "release-source-unknown error: bank.csv, row 2, column source",
        "source 'invented' (first in craft-001) has no record of its licence",
        "no record",
        {"sources": {}},
    ),
    (
        "release-source-unknown error: bank.csv, row 2, column source",
        "source 'invented' (first in craft-001) has no record of its licence",
        "an empty record",
        {"sources": terms("")},
    ),
    (
        "release-source-unknown error: bank.csv, row 2, column source",
        "source 'invented' (first in craft-001) states no licence, so nothing derived from it may "
        "be published",
        "an address without licence",
        {"sources": terms("", "A. Maker", "https://example.org")},
    ),
    (
        "release-source-unknown error: bank.csv, row 2, column source",
        "source 'invented' (first in craft-001) is under 'none stated', which is not a licence "
        "that the toolkit knows",
        "an unknown licence",
        {"sources": terms("none stated")},
    ),
    (
        "release-source-unknown error: bank.csv, row 2, column source",
        "craft-001 has the source_id of a template and names no source",
        "an id in a source is no text of one's own",
        {"pairs": [{"source": ""}]},
    ),
    (
        "release-source-terms error: bank.csv, row 4, column source",
        "source 'other' (first in craft-002): ODbL-1.0 asks that what is derived carries ODbL-1.0",
        "share-alike of two kinds cannot both be met",
        {
            "pairs": [{}, {"source": "other"}],
            "retained": BOTH,
            "release": {"licence": "CC-BY-SA-4.0"},
            "sources": {
                "invented": Licence("CC-BY-SA-4.0", "Somebody", "there"),
                "other": Licence("ODbL-1.0", "Somebody", "there"),
            },
        },
    ),
    (
        "release-attribution error: bank.csv, row 2, column source",
        "source 'invented' is under CC-BY-4.0 and has no holder",
        "who is to be named",
        {"sources": terms("CC-BY-4.0", "", "https://example.org")},
    ),
    (
        "release-attribution error: bank.csv, row 2, column source",
        "source 'invented' is under CC-BY-4.0 and has no address",
        "and where",
        {"sources": terms("CC-BY-4.0", "Somebody", " ")},
    ),
    (
        "release-personal-data error: culture.yaml, row 5",
        "the text holds what looks like an e-mail address",
        "an address that is not the contact",
        {"outgoing": (CONTACT,)},
    ),
    (
        "release-annotator-name warning: bank.csv, row 2, column note",
        "the text holds the name of somebody who annotated or translated",
        "without the name",
        {"outgoing": (NOTE,), "annotators": LEE},
    ),
    (
        "release-annotator-name warning: bank.csv, row 2, column note",
        "",
        "in a script without spaces",
        {"outgoing": (NOTE,), "annotators": frozenset({"김민수"})},
    ),
    *(
        (
            f"release-incomplete error: culture.yaml, column release.{key}",
            "",
            "every key by its name",
            {"release": {key: empty}},
        )
        for key, empty in {
            **{"title": "", "description": "", "licence": "", "authors": [], "date": None}
        }.items()
    ),
    *(
        (
            f"release-incomplete error: culture.yaml, column release.survey.{key}",
            "",
            "a survey says whom it asked and when",
            {"release": {"survey": {**SURVEY, key: None if key != "population" else ""}}},
        )
        for key in SURVEY
    ),
    (
        "release-canary error: culture.yaml, column release.canary",
        "the release has no canary",
        "the data could not be kept out of training sets",
        {"release": {"canary": ""}},
    ),
    (
        "release-canary error: culture.yaml, column release.canary",
        "the canary is not that of the last release",
        "who filters knows the published one",
        {"canary_before": "fedcba9876543210"},
    ),
    (
        "release-version error: culture.yaml, column version",
        "version 0.1 was released with 80 different samples",
        "a version keeps its samples",
        {"releases": (recorded(samples_sha256="zz"), recorded("0.2"))},
    ),
    (
        "release-version error: culture.yaml, column version",
        "version 0.1 was released with 96 samples, not these 80 samples",
        "another number; the test set follows and is not said too",
        {"releases": (recorded(samples_sha256="zz", test_samples_sha256="zz", samples=96),)},
    ),
    (
        "release-test-set error: culture.yaml, column samples.seed",
        "the test set of version 0.1 was drawn with seed 7, and is now a different one (seed 42)",
        "drawn once",
        {"releases": (recorded(test_samples_sha256="zz", seed=7),)},
    ),
    *(
        (
            "release-version error: culture.yaml, column version",
            f"version {now} is lower than {last}, which was released last",
            "numbers are compared, not letters",
            {"releases": (recorded(last, samples_sha256="zz"),), "culture": {"version": now}},
        )
        for now, last in (("0.9", "0.10"), ("1", "1.0.1"))
    ),
    *(
        (
            "release-version error: culture.yaml, column version",
            f"version '{name}' cannot be in the name of a file",
            "refused before a release is made",
            {"culture": {"version": name}},
        )
        for name in ("1/2", "..", "", "1 beta", ".1")
    ),
]
SILENT: list[tuple[str, dict[str, Any]]] = [
    ("all is there", {}),
    (
        "readers are told why comprehension was not asked",
        {
            "release": {"survey": {**SURVEY, "comprehension": "The counts have none."}},
            "untested": ("craft-001",),
        },
    ),
    ("without a survey no threshold decided", {"decided_with": DECIDED, "has_survey": False}),
    ("nor were people asked", {"release": {"survey": {}}, "has_survey": False}),
    ("a new template with a reference", {"pairs": [{**NEW, "reference": "A book"}]}),
    ("a new template that is excluded", {"pairs": [{}, NEW]}),
    ("a survey documents a target", {"pairs": [MODIFIED], "surveyed": frozenset({"craft-001"})}),
    ("or a reference does", {"pairs": [{**MODIFIED, "reference": "A book"}]}),
    ("an excluded template has an unknown source", {"pairs": [{}, {"source": "other"}]}),
    ("the public domain asks for no names", {"sources": terms("CC0-1.0")}),
    (
        "the address for questions is published on purpose",
        {"outgoing": (CONTACT,), "release": {"contact": "team@example.org"}},
    ),
    (
        "parts of words and other orders are no names",
        {"outgoing": (NOTE,), "annotators": frozenset({"Lee Ann", "doub", "민수"})},
    ),
    (
        "authors are named by their own wish",
        {
            "release": {"authors": [{"family": "Lee", "given": "Ann"}]},
            "outgoing": (NOTE,),
            "annotators": LEE,
        },
    ),
    ("the canary is that of before", {"canary_before": "0123456789abcdef"}),
    ("the same samples again", {"releases": (recorded(), recorded("0.2", samples_sha256="zz"))}),
    (
        "another version, another test set",
        {"releases": (recorded("0.0", test_samples_sha256="z"),)},
    ),
    *(
        (
            "a higher version, or one without order",
            {"releases": (recorded(last, samples_sha256="zz"),), "culture": {"version": now}},
        )
        for now, last in (("0.10", "0.9"), ("1-rc", "2"))
    ),
]


def test_what_stops_a_release_is_said_at_its_place(make: Any) -> None:
    """Every rule of a release, alone."""
    for wanted, message, why, changes in SPEAKS:
        found = run(subject(make, **changes), RELEASE)
        assert [f"{item.rule} {item.severity.value}: {item.where}" for item in found] == [wanted], (
            why
        )
        assert message in ("", found[0].message), why
        assert found[0].hint
    assert {f"{rule.id} {rule.severity.value}" for rule in RELEASE} == {
        wanted.partition(":")[0] for wanted, _, _, _ in SPEAKS
    }


def test_what_does_not_stop_a_release(make: Any) -> None:
    """Nothing is said."""
    for why, changes in SILENT:
        assert run(subject(make, **changes), RELEASE) == [], why


def test_hints_are_those_of_the_case(make: Any) -> None:
    """What was meant, and what a changed file needs."""
    hints = [
        run(subject(make, **changes), RELEASE)[0].hint
        for changes in (
            {"stale": (STALE,)},
            {"release": {"licence": "CC BY 4.0"}},
            {"release": {"licence": "mine"}},
        )
    ]
    assert hints[:2] == ["put it back", "write it CC-BY-4.0"]
    assert hints[2].startswith("write one of CC0-1.0, ")


@pytest.mark.parametrize(
    ("source", "release", "why"),
    [
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
    ],
)
def test_terms_go_together_or_stop_a_release(
    make: Any, source: str, release: str, why: str
) -> None:
    """With the reason."""
    sources = terms(source, "Somebody", "there")
    found = run(subject(make, sources=sources, release={"licence": release}), RELEASE)
    assert [(item.rule, item.message) for item in found] == (
        [("release-source-terms", f"source 'invented' (first in craft-001): {source} {why}")]
        if why
        else []
    )


@pytest.mark.parametrize(
    ("text", "what"),
    [
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
    ],
)
def test_who_can_be_reached_is_found_and_references_are_not(
    make: Any, text: str, what: str
) -> None:
    """The finding says where, not whom."""
    note = Cell("bank.csv", 2, "note", text)
    respondents = frozenset({"panel-00417", "r1"})
    found = run(subject(make, outgoing=(note,), respondents=respondents), RELEASE)
    assert [(item.rule, item.message) for item in found] == (
        [("release-personal-data", f"the text holds what looks like {what}")] if what else []
    )
