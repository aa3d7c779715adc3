"""The rules on a release."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from curation.checks.catalogue import RELEASE, run
from curation.checks.subject import Cell, ReleaseFacts, StaleInput, Subject
from curation.records.bank import Label
from curation.records.culture import Culture, Release, ReleaseSettings, SampleDigest
from curation.records.errors import CurateError
from curation.records.licences import Licence

SETTINGS: dict[str, Any] = {
    "title": "CraftBBQ",
    "description": "Invented.",
    "licence": "CC-BY-4.0",
    "authors": [{"name": "Somebody"}],
    "date": "2026-01-01",
    "canary": "0123456789abcdef",
    "survey": {"population": "adults", "began": "2025-01-01", "ended": "2025-01-02"},
}
DIGEST = SampleDigest(80, 8, "aa", "bb", 42)
FACTS = ReleaseFacts(
    retained=frozenset({"craft-001"}),
    sources={"invented": Licence("MIT", "Somebody", "https://example.org")},
    has_survey=True,
    digest=DIGEST,
)
Found = list[tuple[str, str, str, str]]


@pytest.fixture
def recorded() -> Callable[..., Release]:
    """Make a release of the samples, or of others."""

    def make(version: str = "0.1", **changes: Any) -> Release:
        fields = {"version": version, "date": "2026-01-01", "samples": 80, "test_samples": 8}
        hashes = {"samples_sha256": "aa", "test_samples_sha256": "bb", "manifest_sha256": "cc"}
        others = {"data_format": 1, "tool_version": "0.1.0", "seed": 42}
        return Release(**{**fields, **hashes, **others, **changes})

    return make


@pytest.fixture
def subject(make: Any) -> Callable[..., Subject]:
    """Make a subject: changes are of the settings of the release, or of the facts."""

    def of(
        variants: Any = None,
        release: dict[str, Any] | None = None,
        culture: dict[str, Any] | None = None,
        **facts: Any,
    ) -> Subject:
        made = make.subject(make.pair() if variants is None else variants)
        settings = ReleaseSettings.model_validate({**SETTINGS, **(release or {})})
        changed: Culture = made.culture.model_copy(update={"release": settings, **(culture or {})})
        return replace(made, culture=changed, release=replace(FACTS, **facts))

    return of


@pytest.fixture
def found(subject: Callable[..., Subject]) -> Callable[..., Found]:
    """What the rules of a release find: rule, severity, place and message."""

    def of(*args: Any, **changes: Any) -> Found:
        return [
            (item.rule, item.severity.value, item.where, item.message)
            for item in run(subject(*args, **changes), RELEASE)
        ]

    return of


# release-undecided


def test_an_undecided_template_stops_a_release(found):
    """With the reason."""
    assert found(undecided={"craft-001": "its stereotype was not asked about"}) == [
        (
            "release-undecided",
            "error",
            "bank.csv, row 2",
            "craft-001 is undecided: its stereotype was not asked about",
        )
    ]


# release-stale


def test_a_file_that_changed_since_it_was_read_stops_a_release(found, subject):
    """With the file, the command that read it and what to do."""
    item = StaleInput("responses/questionnaire.csv", "has changed", "curate filter", "put it back")
    assert found(stale=(item,)) == [
        (
            "release-stale",
            "error",
            "responses/questionnaire.csv",
            "responses/questionnaire.csv has changed since the last 'curate filter'",
        )
    ]
    (one,) = run(subject(stale=(item,)), RELEASE)
    assert one.hint == "put it back"


# release-comprehension


def test_comprehension_is_asked_or_readers_are_told_why_not(found):
    """Of some templates or one; a word in the settings is enough."""
    (one,) = found(untested=("craft-001",))
    assert one == (
        "release-comprehension",
        "error",
        "culture.yaml, column release.survey.comprehension",
        "comprehension was not asked of 1 kept template (craft-001)",
    )
    ((*_, message),) = found(untested=("craft-001", "craft-002"))
    assert message == "comprehension was not asked of 2 kept templates (craft-001 first)"
    told = {"survey": {**SETTINGS["survey"], "comprehension": "The published counts have none."}}
    assert found(release=told, untested=("craft-001",)) == []


# release-unconfirmed, release-not-asked


def test_machine_text_is_released_when_somebody_answers_for_it(found):
    """Nobody's stops it; where nobody was asked is said. Templates that are not kept are passed."""
    elsewhere = {"craft-009": 3}
    assert found(unconfirmed={"craft-001": 2, **elsewhere}) == [
        (
            "release-unconfirmed",
            "error",
            "bank.csv, row 2",
            "craft-001 has 2 texts as the machine wrote, which nobody has confirmed",
        )
    ]
    (asked,) = found(unasked={"craft-001": 1, **elsewhere})
    assert asked[:2] == ("release-not-asked", "warning")
    assert "1 text as the machine wrote, which nobody was asked" in asked[3]


