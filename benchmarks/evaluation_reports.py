"""`curate evaluate report` of 5, 12 and 20 models: building it, its size, its pages on paper."""

import json
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measure import curate, once, report, side_by_side
from curation.files.writers import write_table
from curation.records.sample import SAMPLE_COLUMNS, Sample

MODELS = (
    *("acme/Kiln-2-7B-Instruct", "acme/Kiln-2-13B-Instruct", "acme/Kiln-2-70B-Instruct"),
    *("basalt-mini-2026-01", "basalt-2026-01", "basalt-large-2026-01", "Cobalt-3.5-Haiku"),
    *("Cobalt-3.5-Ode", "Cobalt-4-Ode", "delta-9b-it", "delta-27b-it", "Ember-1.5-8B"),
    *("Ember-1.5-32B", "Ember-2-8B", "fjord-small", "fjord-medium", "fjord-large-preview"),
    *("granite-ko-2.4b", "granite-ko-7.8b", "harbour-v3"),
)
"""Invented names, as long and as alike as those of real models."""
CATEGORIES = (
    *("Age", "Disability Status", "Domestic Area of Origin", "Educational Background"),
    *("Family Structure", "Gender Identity", "Physical Appearance", "Political Orientation"),
    *("Race, Ethnicity and Nationality", "Religion", "Sexual Orientation", "Socio-Economic Status"),
)
"""As many as KoBBQ has, and as long."""
REQUESTS = 34_200
"""Of KoBBQ's test set to each model: 2,280 samples x 5 prompts x 3 orders."""
_TEMPLATES = 285
_UNKNOWN = "Cannot be determined"
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_SIZE = 2.0  # MB of everything that the page shows
_PAGES = 15


def run() -> list[str]:
    """Measure whole commands beside `score`, which reads and counts the same replies."""
    lines: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        for count in (5, 12, 20):
            lines += _measured(Path(name) / str(count), count)
    return lines


def _measured(folder: Path, count: int) -> Iterator[str]:
    where = write_study(folder, MODELS[:count])
    out = folder / "report"
    built, scored = side_by_side(
        curate("evaluate", "report", *where, "--out", str(out)),
        curate("evaluate", "score", *where, "--out", str(folder / "scores"), "--json"),
        runs=1 if count > 5 else 3,
    )
    note = f"{built.median:.1f} s / {scored.median:.1f} s"
    title = f"report of {count} models x {REQUESTS:,} replies / score"
    yield report(title, built.median / scored.median, 3, "x", note)
    page = out / "report.html"
    yield report("  its page", page.stat().st_size / 1e6, _SIZE, "MB")
    printed = pages_of(page)
    if printed is None:
        print("evaluation reports: no playwright or no browser, the page was not printed")
    else:
        yield report("  its pages on paper", printed, _PAGES, "")


def pages_of(page: Path) -> int | None:
    """How many pages of A4 a browser prints; None where there is no browser."""
    path = next(filter(None, map(shutil.which, _BROWSERS)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    if path is None:
        return None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        opened = browser.new_page()
        opened.goto(page.as_uri())
        printed = opened.pdf(format="A4", prefer_css_page_size=False)
        browser.close()
    return printed.count(b"/Type /Page\n")


def write_study(
    folder: Path, models: Sequence[str], templates: int = _TEMPLATES, prompts: int = 5
) -> tuple[str, ...]:
    """Write a workspace whose models replied to everything.

    Args:
        folder: Where to.
        models: Their names; each has an ability and a bias of its own, seeded by the name.
        templates: How many, in as many categories as there are.
        prompts: How many of the five bundled prompts.

    Returns:
        The options that `score` and `report` are given.
    """
    folder.mkdir(parents=True)
    (folder / "culture.yaml").write_text(
        "culture: Study\nlanguage: en\nversion: '1'\nunknown: U\n", "utf-8"
    )
    samples, requests, replies = (
        folder / name for name in ("samples.csv", "requests.jsonl", "replies.jsonl")
    )
    write_table(samples, "csv", SAMPLE_COLUMNS, _samples(templates))
    chosen = [part for at in range(1, prompts + 1) for part in ("--prompt", str(at))]
    where = ("-w", str(folder), "--samples", str(samples))
    once(curate("evaluate", "prepare", *where, *chosen, "--out", str(requests)))
    with requests.open(encoding="utf-8") as asked:
        read = [json.loads(line) for line in asked]
    known = {item.sample_id: item for item in _samples(templates)}
    with replies.open("w", encoding="utf-8") as out:
        for name in models:
            out.writelines(_replies(name, read, known))
    return (*where, "--requests", str(requests), "--replies", str(replies))


def _samples(templates: int) -> Iterator[Sample]:
    for number in range(1, templates + 1):
        for variant in "ab":
            yield from _filled(number, variant)


def _filled(number: int, variant: str) -> Iterator[Sample]:
    category = CATEGORIES[number % len(CATEGORIES)]
    template = f"{category.split()[0].split('-')[0].strip(',').lower()}-{number:03d}"
    target, other = f"the potter {number}", f"the weaver {number}"
    first, second = (other, target) if variant == "a" else (target, other)
    for context in ("amb", "dis"):
        for question, asked in (("bsd", first), ("cnt", second)):
            biased = question == "bsd"
            yield Sample(
                sample_id=f"{template}{variant}-001-{context}-{question}",
                template_id=template,
                variant=variant,
                category=category,
                label=("ST", "TM", "NC")[number % 3],
                stereotype="Potters like clay more than anybody else does.",
                context=f"{first} and {second} came to the market.",
                question="Who bought the clay?" if biased else "Who sold it?",
                context_type=context,
                question_type=question,
                choices=(first, second, _UNKNOWN),
                biased_answer=target if biased else other,
                answer=_UNKNOWN if context == "amb" else asked,
                n1_group="weavers",
                n2_group="potters",
                source_id="",
                source_category="",
            )


def _replies(
    model: str, requests: Sequence[dict[str, Any]], samples: Mapping[str, Sample]
) -> Iterator[str]:
    """What a model replies: right, or leaning to one person, by template more or less."""
    draw = random.Random(model)  # noqa: S311  # a seeded model
    ability, bias, unread = draw.uniform(0.55, 0.97), draw.gauss(0.15, 0.2), draw.random() / 25
    leaning: dict[str, float] = {}
    for request in requests:
        item = samples[request["sample_id"]]
        if item.template_id not in leaning:
            own = random.Random(item.template_id).gauss(0.0, 0.5)  # noqa: S311  # the same for all
            leaning[item.template_id] = min(max(0.5 + bias + own * bias, 0.0), 1.0)
        if draw.random() < unread:
            reply = "Both of them."
        else:
            unknown = next(text for text in request["choices"] if text not in item.choices[:2])
            said = unknown if item.context_type == "amb" else item.answer
            if draw.random() > ability:
                is_biased = draw.random() < leaning[item.template_id]
                people = item.choices[:2]
                other = people[1 - people.index(item.biased_answer)]
                said = item.biased_answer if is_biased else other
            reply = "ABC"[request["choices"].index(said)]
        value = {"request_id": request["request_id"], "model": model, "reply": reply}
        yield json.dumps(value) + "\n"


if __name__ == "__main__":
    sys.exit(any("MISSED" in line for line in run()))
