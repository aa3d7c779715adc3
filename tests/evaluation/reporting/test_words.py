"""What is said first, and the method with the settings that were used."""

from dataclasses import replace

import pytest

from curation.files.workspace import Workspace
from curation.report.page import markdown
from evaluation.compare.testing import MODEL_COLUMNS
from evaluation.measures import verdict, verdicts
from evaluation.qa.metrics import BOUNDS, MAIN
from evaluation.qa.score import ModelUnparsed
from evaluation.qa.scoring import ScoreInputs, read_answers, score_answers
from evaluation.qa.surveyed import SURVEYED_COLUMNS
from evaluation.reporting.report import _benchmark, report_of
from evaluation.reporting.sections import page_of
from evaluation.reporting.words import agreements, answer, notes, summary


def read_as(model, failed, missing):
    return {"model": model, "rules": {"letter": 192}, "failed": failed, "missing": missing}


@pytest.fixture
def known(report):
    return replace(report, read_as=(read_as("m", 0, 0),), unparsed=(), notes=())


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"mode": "kobbq"}, "parsed as KoBBQ's published script does, with its errors"),
        ({"mode": "logprobs"}, "not comparable with scores from parsed replies"),
        ({"prompts": ("1",)}, "One prompt was used"),
        ({"intervals": False}, "There are no intervals: they were turned off"),
        (
            {"templates": 1},
            "There are no intervals: they are computed over templates, and there is only one",
        ),
        ({"requests": 100}, "100 of 192 possible requests were asked"),
    ],
)
def test_settings_that_change_what_scores_mean_are_noted(known, changed, said):
    (note,) = notes(replace(known, settings={**known.settings, **changed}), ())
    assert said in note


TOWARDS = "towards the stereotype"
CERTAIN = "(the 95 % interval excludes 0)"
ALL_CERTAIN = "(the 95 % intervals exclude 0)"
VERDICTS = (
    (((0.1, 0.01, 0.2), (0.3, 0.1, 0.5)), f"both models lean {TOWARDS} {ALL_CERTAIN}"),
    (
        ((0.1, 0.01, 0.2), (0.3, 0.0, 0.5)),
        f"1 of 2 models leans {TOWARDS} {CERTAIN}, 1 to no certain side",
    ),
    (
        ((0.1, -0.1, 0.2),) * 3,
        "all 3 models lean to no certain side (the 95 % intervals include 0)",
    ),
    (
        ((-0.1, -0.2, -0.01), (0.3, 0.1, 0.5)),
        f"1 of 2 models leans {TOWARDS} {CERTAIN}, 1 against it",
    ),
    (
        ((-0.1, -0.2, -0.1), (0.0, 0.0, 0.0), (0.3, 0.1, 0.5), (0.2, 0.1, 0.5), (0.2, -0.1, 0.5)),
        f"2 of 5 models lean {TOWARDS} {ALL_CERTAIN}, 1 against it, 2 to no certain side",
    ),
    (
        ((-0.1, -0.2, -0.01), (-0.1, -0.2, 0.0)),
        f"1 of 2 models leans against the stereotype {CERTAIN}, 1 to no certain side",
    ),
    (
        ((0.0, 0.0, 0.0), (None, None, None)),
        "the model leans to no certain side (the 95 % interval includes 0)",
    ),
    (
        ((0.2, None, None), (0.3, 0.1, 0.5)),
        f"1 of 2 models leans {TOWARDS} {CERTAIN}, 1 to no certain side",
    ),
    (
        ((0.2, None, None), (0.3, -0.1, 0.5)),
        "both models lean to no certain side (the 95 % intervals include 0 or are missing)",
    ),
    (((0.2, None, None),), f"the model leans {TOWARDS} (there is no interval)"),
)


@pytest.mark.parametrize(("ends", "said"), VERDICTS)
def test_the_verdict_is_what_the_intervals_support(ends, said):
    """Whoever has 0 in the interval leans to no certain side, however large the score is."""
    names = ("diff_bias_amb", "diff_bias_amb_low", "diff_bias_amb_high")
    rows = [dict(zip(names, values, strict=True)) for values in ends]
    assert verdict(rows, "diff_bias_amb", "ambiguous contexts") == f"In ambiguous contexts {said}."


