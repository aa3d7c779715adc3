"""How quickly the page of `curate browse` is written, opens and filters, and how large it is.

Writing is measured against an export of the same samples, both as whole processes.

Two pages of the published templates, repeated under new numbers: one with all samples of KoBBQ,
and one with 5,000 templates. Their times are those of the browser alone, by its own clock: from
the start of loading to the first view, and from a change of the address to the picture after it.
"""

import json
import random
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

from benchmarks.banks import SAMPLES, full_workspace, published_workspace, reference
from benchmarks.measure import ROOT, curate, report, side_by_side
from curation.files.bank import write_bank
from curation.files.workspace import Workspace
from curation.files.writers import write_table
from curation.records.bank import Bank, TemplateId, Variant, VariantId
from curation.records.sample import SAMPLE_COLUMNS, Sample
from evaluation.qa.samples import SampleFile
from evaluation.requests import request_id
from exports import samples

MANY = 5_000
"""Templates of the larger page."""
MODELS = 20
ASKED = 2_280
"""Samples that each model is asked, with five prompts in three orders."""
_WORDS = [
    f"{first}{last}" for first in ("lo", "mi", "ra", "su", "ten") for last in "abdefgklmnorstu"
]
_FIRST, _FILTER = 1.0, 0.2  # seconds that a first view and a filter may take
_TURNS = 5
_LOADED = """async () => {
  while (document.documentElement.dataset.ready !== "yes") await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return performance.now() / 1000;
}"""
_FILTERED = """async hash => {
  const began = performance.now();
  history.replaceState(null, "", hash);
  await curateBrowse.show();
  await new Promise(requestAnimationFrame);
  await new Promise(done => setTimeout(done));
  return (performance.now() - began) / 1000;
}"""


def run() -> list[str]:
    """Measure writing and both pages; lines of figures, each with its limit."""
    sys.path.append(str(ROOT / "tests" / "support"))
    import pytest
    from pages_in_browser import headless

    folder = reference()
    if folder is None:
        print("browse: no reference data")
        return []
    with tempfile.TemporaryDirectory() as scratch:
        workspace = full_workspace(Path(scratch) / "ws", folder)
        lines = _written(workspace)
        try:
            with headless() as browser:
                lines += _replied(browser, workspace)
        except pytest.skip.Exception as error:
            print(f"browse: no browser: {error}")
            return lines
    try:
        with tempfile.TemporaryDirectory() as scratch, headless() as browser:
            for workspace, bound in _workspaces(Path(scratch), folder):
                lines += _measured(browser, workspace, bound)
    except pytest.skip.Exception as error:
        print(f"browse: no browser: {error}")
    return lines


def _written(workspace: Workspace) -> list[str]:
    """Write the page of all samples of KoBBQ, against the samples alone."""
    root = str(workspace.root)
    page, samples = side_by_side(
        curate("browse", "-w", root),
        curate("export", "samples", "--format", "parquet", "-w", root),
        runs=3,
    )
    made = (workspace.exports_folder / "browse").rglob("*")
    size = sum(path.stat().st_size for path in made if path.is_file()) / 1e6
    note = f"{page.median:.2f} s / {samples.median:.2f} s for {SAMPLES:,} samples"
    ratio = page.median / samples.median
    return [
        report("browse / export samples as Parquet", ratio, 3, "x", note),
        report("browse, peak memory", page.peak_mb, 250, "MB"),
        report("the folder of the page", size, 6, "MB"),
    ]


