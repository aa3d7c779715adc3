"""The survey in a real browser: thresholds that are moved, questions that are looked at."""

import random
from fractions import Fraction

import pytest
from pages_in_browser import browsing

from curation.files.questionnaire import read_tallies
from curation.records.survey import BY_PEOPLE, Status
from exports.browse.chunks import read_chunk
from exports.browse.writing import write_browse
from exports.edition import Edition
from survey import override
from survey.bank import decided_with, finalize
from survey.rules import decide, target_rows

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("browser")]
_WORDS = {
    Status.KEPT: "kept",
    Status.UNDECIDED: "undecided",
    Status.DROPPED: "excluded",
    Status.REMOVED: "excluded",
}
_DECIDE = """moved => {
  const {survey, thresholds} = curateBrowse;
  const shown = ({status, samples, why}) => [status, samples, why.map(({rule}) => rule)];
  return survey().then((data) =>
    thresholds.decide(data, thresholds.limitsOf(data, moved)).map(shown));
}"""


@pytest.fixture
def workspace(workspace):
    """The demo after its survey, with a page, and one template dropped by a person."""
    override(workspace, ["hobby-001"], keep=False, reason="it is about dogs", by="Mina")
    write_browse(workspace)
    return workspace


def by_the_rules(workspace, moved):
    """Where each template stands by `survey.rules`, with its samples, and what excludes it."""
    changed = {name: Fraction(value) for name, value in moved.items()}
    settings = workspace.culture.survey.model_copy(update={**decided_with(workspace), **changed})
    tallies = read_tallies(workspace.tallies_file, workspace.book)
    made = [item for tally in tallies for item in decide(tally, settings)]
    people = [item for item in workspace.decisions if item.rule in BY_PEOPLE]
    asked = [t for t in tallies if t.respondents and not t.question.template_id]
    targets = [row for tally in asked for row in target_rows(tally, settings)]
    final = finalize(workspace, tallies, [*people, *made], targets)
    plan = Edition(workspace, final, workspace.culture.samples).plan()
    samples = {str(item.template.id): plan.written(item) for item in plan.templates}
    found = []
    for item in final.outcomes:
        fixed = item.decisive is not None and item.decisive.rule in BY_PEOPLE
        removed = item.status is Status.REMOVED
        why = [] if fixed or removed else [i.rule.value for i in item.decisions if i.reason]
        found.append((_WORDS[item.status], samples.get(str(item.template.id), 0), sorted(why)))
    return found


def grid(workspace):
    """Settings to be tried: each threshold alone over its steps, and all of them at once."""
    chunk = read_chunk(workspace.exports_folder / "browse" / "data" / "survey.js")
    values = {item["setting"]: item["values"] for item in chunk["thresholds"]}
    alone = [{name: text} for name, steps in values.items() for text in steps[:: len(steps) // 8]]
    draw = random.Random(7)  # noqa: S311  # a test's settings
    together = [{name: draw.choice(steps) for name, steps in values.items()} for _ in range(30)]
    return [{}, *alone, *together]


def test_the_page_decides_exactly_as_the_rules_do(browser, workspace):
    """For a grid of thresholds: every template's status, samples and rules that exclude it."""
    page = browsing(browser, workspace.exports_folder / "browse", "#/survey")
    drawn = "path => path.getAttribute('d').match(/M/g).length"
    bars = page.locator("[data-slider=min_respondents] .distribution path").evaluate(drawn)
    assert bars == 2  # 117 to 119 respondents, and 120
    slider = page.get_by_role("slider", name="Validation: share that named the target")
    for _ in range(7):
        slider.press("ArrowLeft")
    assert slider.get_attribute("aria-valuetext") == "more than 60\u202f%"
    page.get_by_text("31 of 40 templates would be kept").first.wait_for()
    page.evaluate("scrollTo(0, 600)")
    seen = page.locator("[data-stay]").evaluate("line => line.getBoundingClientRect().top >= 0")
    assert seen
    tried = grid(workspace)
    assert len(tried) > 70
    kept = set()
    for moved in tried:
        found = [(item[0], item[1], sorted(item[2])) for item in page.evaluate(_DECIDE, moved)]
        assert found == by_the_rules(workspace, moved), moved
        kept.add(sum(status == "kept" for status, _, _ in found))
    assert len(kept) > 10
    assert page.said == []


def test_counts_at_a_threshold_are_compared_as_whole_numbers(browser, workspace):
    """Two thirds of 96 are not more than two thirds; shares that no float holds are none."""
    page = browsing(browser, workspace.exports_folder / "browse", "#/survey")
    ask = """([target, other, limit]) => curateBrowse.thresholds.drops(
      {kind: "choice", respondents: 1000, none: 0, options: [
        {role: "target", votes: target}, {role: "non_target", votes: other}]},
      {stereotype_share: curateBrowse.thresholds.fraction(limit), no_stereotype_limit: [1n, 2n],
       min_respondents: [1n, 1n]}).map(({reason}) => reason)"""
    for target, other, limit, said in (
        (64, 32, "2/3", ["below"]),
        (65, 32, "2/3", []),
        (58, 42, "29/50", ["below"]),
        (59, 41, "29/50", []),
        (3 * 10**14 + 1, 7 * 10**14 - 1, "3/10", []),
        (3 * 10**14, 7 * 10**14, "3/10", ["majority_non_target"]),
    ):
        assert page.evaluate(ask, [target, other, limit]) == said, (target, other, limit)
