"""The plan of a survey of 300 stereotypes, and its report: the commands, and the page opened."""

import csv
import random
import shutil
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.measure import curate, report, side_by_side
from curation.files.bank import write_bank, write_groups
from curation.files.tables import write_csv
from curation.files.workspace import Workspace
from curation.records.bank import Bank, Group, Label, Texts, Variant, VariantId

STEREOTYPES = 300
PEOPLE = 100
_GROUPS = tuple("가나다라마바사아자차")
_SELECTED = 60  # stereotypes of target selection
_CULTURE = """\
culture: bench
language: ko
unknown: "알 수 없음"
questionnaire: {price: 1.0}
categories:
  - {id: Craft}
"""
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def run() -> list[str]:
    """Measure size, command and opening; the latter where playwright finds a browser."""
    with tempfile.TemporaryDirectory() as name:
        workspace = Path(name) / "ws"
        _workspace(workspace)
        planned = curate("survey", "build", "-w", str(workspace), "--plan", "5000")
        (plan,) = side_by_side(planned, runs=1)
        survey = str(workspace / "responses" / "responses.csv")
        side_by_side(curate("filter", "-w", str(workspace), "--survey", survey), runs=1)
        (figures,) = side_by_side(curate("survey", "report", "-w", str(workspace)), runs=3)
        page = workspace / "exports" / "survey" / "report.html"
        lines = [
            report(f"plan of {STEREOTYPES} stereotypes", plan.median, 30, "s"),
            report(f"report on {STEREOTYPES} stereotypes", figures.median, 10, "s"),
            report("its page", page.stat().st_size / 1e6, 3, "MB"),
        ]
        opened = _opened(page.as_uri())
        if opened:
            lines.append(report("its page: first paint", statistics.median(opened), 0.5, "s"))
        else:
            print("report: no playwright or no browser, the page was not opened")
        return lines


def _opened(address: str) -> list[float]:
    """Open a page some times, each in a fresh context: seconds to the first paint, by its clock."""
    path = next(filter(None, map(shutil.which, _BROWSERS)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return []
    if path is None:
        return []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        seconds = [_once(browser, address) for _ in range(6)][1:]
        browser.close()
    return seconds


def _once(browser: Any, address: str) -> float:
    page = browser.new_context().new_page()
    page.goto(address)
    # After the next frame the first one is drawn.
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    seconds = page.evaluate("performance.getEntriesByName('first-paint')[0].startTime / 1000")
    page.context.close()
    return float(seconds)


def _workspace(folder: Path) -> None:
    """Write a workspace of invented stereotypes with a seeded survey."""
    workspace = Workspace(folder)
    folder.mkdir()
    workspace.culture_file.write_text(_CULTURE, encoding="utf-8")
    write_bank(workspace.bank_file, Bank(tuple(_variants())))
    questions = list(_questions())
    write_groups(workspace.groups_file, [Group("Craft", name) for name in _GROUPS])
    columns: tuple[str, ...] = ("question_id", "kind", "category", "stereotype", "template_id")
    columns += ("option", "group", "counts", "role", "text")
    write_csv(workspace.questionnaire_file, columns, questions)
    _answers(workspace.responses_folder / "responses.csv", questions)


def _groups(at: int) -> tuple[str, str]:
    return _GROUPS[at % len(_GROUPS)], _GROUPS[(at + 3) % len(_GROUPS)]


def _stereotype(at: int) -> str:
    return f"꾸며 낸 고정관념 {at + 1}: 아침마다 창가에서 노래를 흥얼거린다"


def _variants() -> Iterator[Variant]:
    for at in range(STEREOTYPES):
        target, other = _groups(at)
        for letter, people in (("a", (other, target)), ("b", (target, other))):
            texts = Texts(
                stereotype=_stereotype(at),
                target_groups=(target,),
                ambiguous_context="[N1], [N2].",
                disambiguating_context="[N1], [N1].",
                biased_question="[N1]?",
                counter_biased_question="[N2]?",
                biased_answer="[N1]",
                counter_biased_answer="[N2]",
                names="N1: [하나]; N2: [둘]",
                n1_groups=(people[0],),
                n2_groups=(people[1],),
            )
            name = VariantId.parse(f"craft-{at + 1:03d}{letter}")
            yield Variant(name, "Craft", Label.SIMPLY_TRANSFERRED, texts)


def _questions() -> Iterator[tuple[str, ...]]:
    """Yield the rows of a questionnaire: each stereotype once, and each template."""
    for at in range(STEREOTYPES):
        name, words = f"q-{at + 1:03d}", _stereotype(at)
        if at < _SELECTED:
            for code, group in enumerate(_GROUPS):
                yield (
                    name,
                    "select_all",
                    "Craft",
                    words,
                    "",
                    str(code),
                    group,
                    "true",
                    "group",
                    "",
                )
            yield (name, "select_all", "Craft", words, "", "none", "", "", "none", "")
        else:
            for code, group in enumerate(_groups(at)):
                role = ("target", "non_target")[code]
                yield (name, "choice", "Craft", words, "", str(code), group, "true", role, "")
            yield (name, "choice", "Craft", words, "", "none", "", "", "none", "")
        template = f"craft-{at + 1:03d}"
        for code, role in enumerate(("wrong", "correct", "wrong")):
            yield (
                f"c-{template}",
                "comprehension",
                "Craft",
                "",
                template,
                str(code),
                "",
                "",
                role,
                "",
            )


def _answers(path: Path, questions: list[tuple[str, ...]]) -> None:
    """Write what everybody chose: a bit more often what stands first."""
    options: dict[tuple[str, str], list[str]] = {}
    for row in questions:
        options.setdefault((row[0], row[1]), []).append(row[5])
    draw = random.Random(1)  # noqa: S311  # a seeded survey
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(("respondent_id", "question_id", "kind", "option", "state"))
        for person in range(PEOPLE):
            for (question, kind), codes in options.items():
                chosen = codes[int(len(codes) * draw.random() ** 2)]
                writer.writerow((f"r{person:03d}", question, kind, chosen, "selected"))
