"""Tables of the report hold the scores, and nothing else."""

from dataclasses import replace

from evaluation.compare.discrimination import DISCRIMINATION_COLUMNS
from evaluation.compare.testing import MODEL_COLUMNS
from evaluation.qa.metrics import CELLS
from evaluation.reporting.sections import sections


def _views(report):
    for section in sections(report):
        yield from (block.view for block in section.blocks if block.view is not None)


def test_accuracy_over_the_samples_of_the_bias_stands_beside_where_roles_are_open(report):
    rows = tuple({**row, "bias_samples": 8, "known_accuracy_amb": 0.25} for row in report.rows)
    view = {it.name: it for it in _views(replace(report, rows=rows))}["overall"]
    assert [column.title for column in view.columns[-3:]] == [
        *("Ambiguous", "Disambiguated", "Bias from")
    ]
    assert {(row[-3].text, row[-1].text) for row in view.rows} == {("0.250", "8 of 32 samples")}
    (known,) = (it for it in _views(report) if it.name == "overall")
    assert known.columns[-1].title == "Out of choice"
    refused = tuple(row | dict.fromkeys(CELLS, 0) for row in rows)
    view = {it.name: it for it in _views(replace(report, rows=refused))}["overall"]
    assert {row[-1].text for row in view.rows} == {"0 of 32 samples"}


def test_of_how_many_questions_a_model_kept_its_answer_is_said(report):
    rows = tuple({**row, "asked_thrice": 7, "consistent": 0.5} for row in report.positions)
    view = {it.name: it for it in _views(replace(report, positions=rows))}["positions"]
    assert {row[-1].below for row in view.rows} == {"of 7"}


def test_the_best_is_marked_and_what_is_surely_further_from_the_best_value(report):
    """As models were compared: nothing that the tests leave open, or of one of two best alone."""

    def marks(*rows):
        """By model `b` for each best accuracy and diff-bias, or its sign; and what is noted."""
        columns = ("model_1", "model_2", "metric", "score_1", "score_2", "nearer", "p_holm")
        bare = dict.fromkeys(MODEL_COLUMNS)
        compared = tuple(bare | dict(zip(columns, row, strict=True)) for row in rows)
        view = next(_views(replace(report, differences=compared)))
        said = {
            row[0].text: "".join("b" * it.is_best + it.sign for it in row[1:3]) for row in view.rows
        }
        return said, view.note

    amb = "accuracy_amb"
    found, note = marks(
        ("biased", "mixed", amb, 0.0, 0.5, "mixed", 0.01),
        ("biased", "right", amb, 0.0, 1.0, "right", 0.01),
        ("mixed", "right", amb, 0.5, 1.0, "", 0.01),
        ("biased", "mixed", "diff_bias_amb", 0.3, -0.1, "mixed", 0.01),
        ("biased", "right", "diff_bias_amb", 0.3, 0.1, "", 0.06),
        ("mixed", "right", "diff_bias_amb", -0.1, 0.1, "", 0.01),
    )
    # Of diff-bias two are the best, and the third is surely further than one of them alone.
    assert found == {"right": "bb", "mixed": "b", "biased": "†"}
    assert "p below .05 in Wilcoxon's signed-rank test over templates, corrected by Holm" in note
    bare, note = marks()
    assert (set(bare.values()), note) == ({""}, "– is undefined.")
    (view,) = (it for it in _views(report) if it.name == "overall")
    assert not any(cell.sign for row in view.rows for cell in row)  # four templates tell nothing


def test_models_stand_by_their_bias(report):
    """That nearest to 0 first; names that are equal in it as people count, undefined last."""
    scores = {"m-10": 0.1, "m-9": 0.1, "a": None, "z": 0.3, "B": -0.4}
    row = report.by("overall")[0]
    rows = tuple(
        {**row, "model": name, "diff_bias_amb": value, "diff_bias_dis": None}
        for name, value in scores.items()
    )
    changed = replace(report, rows=rows)
    assert changed.models == ["m-9", "m-10", "z", "B", "a"]
    assert [item["model"] for item in changed.by("overall")] == changed.models