def test_what_is_ready_has_no_findings(found):
    """No rule of a release fires where nothing is wrong."""
    assert found() == []


# release-without-samples


def test_a_template_that_waits_stops_a_release(found):
    """Only where it is retained."""
    assert found(waiting=("craft-001", "craft-002")) == [
        (
            "release-without-samples",
            "error",
            "bank.csv, row 2, column names",
            "craft-001 is not translated, or waits for surveyed groups",
        )
    ]


def test_nothing_cannot_be_released(found):
    """Where no template is retained."""
    assert found(retained=frozenset()) == [
        (
            "release-without-samples",
            "error",
            "bank.csv",
            "no template is retained, so there is nothing to release",
        )
    ]


# release-unfinished


def test_what_cannot_be_worked_out_stops_a_release(found):
    """In the words of the error, at its place."""
    error = CurateError("the list of slot N1 is empty", "bank, row 2, craft-001a", "fill it")
    assert found(problems=(error,)) == [
        (
            "release-unfinished",
            "error",
            "bank, row 2, craft-001a",
            "the list of slot N1 is empty",
        )
    ]


# release-settings


DECIDED = {"stereotype_share": Fraction(3, 4), "comprehension_share": Fraction(1, 2)}


def test_thresholds_that_did_not_decide_are_not_published(subject):
    """The settings are named."""
    (item,) = run(replace(subject(), decided_with=DECIDED), RELEASE)
    assert (item.rule, item.severity.value, item.where) == (
        *("release-settings", "error"),
        "culture.yaml, column survey",
    )
    assert item.message == (
        "changed since the last 'curate filter' decided: stereotype_share (3/4 → 2/3)"
    )


def test_without_a_survey_no_threshold_decided(subject):
    """Nothing is compared."""
    assert run(replace(subject(has_survey=False), decided_with=DECIDED), RELEASE) == []


# release-reference


NEW = {"label": Label.NEWLY_CREATED, "source": "", "source_id": ""}


def test_a_new_template_without_reference_stops_a_release(found, make):
    """At its first variant."""
    assert found(make.pair(**NEW)) == [
        (
            "release-reference",
            "error",
            "bank.csv, row 2, column reference",
            "craft-001 is newly created and has no reference",
        )
    ]


def test_a_reference_or_being_out_is_enough(found, make):
    """An excluded template needs none."""
    assert found(make.pair(**NEW, reference="A book")) == []
    assert found([*make.pair(), *make.pair("craft-002", **NEW)]) == []


# release-reference-modified


def test_a_modified_target_that_nothing_documents_is_said(found, make):
    """It does not stop a release."""
    (item,) = found(make.pair(label=Label.TARGET_MODIFIED))
    assert item[:3] == (
        *("release-reference-modified", "warning"),
        "bank.csv, row 2, column reference",
    )
    assert "the target of craft-001 was changed" in item[3]