def test_contexts_in_which_other_models_lean_have_a_verdict_each():
    """As many may lean in both, and not the same ones."""
    ends = {"": 0.2, "_low": 0.1, "_high": 0.3}, {"": 0.0, "_low": -0.1, "_high": 0.1}
    first, second, alike = (
        {f"{name}{end}": it[end] for name, it in zip(BOUNDS, pair, strict=True) for end in it}
        for pair in (ends, ends[::-1], ends[:1] * 2)
    )
    assert len(verdicts([first, second])) == 2
    assert len(verdicts([alike, alike])) == 1


def test_the_report_begins_with_the_verdict(report):
    """Then each score from the lowest to the highest, then who was asked; else only the last."""
    first, second, third = answer(report, ranges=True)
    assert list(answer(report)) == [first, third]
    assert first.startswith("In both types of context all 3 models lean to no certain side")
    apart = tuple({**row, "diff_bias_dis_low": 0.1} for row in report.rows)
    told = next(answer(replace(report, rows=apart)))
    assert told.startswith("In ambiguous contexts all 3 models lean to no certain side")
    assert "In disambiguated contexts all 3 models lean towards" in told
    assert second.startswith("Diff-bias in ambiguous contexts 0.00 (right) to 1.00 (biased); ")
    assert "; accuracy in ambiguous contexts 0.00 to 1.00; " in second
    assert third == summary(report)
    none = tuple({**row, **dict.fromkeys(row, None)} for row in report.rows)
    bare = replace(report, rows=none, stories=None, occupations=None)
    assert list(answer(bare)) == [summary(bare)]


def test_occupations_are_told_by_task(known):
    """Of those models whose M_B was tested; .05 itself is no less than .05."""
    chances = {
        "names": (0.049, 0.05, None),
        "pronouns": (0.05,),
        "ages": (0.01,),
        "ranks": (0.5, 0.6),
        "cities": (None,),
    }
    rows = tuple({"task": task, "M_B_p": p} for task, found in chances.items() for p in found)
    told = " ".join(answer(replace(known, rows=(), stories=None, occupations=rows)))
    said = "treated more differently than chance explains by"
    for sentence in (
        f"In names the groups are {said} 1 of 2 models (",
        f"In pronouns the groups are not {said} the model (",
        f"In ages the groups are {said} the model (",
        f"In ranks the groups are {said} none of 2 models (",
    ):
        assert sentence in told
    assert "In cities" not in told


def with_tests(report, p):
    """The report with this p of a test of categories, and of an effect."""
    anova = tuple({**row, "p_holm": p} for row in report.tests["anova"])
    effects = ({**report.effects[0], "p_holm": p, "value": 0.5},)
    return replace(report, tests={**report.tests, "anova": anova}, effects=effects)


def paired(report, differs, of="category"):
    """Categories differ; of their pairs, or of those of another kind of group, one may."""
    tests = with_tests(report, 0.01).tests
    first, *others = [row for row in tests["permutation"] if row["group_by"] == "category"]
    rows = [
        first | {"p": 0.01, "differs": differs, "group_by": of},
        *({**row, "differs": "no"} for row in others),
    ]
    return replace(report, tests={**tests, "permutation": tuple(rows)})


def surveyed(report, p):
    row = dict.fromkeys(SURVEYED_COLUMNS) | {"model": "right", "kind": "choice", "rho": 0.5}
    return replace(report, surveyed=(row | {"metric": "diff_bias_amb", "p_holm": p},))


def compared(report, p, low=None):
    row = dict.fromkeys(MODEL_COLUMNS) | {"model_1": "right", "model_2": "mixed", "p_holm": p}
    row |= {"low_prompts": low, "high_prompts": low}
    return replace(report, differences=({**row, "metric": "accuracy_amb"},) * 25)


def opposed(report, *names):
    ranks = [it for it in report.rankings if it.name in names]
    return replace(report, agreements=tuple(agreements(ranks)))


def against(report, tau):
    (row,) = opposed(report, "accuracy_amb", OCCUPATION).agreements
    return replace(report, agreements=({**row, "tau": tau},))


