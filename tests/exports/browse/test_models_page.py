"""Models in a real browser: scores by template, and each reply with how it was parsed."""

import json
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from pages_in_browser import FEW, WIDTHS, broken, browsing, until, violations

from curation.files.workspace import Workspace
from curation.records.survey import Status
from evaluation.qa.prepare import prepare
from evaluation.qa.samples import SampleFile
from evaluation.qa.scoring import ScoreInputs
from exports import samples
from exports.browse.writing import write_browse
from survey import filter

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("browser")]
DEMO = Path(__file__).parents[3] / "templates_src" / "demo"
OTHER = "often-b/a-model-with-a-name-of-sixty-letters-instruct-preview"
SAID = "I'd rather not name anybody here."
THOUGHT = "Two people met. <b>Nobody</b> says more."


class Shown(NamedTuple):
    """The folder of a page, and what it was made of."""

    folder: Path
    wanted: ScoreInputs
    excluded: str

    def open(self, browser, address, **options):
        """The page at an address, opened from disk."""
        return browsing(browser, self.folder, address, **options)


def answers(asked, excluded):
    """Two models: one always answers A; the other one B, and does not answer one sample."""
    for at, item in enumerate(asked):
        name = item["request_id"]
        yield {"request_id": name, "model": "always A", "reply": "A"}
        said: dict[str, object] = {"reply": "The answer is B."}
        if item["sample_id"] == excluded:
            said = {"reply": SAID, "reasoning": THOUGHT}
        elif at % 2:
            said = {"reply": "A"}
        yield {"request_id": name, "model": OTHER, **said}


def written(path, lines):
    """Write JSON lines."""
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return path


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """The demo's samples, asked before the survey has excluded some of their templates."""
    folder = tmp_path_factory.mktemp("models") / "demo"
    shutil.copytree(DEMO, folder)
    workspace = Workspace(folder)
    asked_of = samples(workspace, sets=("test",), formats=("csv",), out=folder / "asked").folder
    file = next(asked_of.glob("*.csv"))
    requests = prepare(workspace, file, prompt_ids=("1",), out=folder / "requests.jsonl").file
    decided = filter(workspace, [folder / "responses" / "responses.csv"])
    dropped = {str(item.template.id) for item in decided.final.with_status(Status.DROPPED)}
    excluded = next(s for s in SampleFile(file) if s.template_id in dropped)
    lines = map(json.loads, requests.read_text("utf-8").splitlines())
    replies = written(folder / "replies.jsonl", answers(list(lines), excluded.sample_id))
    wanted = ScoreInputs(samples=file, replies=(replies,), requests=requests)
    made = write_browse(Workspace(folder), answered=wanted)
    return Shown(made.folder, wanted, excluded.sample_id)


def rows(page, table):
    """The cells of a table's body, as a reader sees them."""
    return page.eval_on_selector_all(
        f"{table} tbody tr", "rows => rows.map(row => [...row.cells].map(cell => cell.innerText))"
    )


@pytest.mark.parametrize(
    "widths", [FEW, pytest.param(WIDTHS, marks=pytest.mark.nightly)], ids=["few", "all"]
)
def test_the_reply_of_one_model_to_a_sample_of_an_excluded_template_is_found(
    shown, browser, widths
):
    """From the list, by the filter for what was excluded, to the reply and how it was parsed."""
    template = next(
        s.template_id for s in SampleFile(shown.wanted.samples) if s.sample_id == shown.excluded
    )
    page = shown.open(browser, "#/templates?status=excluded")
    page.click(f"text={template} >> nth=0")
    page.click("nav.tabs >> text=Replies")
    page.click(f"text={shown.excluded} >> nth=0")
    until(page, "document.querySelector('table.matrix') !== null")
    assert rows(page, "table.matrix")[0] == ["always A", "A−", "A+", "A?"]
    assert rows(page, "table.matrix")[1] == [OTHER, "×", "×", "×"]
    page.click(f"table.matrix >> text={OTHER}")
    until(page, "document.querySelectorAll('table.replies tbody tr').length === 3")
    cells = rows(page, "table.replies")
    assert {cell[0] for cell in cells} == {OTHER}
    assert all(cell[3].startswith(SAID) for cell in cells)
    assert {cell[4] for cell in cells} == {"Out-of-choice"}
    rule = cells[0][5]
    assert rule in page.inner_text("dl.rules")
    page.click("details.thoughts >> nth=0 >> summary")
    until(page, "document.querySelector('details.thoughts .text') !== null")
    assert page.inner_text("details.thoughts .text") == THOUGHT
    page.locator("details.facet summary", has_text="Model:").click()
    page.locator("details.facet[open] .values").get_by_text("always A", exact=True).click()
    until(page, "document.querySelectorAll('table.beside tbody tr').length === 3")
    beside = rows(page, "table.beside")[1]
    assert beside[0] == "Prompt 1, order 1"
    assert beside[1].startswith("A\n")
    assert beside[2].startswith(SAID)
    assert "Source (English): " in page.inner_text(".sheet")
    assert violations(page) == []
    assert broken(page, widths=widths) == []
    page.click("#top nav >> text=Models")
    until(page, "document.querySelector('table.heatmap') !== null")
    assert broken(page, "table.overview tbody tr", widths) == []
    assert page.inner_text("p.lead").startswith("In both types of context both models lean to no ")
    assert page.said == []