def test_a_survey_among_all_groups_documents_it(found, make):
    """And so does a reference."""
    modified = make.pair(label=Label.TARGET_MODIFIED)
    assert found(modified, surveyed=frozenset({"craft-001"})) == []
    assert found(make.pair(label=Label.TARGET_MODIFIED, reference="A book")) == []


# release-licence


@pytest.mark.parametrize(
    ("name", "hint"),
    [("CC BY 4.0", "write it CC-BY-4.0"), ("mine", "write one of CC0-1.0, ")],
)
def test_a_licence_that_is_no_known_identifier_stops_a_release(subject, name, hint):
    """What was probably meant is said."""
    (item,) = run(subject(release={"licence": name}), RELEASE)
    assert (item.rule, item.severity.value, item.where) == (
        *("release-licence", "error"),
        "culture.yaml, column release.licence",
    )
    assert item.message == f"'{name}' is not an SPDX identifier that the toolkit knows"
    assert item.hint.startswith(hint)


# release-source-unknown


@pytest.mark.parametrize(
    ("sources", "what"),
    [
        ({}, "has no record of its licence"),
        ({"invented": Licence("")}, "has no record of its licence"),
        (
            {"invented": Licence("", "A. Maker", "https://example.org")},
            "states no licence, so nothing derived from it may be published",
        ),
        (
            {"invented": Licence("none stated")},
            "is under 'none stated', which is not a licence that the toolkit knows",
        ),
    ],
)
def test_a_source_of_unknown_terms_stops_a_release(found, sources, what):
    """Said once, at its first template."""
    assert found(sources=sources) == [
        (
            "release-source-unknown",
            "error",
            "bank.csv, row 2, column source",
            f"source 'invented' (first in craft-001) {what}",
        )
    ]


def test_only_retained_templates_count(found, make):
    """An excluded template takes nobody's text into the release."""
    assert found([*make.pair(), *make.pair("craft-002", source="other")]) == []


def test_what_was_taken_names_its_source(found, make):
    """An id in a source is no text of one's own; said once, at the first variant."""
    assert found(make.pair(source="")) == [
        (
            "release-source-unknown",
            "error",
            "bank.csv, row 2, column source",
            "craft-001 has the source_id of a template and names no source",
        )
    ]


# release-source-terms


@pytest.mark.parametrize(
    ("source", "release", "why"),
    [
        ("CC-BY-SA-4.0", "CC-BY-4.0", "asks that what is derived carries CC-BY-SA-4.0"),
        ("CC-BY-SA-4.0", "CC-BY-NC-SA-4.0", "asks that what is derived carries CC-BY-SA-4.0"),
        ("CC-BY-NC-4.0", "CC-BY-4.0", "forbids commercial use, which CC-BY-4.0 allows"),
        ("CC-BY-ND-4.0", "CC-BY-4.0", "does not allow derived texts to be published"),
        ("CC-BY-4.0", "CC0-1.0", "asks that its creators are named, which CC0-1.0 gives up"),
    ],
)
def test_terms_that_do_not_go_together_stop_a_release(found, source, release, why):
    """With the reason."""
    sources = {"invented": Licence(source, "Somebody", "there")}
    (item,) = found(sources=sources, release={"licence": release})
    assert item == (
        *("release-source-terms", "error", "bank.csv, row 2, column source"),
        f"source 'invented' (first in craft-001): {source} {why}",
    )


@pytest.mark.parametrize(
    ("source", "release"),
    [
        ("MIT", "CC-BY-SA-4.0"),
        ("CC-BY-4.0", "CC-BY-NC-SA-4.0"),
        ("CC-BY-SA-4.0", "CC-BY-SA-4.0"),
        ("CC-BY-SA-3.0", "CC-BY-SA-4.0"),
        ("CC0-1.0", "CC0-1.0"),
    ],
)
def test_terms_that_go_together_pass(found, source, release):
    """Nothing is said."""
    sources = {"invented": Licence(source, "Somebody", "there")}
    assert found(sources=sources, release={"licence": release}) == []


