"""What a paper needs of a benchmark and its scores, made from the two reports: one page.

It holds what was asked and how it was decided and scored, in the words of the reports, the tables
and figures of the results, the thresholds, and the hashes of all files. A table says in which row
of which table each of its numbers stands. A number of a sentence leads to the one cell of those
tables of its section that name what they count, or before all sections to that of the score that
it names; else it leads nowhere, since an equal number may mean something else.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from curation.files.atomic import write_file
from curation.files.manifest import MANIFEST
from curation.files.tables import sha256, write_csv
from curation.files.workspace import Workspace
from curation.report.figures import Picture
from curation.report.numbers import StatedNumber, stated
from curation.report.page import SHOWN, Block, Page, Section, View, markdown, save_shown
from evaluation.qa.metrics import METRICS
from evaluation.reporting.words import TEXTS, EvaluationReport
from evaluation.requests import ORDERS
from survey.bank import FILTERED, plain_settings

PAPER = "paper"
"""What its files are called."""
NUMBERS = f"{PAPER}_numbers.csv"
"""The table of its numbers."""
_COLUMNS = ("line", "number", "place", "of_one_template")
_RESULTS = ("overall", "category", "models", "stories", "occupations")
_NAMED = {said.casefold(): it.name for it in METRICS.values() for said in (it.said, it.title)}
"""How sentences and captions name scores."""
_HEADING = r"\section{"
_METHOD, _CITED, _ASKED = "method", "cite", "asked"
_COUNTS = (_ASKED, "counted", "thresholds")
"""Tables of which each row has one number, and says what it is."""


def paper_of(
    report: EvaluationReport, page: Page, workspace: Workspace, inputs: Mapping[str, Path]
) -> Page:
    """Choose what a paper states.

    Args:
        report: The report of the evaluation.
        page: Its page.
        workspace: The workspace; where its survey was filtered, its report comes first.
        inputs: The files that were scored, by name.

    Raises:
        CurateError: If the survey cannot be read any more.
    """
    own = {item.name: item for item in page.sections}
    chosen = [replace(own[name], folded="") for name in (_METHOD, *_RESULTS) if name in own]
    if report.rows:
        chosen.insert(0, TEXTS.section(_ASKED, Block(view=TEXTS.view(_ASKED, _asked(report)))))
    cited = replace(own[_CITED], title=TEXTS.known["sections"][_CITED])
    if (workspace.exports_folder / FILTERED / MANIFEST).exists():
        chosen = [*_survey(workspace), *chosen]
    hashes = ({"name": name, "sha256": sha256(path)} for name, path in sorted(inputs.items()))
    files = TEXTS.section("inputs", Block(view=TEXTS.view("inputs", hashes)))
    return replace(page, kind="Methods and results", sections=(*chosen, files, cited))


def _asked(report: EvaluationReport) -> Iterable[Mapping[str, object]]:
    """How much was asked, as the report's first sentences say it."""
    settings = report.settings
    counts = {
        "Models": len(report.models),
        "Requests to each": settings["requests"],
        "Possible requests": settings["possible"],
        "Samples": report.by("overall")[0]["samples"],
        "Templates": settings["templates"],
        "Prompts": len(settings["prompts"]),
        "Orders": len(ORDERS[settings["orders"]]),
        **({"Epochs": settings["epochs"]} if settings["epochs"] > 1 else {}),
    }
    return ({"name": name, "value": value} for name, value in counts.items())


def _survey(workspace: Workspace) -> list[Section]:
    """What the survey's report says of its results, its method and its thresholds."""
    from survey.reporting.data import QuestionDecision, from_filter  # of a workspace alone
    from survey.reporting.sections import page_of

    found, _ = from_filter(workspace)
    page = page_of(found)
    own = {item.name: item for item in page.sections}
    funnel, method = own["funnel"], own[_METHOD]
    settings = plain_settings(found.settings)
    rows = (
        {"name": name, "value": ", ".join(value) if isinstance(value, list) else str(value)}
        for name, value in settings.items()
    )
    thresholds = Block(view=TEXTS.view("thresholds", rows))
    decided = [row["decision"] for row in found.questions]
    counts = {
        "Respondents": found.respondents["counted"] if found.respondents else None,
        "Fewest answers to a question": found.answers[0],
        "Most answers to a question": found.answers[1],
        "Questions": len(decided),
        "Kept": decided.count(QuestionDecision.KEPT),
        "Dropped": decided.count(QuestionDecision.DROPPED),
        "Borderline": len(found.borderline),
    }
    told = ({"name": name, "value": value} for name, value in counts.items())
    said = Block(page.answer, view=TEXTS.view("counted", told))
    return [
        Section("survey", TEXTS.known["sections"]["survey"], (said, *funnel.blocks)),
        Section("decisions", TEXTS.known["sections"]["decisions"], (*method.blocks, thresholds)),
    ]


def write_paper(page: Page, drawn: Sequence[Picture], folder: Path) -> None:
    """Write `paper.md`, `paper.tex`, its pictures as PDF, its tables, and where each number stands.

    Args:
        page: What it states.
        drawn: The pictures of the report.
        folder: The folder of the report, with its tables.

    Raises:
        CurateError: If a file cannot be written.
    """
    used = {block.picture for section in page.sections for block in section.blocks}
    pictures = [item for item in drawn if item.name in used]
    save_shown(page, pictures, ("csv", "pdf"), folder)
    for ending in ("md", "tex"):
        text = markdown(page, pictures, ending)
        write_file(folder / f"{PAPER}.{ending}", text)
    rows = _rows_of_tables(text, page.views)
    found = (
        replace(it, held=rows[it.line], single=False) if it.line in rows else it
        for it in stated(folder / f"{PAPER}.tex", folder, _NAMED, list(_tables_of(text, page)))
    )
    first = next((at for at, line in enumerate(text.split("\n")) if line.startswith(_HEADING)), 0)

    def place(it: StatedNumber) -> str:
        if it.line <= first:
            return it.held or f"{SHOWN}/{_RESULTS[0]}.csv, counted"  # how many models lean
        return it.held if it.line in rows or it.held.startswith(SHOWN) else "not linked"

    lines = ((it.line, it.written, place(it), "yes" if it.single else "no") for it in found)
    write_csv(folder / NUMBERS, _COLUMNS, lines)


def _tables_of(text: str, page: Page) -> Iterator[Collection[str]]:
    """By line of the LaTeX its section's tables of counts; of what comes before, what was asked."""
    sections, tables = iter(page.sections), {f"{SHOWN}/{_ASKED}.csv"}
    for written in text.split("\n"):
        if written.startswith(_HEADING):
            views = (block.view for block in next(sections).blocks)
            tables = {f"{SHOWN}/{it.name}.csv" for it in views if it and it.name in _COUNTS}
        yield tables


def _rows_of_tables(text: str, views: Iterable[View]) -> dict[int, str]:
    """By line of the LaTeX that is a row of a table, that row in the table as it is shown.

    Args:
        text: The LaTeX.
        views: Its tables, in their order.
    """
    found: dict[int, str] = {}
    named, name, row = iter(views), "", 0
    for line, written in enumerate(text.split("\n"), start=1):
        if written == r"\toprule":
            name, row = next(named).name, 0
        elif written == r"\bottomrule":
            name = ""
        elif name and written != r"\midrule":
            row += 1
            found[line] = f"{SHOWN}/{name}.csv, row {row}"
    return found