def _replied(browser: Any, workspace: Workspace) -> list[str]:
    """Write the page with the replies of many models, against their scores, and look at them."""
    root = workspace.root
    samples(workspace, sets=("test",), out=root / "asked")
    asked = list(islice(SampleFile(root / "asked" / "test_samples.csv"), ASKED))
    file = root / "asked.csv"
    write_table(file, "csv", SAMPLE_COLUMNS, asked)
    files = [_model(root, at, asked) for at in range(MODELS)]
    given = ["-w", str(root), "--samples", str(file)]
    given += [part for path in files for part in ("--replies", str(path))]
    page, scored = side_by_side(
        curate("browse", *given), curate("evaluate", "score", *given), runs=1
    )
    folder = workspace.exports_folder / "browse"
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
    replies = MODELS * len(asked) * 15
    shown = f"browse, {replies:,} replies of {MODELS} models"
    note = f"{page.median:.1f} s / {scored.median:.1f} s"
    opened = browser.new_context().new_page()
    opened.goto((folder / "index.html").as_uri())
    opened.evaluate(_LOADED)
    models = opened.evaluate(_FILTERED, "#/models")
    opening = []
    for sample in asked[:: len(asked) // _TURNS]:
        name = quote(sample.template_id)
        address = f"#/template/{name}?tab=replies&sample={quote(sample.sample_id)}"
        opening.append(opened.evaluate(_FILTERED, address))
    opened.context.close()
    return [
        report(f"{shown} / evaluate score", page.median / scored.median, 2, "x", note),
        report(f"{shown}, peak memory", page.peak_mb, 1000, "MB"),
        report(f"{shown}, the folder of the page", size, 60, "MB"),
        report(f"{shown}: models by template", models, 1, "s"),
        report(f"{shown}: the replies to a sample", statistics.median(opening), _FILTER, "s"),
    ]


def _model(folder: Path, at: int, asked: Sequence[Sample]) -> Path:
    """Write what a model replies: a letter, or in one of ten replies a sentence of its own."""
    drawn = random.Random(at)  # noqa: S311  # seeded
    path = folder / f"model-{at}.jsonl"
    prompts = [str(number) for number in range(1, 6)]
    with path.open("w", encoding="utf-8") as stream:
        for sample in asked:
            for prompt in prompts:
                for order in range(3):
                    said = drawn.choice("ABC")
                    if drawn.random() < 0.1:
                        said = f"{said}\n\n{' '.join(drawn.sample(_WORDS, 12))}."
                    line = {
                        "request_id": request_id(sample.sample_id, order, prompt),
                        "model": f"model-{at}",
                        "reply": said,
                    }
                    stream.write(f"{json.dumps(line)}\n")
    return path


def _workspaces(scratch: Path, folder: Path) -> Iterator[tuple[Workspace, int | None]]:
    """The two workspaces, each with how many samples of a template its page has."""
    yield full_workspace(scratch / "full", folder), None
    many = published_workspace(scratch / "many", folder)
    write_bank(many.bank_file, Bank(tuple(_many(many))))
    yield Workspace(many.root), 4


def _many(workspace: Workspace) -> Iterator[Variant]:
    templates = list(workspace.bank.templates())
    for at in range(MANY):
        turn, place = divmod(at, len(templates))
        name = templates[place].id
        number = TemplateId(name.category, name.number + 1_000 * turn)
        for row in templates[place].variants:
            yield replace(row, id=VariantId(number, row.letter))


def _measured(browser: Any, workspace: Workspace, bound: int | None) -> list[str]:
    """Write the page of a workspace, open it, and filter it."""
    from exports import write_browse

    made = write_browse(workspace, per_template=bound)
    shown = f"browse, {made.counts['templates']:,} templates"
    address = made.page.as_uri()
    first = []
    for _ in range(_TURNS):
        page = browser.new_context().new_page()  # nothing is kept from the turn before
        page.goto(address)
        first.append(page.evaluate(_LOADED))
        page.context.close()
    page = browser.new_context().new_page()
    page.goto(address)
    page.evaluate(_LOADED)
    page.evaluate("async () => { await curateBrowse.searchable(); }")  # as it does by itself
    search = page.evaluate(_FILTERED, "#/templates?q=a")
    slowest = max(
        (statistics.median(page.evaluate(_FILTERED, query) for _ in range(_TURNS)), query)
        for query in _queries(workspace)
    )
    page.context.close()
    return [
        report(f"{shown}: first view", statistics.median(first), _FIRST, "s"),
        report(f"{shown}: first search", search, _FILTER, "s"),
        report(f"{shown}: slowest filter", slowest[0], _FILTER, "s", slowest[1]),
    ]


def _queries(workspace: Workspace) -> list[str]:
    """Every kind of filter, and all templates between two of them."""
    template = next(iter(workspace.bank.templates()))
    group = quote(template.first.texts.target_groups[0])
    asked = [
        f"category={template.category}",
        "label=TM",
        "status=undecided",
        f"group={group}",
        "near=1",
        "sort=-samples",
        "sort=stereotype",
        f"q={quote(template.stereotype.split()[0])}",
        "q=nothing+like+it",
        f"q=a&category={template.category}&sort=status",
    ]
    return [address for query in asked for address in (f"#/templates?{query}", "#/templates")]
