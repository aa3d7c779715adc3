"""The rules on what a workspace says of its language."""

from dataclasses import replace
from pathlib import Path

from curation.checks.catalogue import run
from curation.languages import Language, load
from curation.languages.parts import PARTS


def found(make, text, code="qaa"):
    """Apply every rule to a workspace whose file of its language says something."""
    file = Path("workspace/languages") / f"{code}.yaml"
    language = Language(code, load(code).folder, file, text)
    findings = run(replace(make.subject(make.pair()), language=language))
    assert all(finding.hint for finding in findings)
    return [
        (item.rule, item.severity.value, item.where, item.message)
        for item in findings
        if item.rule.startswith("language-")
    ]


def test_a_part_with_an_error_is_found(make):
    """With the line and the key, once for each part."""
    (first, *_) = found(make, "survey:\n  titel: x\n  intr: y\n", "ko")
    assert first == (
        "language-part-wrong",
        "error",
        "languages/ko.yaml, row 2, column survey",
        "survey.titel: there is no such setting",
    )


def test_a_part_that_is_begun_is_found(make):
    """With how many texts it lacks, and the first of them."""
    assert found(make, "prompts:\n  prompts:\n    - id: a\n      unknown: x\n", "ko") == [
        (
            "language-part-open",
            "warning",
            "languages/ko.yaml, column prompts",
            "still to be written: 1 text: prompts.a.layout",
        )
    ]


def test_parts_that_nobody_has_written_are_found(make):
    """Each with what it is for; nothing where the toolkit has what every language needs."""
    said = found(make, "# nothing")
    assert {rule for rule, *_ in said} == {"language-part-missing"}
    assert [place for _, _, place, _ in said] == sorted(
        f"languages/qaa.yaml, column {name}" for name in PARTS
    )
    assert (
        "language-part-missing",
        "info",
        "languages/qaa.yaml, column prompts",
        "nothing is written of it; it is for curate evaluate prepare: how models are asked",
    ) in said
    assert found(make, "# nothing", "ja") == []