def test_share_alike_of_two_kinds_cannot_both_be_met(found, make):
    """One of the sources has to go."""
    sources = {
        "invented": Licence("CC-BY-SA-4.0", "Somebody", "there"),
        "other": Licence("ODbL-1.0", "Somebody", "there"),
    }
    variants = [*make.pair(), *make.pair("craft-002", source="other")]
    both = frozenset({"craft-001", "craft-002"})
    for licence, refused in (("CC-BY-SA-4.0", "'other'"), ("ODbL-1.0", "'invented'")):
        (item,) = found(variants, sources=sources, retained=both, release={"licence": licence})
        assert refused in item[3]


# release-attribution


@pytest.mark.parametrize(
    ("terms", "lacking"),
    [
        (Licence("CC-BY-4.0", "", "https://example.org"), "holder"),
        (Licence("CC-BY-4.0", "Somebody", " "), "address"),
    ],
)
def test_who_is_to_be_named_has_to_be_known(found, terms, lacking):
    """Name and address."""
    assert found(sources={"invented": terms}) == [
        (
            "release-attribution",
            "error",
            "bank.csv, row 2, column source",
            f"source 'invented' is under CC-BY-4.0 and has no {lacking}",
        )
    ]


def test_the_public_domain_asks_for_no_names(found):
    """Its creators gave that up."""
    assert found(sources={"invented": Licence("CC0-1.0")}) == []


# release-personal-data


def note(text):
    """Make a note of the bank."""
    return Cell("bank.csv", 2, "note", text)


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
    ],
)
def test_what_names_somebody_stops_a_release_and_is_not_repeated(found, text, what):
    """The finding says where, not whom."""
    ids = frozenset({"panel-00417"})
    assert found(outgoing=(note(text),), respondents=ids) == [
        (
            "release-personal-data",
            "error",
            "bank.csv, row 2, column note",
            f"the text holds what looks like {what}",
        )
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Kim 2020, pp. 123-145; doi 10.1162/tacl_a_00661",
        "ISBN 978-3-16-148410-0, ISSN 1234-5678",
        "https://news.example.org/5f4dcc3b5aa765d61d8327de?mail=a@b.org",
        "orcid: 0000-0002-1825-0097",
        "version 1.2.3, 2026-01-01, ABCDEFGHIJKLMN",
        "r1 said so",
    ],
)
def test_references_are_not_taken_for_people(found, text):
    """Numbers of books and papers, addresses of pages, short ids that could be words."""
    assert found(outgoing=(note(text),), respondents=frozenset({"r1"})) == []


def test_the_address_for_questions_is_meant_to_be_read(found):
    """It is published on purpose."""
    line = Cell("culture.yaml", 5, "", "contact: team@example.org")
    assert found(outgoing=(line,), release={"contact": "team@example.org"}) == []
    assert len(found(outgoing=(line,))) == 1


# release-annotator-name


NOTE = Cell("bank.csv", 2, "note", "Ann Lee, and 김민수, were in doubt")


def test_the_name_of_an_annotator_is_said(found):
    """Without the name."""
    for name in ("Ann Lee", "김민수"):
        assert found(outgoing=(NOTE,), annotators=frozenset({name})) == [
            (
                "release-annotator-name",
                "warning",
                "bank.csv, row 2, column note",
                "the text holds the name of somebody who annotated or translated",
            )
        ]


def test_a_part_of_a_word_is_no_name(found):
    """Nor is a name that is not there."""
    assert found(outgoing=(NOTE,), annotators=frozenset({"Lee Ann", "doub", "민수"})) == []


def test_authors_are_named_by_their_own_wish(found):
    """They sign the release."""
    authors = [{"family": "Lee", "given": "Ann"}]
    facts = {"outgoing": (NOTE,), "annotators": frozenset({"Ann Lee"})}
    assert found(release={"authors": authors}, **facts) == []


