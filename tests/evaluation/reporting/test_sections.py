"""Tables of the report hold the scores, and nothing else."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from evaluation.qa.metrics import CELLS
from evaluation.qa.score import SetKind
from evaluation.reporting.records import EvaluationReport
from evaluation.reporting.sections import sections
from evaluation.reporting.views import View
from evaluation.reporting.words import facts


@pytest.fixture(scope="module")
def views(report: EvaluationReport) -> dict[str, View]:
    """The tables by name."""
    return {view.name: view for view in _views(report)}


def _views(report: EvaluationReport) -> Iterator[View]:
    for section in sections(report):
        yield from (block.view for block in section.blocks if block.view is not None)


def test_every_table_is_whole(views: dict[str, View]) -> None:
    """As many cells in each row as columns, and names of their own."""
    for view in views.values():
        assert all(len(row) == len(view.columns) for row in view.rows), view.name
        assert view.rows
        assert sum(width for _, width in view.spans) in (0, len(view.columns))


def test_names_are_different(report: EvaluationReport) -> None:
    """Of sections and tables, which are ids of the page."""
    names = [section.name for section in sections(report)]
    names += [view.name for view in _views(report)]
    kinds = [f"c-{name}" for name in names]
    assert len(kinds) >= 15
    assert names[:10] == [
        *("overall", "category", "drivers", "label", "models", "prompts", "orders", "reading"),
        *("stories", "occupations"),
    ]
    assert len({view.name for view in _views(report)}) == len(list(_views(report)))


def test_the_overall_table_holds_the_scores(
    report: EvaluationReport, views: dict[str, View]
) -> None:
    """Values and ends of intervals as in the rows, to three decimals."""
    view = views["overall"]
    names = [
        *("accuracy_amb", "diff_bias_amb", "max_bias_amb", "bias_ratio_amb"),
        *("accuracy_dis", "diff_bias_dis", "max_bias_dis", "bias_ratio_dis"),
        "out_of_choice_ratio",
    ]
    assert [row[0].text for row in view.rows] == ["biased", "mixed", "right"]
    for cells, row in zip(view.rows, report.by("overall"), strict=True):
        assert [cell.key for cell in cells[1:-1]] == [row[name] for name in names]
        assert cells[-1].text == "32 of 32 samples"
        for cell, name in zip(cells[1:-2], names, strict=False):
            if row[name] is None:
                assert cell.text == "–"
                continue
            assert float(cell.text.replace("−", "-")) == pytest.approx(row[name], abs=5.1e-4)
            if name.startswith(("accuracy", "diff")):
                ends = [float(part.replace("−", "-")) for part in cell.below[:-1].split(" to ")]
                expected = [row[f"{name}_low"], row[f"{name}_high"]]
                assert ends == pytest.approx(expected, abs=5.1e-4)
                assert cell.below[-1] == "*"  # of fewer than 20 templates
    assert view.below == "95 % intervals, * from fewer than 20 templates"
    biased, _, right = view.rows
    assert [cell.text for cell in biased[1:5]] == ["0.000", "1.000", "1.000", "1.000"]
    assert [cell.text for cell in right[1:5]] == ["1.000", "0.000", "0.000", "–"]
    assert (biased[-2].text, biased[-2].below) == ("0.0\u202f%", "0")


def test_accuracy_over_the_samples_of_the_bias_stands_beside_where_roles_are_open(
    report: EvaluationReport,
) -> None:
    """And of how many samples bias is."""
    rows = tuple({**row, "bias_samples": 8, "known_accuracy_amb": 0.25} for row in report.rows)
    view = {it.name: it for it in _views(replace(report, rows=rows))}["overall"]
    assert [column.title for column in view.columns[-3:]] == [
        *("Ambiguous", "Disambiguated", "Bias from")
    ]
    assert {(row[-3].text, row[-1].text) for row in view.rows} == {("0.250", "8 of 32 samples")}


def test_counts_are_the_cells(report: EvaluationReport, views: dict[str, View]) -> None:
    """A row a model, a column a cell of the paper's table 2, then BBQ's own scores."""
    for cells, row in zip(views["counts"].rows, report.by("overall"), strict=True):
        assert cells[0].text == row["model"]
        found = [cell.key for cell in cells[1:]]
        assert found == [*(row[name] for name in CELLS), row["s_amb"], row["s_dis"]]


def test_models_stand_by_their_bias(report: EvaluationReport) -> None:
    """The highest diff-bias first; names that are equal in it as people count, undefined last."""
    scores = {"m-10": 0.1, "m-9": 0.1, "a": None, "z": 0.3, "B": -0.4}
    row = report.by("overall")[0]
    rows = tuple(
        {**row, "model": name, "diff_bias_amb": value, "diff_bias_dis": None}
        for name, value in scores.items()
    )
    changed = replace(report, rows=rows)
    assert changed.models == ["z", "m-9", "m-10", "B", "a"]
    assert [item["model"] for item in changed.by("overall")] == changed.models


def test_templates_with_bias_are_named_and_no_others(report: EvaluationReport) -> None:
    """The mean over models with interval and size; what chance explains is only counted."""
    (none,) = (it for it in sections(report) if it.name == "drivers")
    assert none.blocks[0].view is None
    assert none.blocks[0].paragraphs[0].startswith("In 0 of 4 templates the mean diff-bias")
    first = {**report.drivers[0], "differs": "amb"}
    view = {it.name: it for it in _views(replace(report, drivers=(first, *report.drivers[1:])))}
    (cells,) = view["drivers"].rows
    assert cells[0].text == first["template_id"]
    assert cells[3].key == first["diff_bias_amb"]
    assert cells[3].below.endswith(f", n {first['n_amb']}")
    assert cells[4].key == first["q_amb"]


def test_groups_stand_beside_one_another(report: EvaluationReport, views: dict[str, View]) -> None:
    """Each category with all models, each label too."""
    for name, groups in (("category", ["Hobby", "Job"]), ("label", ["ST", "NC"])):
        found = [(row[0].text, row[1].text) for row in views[name].rows]
        models = ["biased", "mixed", "right"]
        assert found == [(group, model) for group in groups for model in models]
        rows = {(str(row["group"]), str(row["model"])): row for row in report.by(name)}
        for cells in views[name].rows:
            row = rows[cells[0].text, cells[1].text]
            assert cells[3].key == row["diff_bias_amb"]
            assert cells[8].key == row["templates"]


def test_one_category_or_label_is_no_section(report: EvaluationReport) -> None:
    """There is nothing to compare."""
    rows = tuple(row for row in report.rows if row["group"] not in ("Job", "NC"))
    names = [section.name for section in sections(replace(report, rows=rows))]
    assert "category" not in names
    assert "label" not in names
    assert names[:4] == ["overall", "drivers", "models", "prompts"]


def test_prompts_have_mean_and_deviation(report: EvaluationReport, views: dict[str, View]) -> None:
    """And each by itself."""
    for cells, row in zip(views["prompts"].rows, report.by("overall"), strict=True):
        assert cells[1].key == row["accuracy_amb_prompt_mean"]
        assert cells[4].key == row["diff_bias_amb_prompt_sd"]
        assert cells[8].key == row["diff_bias_dis_prompt_sd"]
    assert [row[0].text for row in views["each-prompt"].rows] == ["1"] * 3 + ["2"] * 3


def test_one_prompt_has_neither(report: EvaluationReport) -> None:
    """It is said instead."""
    one = replace(report, settings=replace(report.settings, prompts=("1",)))
    (section,) = (item for item in sections(one) if item.name == "prompts")
    assert [block.view for block in section.blocks] == [None]
    assert "One prompt was used" in section.blocks[0].paragraphs[0]


def test_positions_and_orders_are_shown(report: EvaluationReport, views: dict[str, View]) -> None:
    """Shares of each place, how many questions got one answer, and scores by order."""
    rows = {(row["model"], row["context_type"]): row for row in report.positions}
    for cells in views["positions"].rows:
        every, *same = (rows[cells[0].text, kind] for kind in ("all", "all", "amb", "dis"))
        assert cells[1].key == every["n"]
        assert [cell.key for cell in cells[2:5]] == [
            every[name] for name in ("first", "second", "third")
        ]
        assert [cell.key for cell in cells[5:8]] == [row["consistent"] for row in same]
    assert [row[0].text for row in views["each-order"].rows][::3] == [
        *("0 (0, 1, 2)", "1 (1, 2, 0)", "2 (2, 0, 1)"),
    ]


def test_rules_add_up_to_the_replies(report: EvaluationReport, views: dict[str, View]) -> None:
    """Those that read a choice and those that did not, to all replies of a model."""
    view = views["reading"]
    assert [column.title for column in view.columns[1:4]] == [
        *("As a choice", "Out of choice", "No reply"),
    ]
    rules = [column.title for column in view.columns[4:]]
    assert set(rules) == {"letter", "stated", "unreadable"}
    for cells, row in zip(view.rows, report.by("overall"), strict=True):
        read, unread, missing, *by_rule = (int(cell.key or 0) for cell in cells[1:])
        assert missing == 0
        assert read + unread == sum(by_rule) == 192
        assert by_rule[rules.index("unreadable")] == unread == row["out_of_choice"]


def test_models_are_held_against_each_other(
    report: EvaluationReport, views: dict[str, View]
) -> None:
    """Each pair by each score."""
    view = views["models"]
    assert len(view.rows) == 3 * 4
    (cells,) = (
        row
        for row in view.rows
        if row[0].text == "biased − right" and row[1].text == "diff-bias, ambiguous"
    )
    assert [cell.text for cell in cells[2:5]] == ["1.000", "0.000", "1.000"]


def test_tests_of_groups_are_shown_as_they_were_made(
    report: EvaluationReport, views: dict[str, View]
) -> None:
    """F with its degrees of freedom and the corrected p; undefined where all values are equal."""
    found = {
        (str(row["model"]), str(row["metric"])): row
        for row in report.tests.anova
        if row["group_by"] == "label"
    }
    assert found
    view = views["anova-label"]
    for cells in view.rows:
        row = found[cells[0].text, "accuracy_amb"]
        assert cells[1].key == row["f"]
        assert cells[2].key == row["p_holm"]
        degrees = f"{row['df_between']}, {row['df_within']}"
        assert cells[1].below == ("" if row["f"] is None else degrees)
    assert [cells[1].below for cells in view.rows] == ["", "1, 2", ""]


def test_families_and_rankings_are_shown(views: dict[str, View]) -> None:
    """Stories with the bound, occupations with the distance from perfect alignment."""
    story = views["stories"].rows[1]
    assert [cell.text for cell in story[:4]] == ["mixed", "0.700", "0.075", "0.300"]
    assert story[4].text == "50.0\u202f%"
    jobs = {row[0].text: row for row in views["occupations"].rows}
    assert [cell.text for cell in jobs["biased"][2:]] == [
        *("0.400", "0.060", "<\u202f.001", "0.100", "2.100", "<\u202f.001", "0.100", "0")
    ]
    assert jobs["biased"][6].below == "1.800 to 2.400"
    assert [cell.text for cell in jobs["right"][6:9]] == ["–", "–", "–"]
    for name, column, expected in (
        ("rankings-1", "Accuracy, ambiguous (ideal 1)", ["3", "2", "1"]),
        ("rankings-3", "Balance M_B, persona-gender (ideal 0)", ["3", "1", "2"]),
        ("rankings-3", "Alignment M_S, persona-gender (ideal 2)", ["1", "2", "–"]),
        ("rankings-1", "Best and worst rank", ["1 to 3", "1 to 2", "1 to 2"]),
    ):
        place = [item.title for item in views[name].columns].index(column)
        assert [row[place].text for row in views[name].rows] == expected, column
    against = [(row[0].text, row[1].text) for row in views["disagreements"].rows]
    assert ("Accuracy, ambiguous", "Alignment M_S, persona-gender") in against
    taus = [float(row[3].key or 0) for row in views["disagreements"].rows]
    assert taus == sorted(taus)
    assert max(taus) < 0


def test_the_other_ways_to_read_and_to_score_have_their_words(asked: Any) -> None:
    """The published script's rules, and templates averaged."""
    found = asked.report(mode="kobbq", kind=SetKind.ALL, families=False)
    (block,) = next(item for item in sections(found) if item.name == "reading").blocks
    assert "letter: " in block.paragraphs[0]
    assert "begins with A, B or C" in block.paragraphs[0]
    assert block.view is not None
    place = [column.title for column in block.view.columns].index("letter")
    (row,) = (row for row in block.view.rows if row[0].text == "mixed")
    lines = (asked.root / "replies.jsonl").read_text("utf-8").splitlines()
    mixed = [item["reply"] for item in map(json.loads, lines) if item["model"] == "mixed"]
    # 'Both of them.' begins with a B, and is read as one
    assert row[place].key == mixed.count("A") + mixed.count("Both of them.") > 60
    assert int(row[1].key or 0) + int(row[2].key or 0) == 192
    assert found.settings.kind is SetKind.ALL
    assert any("with its errors" in note for note in found.notes)
    assert dict(facts(found))["Set"] == "entire set, templates averaged"


def test_published_predictions_have_two_rules(report: EvaluationReport) -> None:
    """What a choice was read from is not known."""
    rules = {"prediction": 180, "out_of_choice": 12}
    read_as = tuple(replace(item, rules=rules) for item in report.read_as)
    settings = replace(report.settings, mode="prediction")
    changed = replace(report, read_as=read_as, settings=settings)
    view = next(view for view in _views(changed) if view.name == "reading")
    assert [column.title for column in view.columns[4:]] == ["prediction", "out of choice"]
    assert [[cell.key for cell in row[4:]] for row in view.rows] == [[180, 12]] * 3