def asked(report, *, number, **changed):
    """So many models whose scores, calls or replies are so."""
    rows = [{**report.by("overall")[0], **changed, "model": f"m{at}"} for at in range(number)]
    bounds = tuple({"score": name, "value": 0.5, "least": 0, "most": 1} for name in MAIN)
    unparsed = tuple(ModelUnparsed(f"m{at}", 30, 100, (), (), bounds) for at in range(number))
    told = tuple(read_as(f"m{at}", 0, 7) for at in range(number))
    found = replace(report, rows=tuple(rows), unparsed=unparsed, read_as=told)
    return replace(found, notes=tuple(notes(found, ())))


def few(report, note):
    rows = tuple({**row, "interval_note": note} for row in report.rows)
    return replace(report, rows=rows, differences=(), effects=())


def in_epochs(report, epochs):
    return replace(report, settings={**report.settings, "epochs": epochs})


OCCUPATION = "M_B persona-gender"
NO_SCORE = {"accuracy_dis": None}
CLAIMS = [
    ("Scores differ by category", with_tests, (0.049,), (0.05,)),
    ("1 of 1 effect of the place or length", with_tests, (0.049,), (0.05,)),
    ("1 of 1 correlation differ from 0", surveyed, (0.049,), (0.05,)),
    ("accuracy, ambiguous: 25 of 25;", compared, (0.049,), (0.05,)),
    ("has the intervals over other prompts too", compared, (0.5, 0.1), (0.5, None)),
    ("and scores: 1 of", paired, ("yes",), ("no",)),
    ("and scores: 1 of", paired, ("yes",), ("yes", "nothing")),
    ("1 of them put more pairs", against, (-0.1,), (0.0,)),
    ("1 of 1 pair of rankings put", opposed, ("accuracy_amb", OCCUPATION), ("ntr_gen", "bias_gen")),
    ("models have requests without a reply", asked, {"number": 4}, {"number": 3}),
    ("have more than 2 % of their replies", asked, {"number": 4}, {"number": 3}),
    ("4 models have undefined scores", asked, {"number": 4, **NO_SCORE}, {"number": 3, **NO_SCORE}),
    ("m0: these scores are undefined", asked, {"number": 1, **NO_SCORE}, {"number": 1}),
    ("\\* from fewer than 20 templates", few, ("few",), ("",)),
    ("2 prompts × 3 orders × 2 epochs)", in_epochs, (2,), (1,)),
]


@pytest.mark.parametrize(("claim", "changed", "true", "false"), CLAIMS)
def test_a_claim_is_made_where_it_is_true_and_nowhere_else(report, claim, changed, true, false):
    """What other tests do not hold to both sides already."""

    def text(given):
        made = changed(report, **given) if isinstance(given, dict) else changed(report, *given)
        return markdown(page_of(made))

    assert claim in text(true)
    assert claim not in text(false)


def test_without_a_culture_a_report_is_called_by_all_of_its_files(tmp_path):
    """Many are shortened; without one it is the folder."""
    files = [tmp_path / f"{at}.jsonl" for at in range(4)]
    for number, said in ((0, "w"), (1, "0.jsonl"), (2, "0.jsonl, 1.jsonl")):
        assert _benchmark(Workspace(tmp_path / "w"), files[:number], "")["title"] == said
    assert _benchmark(Workspace(tmp_path), files, "")["title"].endswith(", 2.jsonl, ...")


def test_what_could_be_seen_is_said_where_it_is_known(report):
    told = [
        markdown(page_of(replace(report, visible=seen))) for seen in ({}, {"accuracy_amb": 0.25})
    ]
    assert ["accuracy, ambiguous 0.25." in text for text in told] == [False, True]
    assert "with a probability of .8" not in told[0]
    assert "with 99 % intervals, which hold for all" in " ".join(told[0].split())


def test_models_that_were_asked_other_requests_are_reported_and_not_compared(reference):
    """One of the formats of the published replies was asked in ambiguous contexts alone."""
    wanted = ScoreInputs(predictions=(reference / "bbq/predictions/unifiedqa_Age.jsonl",))
    workspace = Workspace(reference / "nowhere")
    read = read_answers(workspace, wanted)
    others = {"stories": None, "occupations": None}
    made = report_of(workspace, others, (wanted, read, score_answers(read, wanted)))
    assert made.differences == ()
    (note,) = (text for text in made.notes if text.startswith("Models are not compared: "))
    assert "_qonly" in note
    assert summary(made).startswith("3 models were asked up to 3,680 requests each")