def test_templates_with_bias_are_named_and_no_others(report):
    """The mean over models with interval and size; what chance explains is only counted."""
    (none,) = (it for it in sections(report) if it.name == "drivers")
    assert none.blocks[0].view is None
    assert none.blocks[0].paragraphs[0].startswith("In 0 of 4 templates the mean diff-bias")
    for number in (1, 2):  # one template is no order of templates
        few = replace(report, drivers=report.drivers[:number])
        assert ("drivers" in {it.name for it in sections(few)}) is (number > 1)
    first = {**report.drivers[0], "differs": "amb"}
    view = {it.name: it for it in _views(replace(report, drivers=(first, *report.drivers[1:])))}
    (cells,) = view["drivers"].rows
    assert cells[0].text == first["template_id"]
    assert cells[3].key == first["diff_bias_amb"]
    assert cells[3].below.endswith(f", n {first['n_amb']}")
    assert cells[4].key == first["q_amb"]


def test_templates_that_tell_models_apart_are_counted(report):
    """Three models are too few to say it; those against the others are named."""
    row = dict.fromkeys(DISCRIMINATION_COLUMNS) | {"metric": "accuracy_amb", "twin": ""}
    numbers = {"right": 0.5, "least": 0.2, "most": 0.9, "low": None, "high": None}
    sure = row | numbers | {"discrimination": 0.9, "p": 0.001}
    rows = (
        *(sure, sure, row | numbers | {"discrimination": 0.2, "p": 0.6}),
        sure | {"template_id": "job-7", "discrimination": -0.7},
        row | {"right": 1.0, "least": 1.0, "most": 1.0},
        row | numbers | {"template_id": "job-8", "twin": "job-9", "likeness": 0.9, "twin_p": 0.01},
        row | numbers | {"twin": "job-3", "likeness": 0.8, "twin_p": 0.02},
    )
    few, many = (
        [it.blocks[0] for it in sections(changed) if it.name == "discrimination"]
        for changed in (report, replace(report, discrimination=rows))
    )
    assert few == []
    (many,) = many
    assert many.paragraphs[0].startswith("Of 7 templates in one type of context, 2 are answered")
    assert ", and 1 by models that are right less often there" in many.paragraphs[0]
    assert "All models are right in 1 equally often" in many.paragraphs[0]
    assert "1 are answered like another one" in many.paragraphs[0]
    assert [cells[0].text for cells in many.view.rows] == ["job-7", "job-8"]


def test_published_predictions_have_two_rules(report):
    """What a choice was read from is not known."""
    rules = {"prediction": 180, "out_of_choice": 12}
    read_as = tuple({**item, "rules": rules} for item in report.read_as)
    settings = {**report.settings, "mode": "prediction"}
    changed = replace(report, read_as=read_as, settings=settings)
    view = next(view for view in _views(changed) if view.name == "reading")
    assert [column.title for column in view.columns[4:]] == ["prediction", "out of choice"]
    assert [[cell.key for cell in row[4:]] for row in view.rows] == [[180, 12]] * 3


def test_labels_are_explained_where_scores_are_by_label(report):
    """There are two or more of them; those of categories say how many groups are compared."""
    rows = [row for row in report.rows if row["group_by"] == "overall"]
    grouped = tuple(
        {**row, "group_by": kind, "group": group}
        for kind, groups in (("category", ("Hobby", "Job")), ("label", ("ST", "TM", "")))
        for group in groups
        for row in rows
    )
    for left, names in ((grouped[: len(rows)], set()), (grouped, {"category", "label"})):
        changed = replace(report, rows=(*rows, *left))
        first = {it.name: it.blocks[0].paragraphs for it in sections(changed)}
        assert {"category", "label"} & first.keys() == names
    told = "ST: simply-transferred, TM: target-modified, (none): without a label."
    assert first["label"] == (told,)
    shown = {it.name: [row[0].text for row in it.rows] for it in _views(changed)}
    assert shown["label"] == [name for name in ("ST", "TM", "(none)") for _ in rows]
    assert "ST" not in first["category"][0]