# release-incomplete


@pytest.mark.parametrize(
    ("key", "empty"),
    [("title", ""), ("description", ""), ("licence", ""), ("authors", []), ("date", None)],
)
def test_what_a_release_does_not_say_of_itself_is_named_by_its_key(found, key, empty):
    """With the reason why it has to."""
    (item,) = found(release={key: empty})
    assert item[:3] == (
        *("release-incomplete", "error"),
        f"culture.yaml, column release.{key}",
    )
    assert item[3].startswith(f"release.{key} is not written: ")


def test_a_survey_says_whom_it_asked_and_when(found):
    """Where there was one."""
    keys = [item[2] for item in found(release={"survey": {}})]
    assert keys == [
        f"culture.yaml, column release.survey.{k}" for k in ("began", "ended", "population")
    ]
    assert found(release={"survey": {}}, has_survey=False) == []


# release-canary


def test_a_release_without_canary_is_stopped(found):
    """The data could not be kept out of training sets."""
    assert found(release={"canary": ""}) == [
        (
            "release-canary",
            "error",
            "culture.yaml, column release.canary",
            "the release has no canary",
        )
    ]


def test_the_canary_stays_what_it_was(found):
    """Who filters training data knows the one that was published."""
    assert found(canary_before="0123456789abcdef") == []
    assert found(canary_before="fedcba9876543210") == [
        (
            "release-canary",
            "error",
            "culture.yaml, column release.canary",
            "the canary is not that of the last release",
        )
    ]


# release-version


def test_a_version_keeps_its_samples(found, recorded):
    """Others need another version."""
    assert found(releases=(recorded(samples_sha256="zz"), recorded("0.2"))) == [
        (
            "release-version",
            "error",
            "culture.yaml, column version",
            "version 0.1 was released with 80 different samples",
        )
    ]
    (item,) = found(releases=(recorded(samples_sha256="zz", samples=96),))
    assert item[3] == "version 0.1 was released with 96 samples, not these 80 samples"


def test_the_same_samples_may_be_released_again(found, recorded):
    """With another card, say."""
    assert found(releases=(recorded(), recorded("0.2", samples_sha256="zz"))) == []


@pytest.mark.parametrize(
    ("version", "last", "below"),
    [("0.9", "0.10", True), ("0.10", "0.9", False), ("1", "1.0.1", True), ("1-rc", "2", False)],
)
def test_a_version_is_raised_and_not_lowered(found, recorded, version, last, below):
    """Numbers are compared, not letters."""
    releases = (recorded(last, samples_sha256="zz"),)
    items = found(releases=releases, culture={"version": version})
    expected = f"version {version} is lower than {last}, which was released last"
    assert [item[3] for item in items] == ([expected] if below else [])


@pytest.mark.parametrize("version", ["1/2", "..", "", "1 beta", ".1"])
def test_a_version_stands_in_names_of_files(found, version):
    """Others are refused before a release of any is made."""
    (item,) = found(culture={"version": version})
    assert item[0] == "release-version"
    assert item[3] == f"version '{version}' cannot be in the name of a file"


# release-test-set


def test_the_test_set_of_a_version_is_drawn_once(found, recorded):
    """Another seed asks for another version."""
    assert found(releases=(recorded(test_samples_sha256="zz", seed=7),)) == [
        (
            "release-test-set",
            "error",
            "culture.yaml, column samples.seed",
            "the test set of version 0.1 was drawn with seed 7, and is now a different one (seed "
            "42)",
        )
    ]


def test_another_version_may_have_another_test_set(found, recorded):
    """As it may have other samples."""
    assert found(releases=(recorded("0.0", test_samples_sha256="zz"),)) == []


def test_other_samples_are_said_once(found, recorded):
    """By the rule on versions."""
    items = found(releases=(recorded(samples_sha256="yy", test_samples_sha256="zz"),))
    assert [item[0] for item in items] == ["release-version"]
