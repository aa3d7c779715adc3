"""A benchmark that may be released, and ways to spoil it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from curation.checks.base import Subject
from curation.checks.catalogue import RELEASE, run
from curation.checks.release.facts import ReleaseFacts
from curation.model.culture import Culture
from curation.model.licences import Licence
from curation.model.release import ReleaseSettings
from curation.model.released import Release, SampleDigest

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
    left=frozenset({"craft-001"}),
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
    """Give what the rules of a release find: rule, severity, place and message."""

    def of(*args: Any, **changes: Any) -> Found:
        return [
            (item.rule, item.severity.value, item.where, item.message)
            for item in run(subject(*args, **changes), RELEASE)
        ]

    return of
