"""The report as Markdown, for a repository or an appendix."""

from collections.abc import Iterator, Sequence

from curation.io.pages.markdown import plain, table
from curation.io.pages.texts import cut
from evaluation.pictures import Picture
from evaluation.report import words
from evaluation.report.records import EvaluationReport, Example, Shown
from evaluation.report.sections import sections
from evaluation.report.tables import tables
from evaluation.report.views import Block, View, texts

LONGEST = 600
"""Of longer replies the beginning and the end are shown; `replies.csv` has them whole."""


def markdown(report: EvaluationReport, drawn: Sequence[Picture]) -> str:
    """Set a report out as Markdown; pictures are named in the folder `pictures`.

    Args:
        report: The report.
        drawn: Its pictures.
    """
    known = {item.name: item for item in drawn}
    parts = (_head(report), _scores(report, known), _browser(report), _words(report))
    return "\n".join(line for part in parts for line in part).rstrip() + "\n"


def _head(report: EvaluationReport) -> Iterator[str]:
    item = report.benchmark
    yield f"# Evaluation report: {plain(f'{item.title} {item.version}'.strip())}"
    yield ""
    yield words.summary(report)
    yield ""
    if words.headline(report):
        yield plain(words.headline(report))
        yield ""
    for name, said in words.facts(report):
        yield f"- **{name}:** {plain(said)}"
    yield ""
    for note in report.notes:
        yield f"> **Please note:** {plain(note)}"
        yield ""


def _scores(report: EvaluationReport, known: dict[str, Picture]) -> Iterator[str]:
    for section in sections(report):
        yield f"## {section.title}"
        yield ""
        for block in section.blocks:
            yield from _block(block, known)


def _block(block: Block, known: dict[str, Picture]) -> Iterator[str]:
    for text in block.paragraphs:
        yield plain(text)
        yield ""
    if block.picture:
        picture = known[block.picture]
        yield f"![{plain(picture.alt)}](pictures/{picture.name}.svg)"
        yield ""
    if block.view is not None:
        yield from _view(block.view)


def _view(view: View) -> Iterator[str]:
    title = view.title if view.title.endswith("?") else f"{view.title}."
    below = f"In brackets {view.below}. " if view.below else ""
    yield f"**{plain(title)}** {plain(f'{below}{view.note}')}".rstrip()
    yield ""
    header = [plain(column.whole_title) for column in view.columns]
    rows = (
        [plain(f"{cell.text} ({cell.below})" if cell.below else cell.text) for cell in row]
        for row in view.rows
    )
    yield from table(header, rows, set(texts(view)))


def _browser(report: EvaluationReport) -> Iterator[str]:
    if not report.examples:
        return
    yield "## Samples with replies"
    yield ""
    yield f"{words.drawn(report)} Right choices are marked ✓."
    yield ""
    for item in report.examples:
        yield from _example(item)


def _example(item: Example) -> Iterator[str]:
    yield f"### {plain(item.request_id)}"
    yield ""
    yield f"{plain(item.category)}, {plain(item.label)}, {item.context_type}. {plain(item.context)}"
    yield ""
    yield f"**{plain(item.question)}**"
    yield ""
    for choice in item.choices:
        right = " ✓" if choice.right else ""
        yield f"- {plain(choice.letter)}: {plain(choice.text)} ({choice.role}{right})"
    yield ""
    rows = ([plain(part) for part in _shown(shown)] for shown in item.replies)
    yield from table(("Model", "Reply", "Read as", "By rule"), rows, range(4))


def _shown(shown: Shown) -> tuple[str, ...]:
    text = "no reply"
    if shown.reply is not None:
        head, left_out, tail = cut(shown.reply, LONGEST)
        text = f"{head} [… {left_out:,} signs …] {tail}" if left_out else head
    right = {True: ", right", False: ", wrong", None: ""}[shown.right]
    return shown.model, text, f"{shown.answer}{right}", shown.rule


def _words(report: EvaluationReport) -> Iterator[str]:
    yield "## Method"
    yield ""
    for part in words.method(report):
        yield f"**{part.title}.** {plain(part.text)}"
        yield ""
        for formula in part.formulas:
            yield f"- {plain(formula)}"
        if part.formulas:
            yield ""
    yield "## What this data must not be used for"
    yield ""
    for text in words.USES:
        yield text
        yield ""
    yield "## How to cite"
    yield ""
    for text in (plain(words.citation(report)), *words.sources(report)):
        yield f"- {text}"
    yield ""
    names = ", ".join(f"`{item.name}.csv`" for item in tables(report))
    yield f"The numbers as tables: {names}."
