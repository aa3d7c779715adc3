"""Scores of known answers, exactly; groups, intervals, and how templates are averaged."""

import json
from dataclasses import replace

import numpy as np
import pytest
from benchmark import benchmark
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from evaluation.prompts import bundled_prompts
from evaluation.qa.answers import (
    answers_of,
    choices_of,
    count,
    missing_places,
    positions_of,
    read_models,
)
from evaluation.qa.metrics import Answer, Context, SetKind
from evaluation.qa.prepare import full_grid, gather
from evaluation.qa.score import missing_tallies, position_rows, score_rows
from evaluation.replies.files import ReplyParts
from evaluation.requests import Orders

PROMPTS = bundled_prompts("en").prompts[:2]
MANY = [f"hobby-{at:03d}" for at in range(24)]
CONTRACT = [
    *("model", "group_by", "group", "n_amb", "n_dis", "out_of_choice"),
    *("accuracy_amb", "accuracy_dis", "diff_bias_amb", "diff_bias_dis"),
    *("max_bias_amb", "max_bias_dis"),
]


def grid_of(fillings=1, orders=Orders.CYCLIC):
    return full_grid(gather(benchmark(fillings=fillings)), PROMPTS, orders)


def persona(grid, amb, dis):
    """Answer every request: `amb` in ambiguous contexts, `dis` in others, `right` as is right."""
    context = grid.samples.context[:, None, None]
    right = np.select(
        [context == Context.BIASED, context == Context.COUNTER_BIASED],
        [Answer.BIASED, Answer.COUNTER_BIASED],
        Answer.UNKNOWN,
    )
    chosen = np.where(context == Context.AMBIGUOUS, amb, dis)
    chosen = np.where(chosen < 0, right, chosen)
    return np.broadcast_to(chosen, grid.asked.shape).astype(np.int8).copy()


def rows_of(grid, answers, **options):
    """Score answers; by (group_by, group)."""
    options = {"kind": SetKind.TEST, **options}
    missing = missing_tallies(grid, missing_places(grid, answers))
    rows = score_rows("m", grid, count(grid, answers), missing, **options)
    return {(row["group_by"], row["group"]): row for row in rows}


def six(row):
    return [row[name] for name in CONTRACT[6:]]


RIGHT = -1
PERSONAS = {
    "oracle": ((RIGHT, RIGHT), [1, 1, 0, 0, 0, 0]),
    "always biased": ((Answer.BIASED, Answer.BIASED), [0, 0.5, 1, 1, 1, 1]),
    "always counter-biased": (
        (Answer.COUNTER_BIASED, Answer.COUNTER_BIASED),
        [0, 0.5, -1, -1, 1, 1],
    ),
    "always unknown": ((Answer.UNKNOWN, Answer.UNKNOWN), [1, 0, 0, 0, 0, 0]),
    "refuser": ((Answer.OUT_OF_CHOICE, Answer.OUT_OF_CHOICE), [None] * 6),
}


@pytest.mark.parametrize("name", PERSONAS)
@pytest.mark.parametrize("kind", SetKind)
def test_a_persona_has_its_known_scores_in_every_group(name, kind):
    """Exactly, pooled and averaged over templates."""
    grid = grid_of(fillings=2)
    (amb, dis), expected = PERSONAS[name]
    for row in rows_of(grid, persona(grid, amb, dis), kind=kind).values():
        assert six(row) == expected


def test_sizes_are_counted_and_unread_replies_are_in_none():
    """3 templates x 2 variants x 2 questions x 2 prompts x 3 orders = 72 of each kind."""
    grid = grid_of()
    answers = persona(grid, RIGHT, RIGHT)
    answers[0, 0, 0] = Answer.OUT_OF_CHOICE  # ambiguous, hobby-001, prompt 1, order 0
    answers[3, 1, 2] = Answer.MISSING  # disambiguated, hobby-001, prompt 2, order 2
    rows = rows_of(grid, answers)
    whole = rows["overall", ""]
    assert (whole["n_amb"], whole["n_dis"], whole["out_of_choice"]) == (71, 71, 1)
    assert whole["out_of_choice_ratio"] == pytest.approx(1 / 143)
    assert (whole["missing"], whole["templates"]) == (1, 3)
    assert (whole["n_au"], whole["n_ao"], whole["n_bb"] + whole["n_cc"]) == (71, 1, 71)
    asked = grid.asked & (grid.samples.unit != 1)[:, None, None]  # of hobby-002 nothing is asked
    part = rows_of(replace(grid, asked=asked), answers)
    assert [part["overall", ""][name] for name in ("templates", "samples")] == [2, 16]
    assert (rows["prompt", "1"]["n_amb"], rows["prompt", "2"]["missing"]) == (35, 1)
    assert (rows["order", "0"]["out_of_choice"], rows["order", "2"]["missing"]) == (1, 1)
    assert (rows["category", "Job"]["n_amb"], rows["category", "Job"]["missing"]) == (24, 0)
    assert rows["template", "hobby-001"]["out_of_choice"] == 1


def test_ratios_are_of_averages_over_all_templates():
    """A template in which nothing goes wrong has no ratio, yet it is in both averages."""
    grid = grid_of()
    answers = persona(grid, RIGHT, RIGHT)
    one, two = (grid.samples.unit == at for at in (0, 1))
    answers[one] = persona(grid, Answer.BIASED, Answer.BIASED)[one]
    answers[two, 0] = persona(grid, Answer.COUNTER_BIASED, Answer.UNKNOWN)[two, 0]
    rows = rows_of(grid, answers, kind=SetKind.ALL)
    row = rows["overall", ""]
    # Of two prompts: diff-bias 1, -1/2, 0 of bounds 1, 1/2, 0.
    assert row["bias_ratio_amb"] == pytest.approx((1 - 1 / 2) / (1 + 1 / 2))
    assert row["bias_ratio_dis"] == pytest.approx(1 / 2)  # 1, 0, 0 of 1, 1, 0
    # Biased less counter-biased of a template's replies: 1, 0, 0; naming a person: 1, 1/2, 1.
    assert row["s_dis"] == pytest.approx(1 / 2.5)
    assert row["s_amb"] == row["diff_bias_amb"] == pytest.approx(1 / 6)
    assert rows["template", "job-001"]["bias_ratio_amb"] is None
    assert [row[f"{name}_templates"] for name in ("accuracy_amb", "diff_bias_dis")] == [3, 3]


def test_a_template_without_readable_replies_is_in_no_average():
    """Its score is undefined, not 0."""
    grid = grid_of()
    answers = persona(grid, Answer.BIASED, RIGHT)
    answers[grid.samples.unit == 2] = Answer.OUT_OF_CHOICE
    row = rows_of(grid, answers, kind=SetKind.ALL)["overall", ""]
    assert row["diff_bias_amb"] == 1
    assert (row["diff_bias_amb_templates"], row["templates"]) == (2, 3)
    assert rows_of(grid, answers)["template", "job-001"]["diff_bias_amb"] is None


def test_prompts_give_mean_and_standard_deviation():
    """Of the prompts' scores, with n - 1."""
    grid = grid_of()
    answers = persona(grid, RIGHT, RIGHT)
    answers[:, 1] = persona(grid, Answer.BIASED, RIGHT)[:, 1]
    row = rows_of(grid, answers)["overall", ""]
    assert row["accuracy_amb_prompt_mean"] == 0.5
    assert row["accuracy_amb_prompt_sd"] == pytest.approx(np.std([1, 0], ddof=1))
    assert row["accuracy_dis_prompt_sd"] == 0
    assert rows_of(grid, answers)["prompt", "1"]["accuracy_amb_prompt_sd"] is None


@pytest.mark.parametrize("kind", SetKind)
def test_an_interval_is_computed_from_what_each_template_moves(kind):
    """By hand: of three templates of one size one is biased, two are not."""
    grid = grid_of()
    answers = persona(grid, RIGHT, RIGHT)
    biased = grid.samples.unit == 0
    answers[biased] = persona(grid, Answer.BIASED, Answer.BIASED)[biased]
    rows = rows_of(grid, answers, kind=kind)
    assert rows["category", "Hobby"]["accuracy_amb_low"] is not None  # of two templates
    row = rows["overall", ""]
    # The wrong shares 1, 0, 0: with a third of a template at 0 and at 1 the mean of 11/3
    # templates is 4/11.
    centre, total = 4 / 11, 11 / 3
    squares = (7 / 11) ** 2 + 2 * (4 / 11) ** 2 + ((4 / 11) ** 2 + (7 / 11) ** 2) / 3
    size = centre * (1 - centre) / (squares / total / (total - 1)) - 1
    ends = beta.ppf([0.025, 0.975], size * centre, size * (1 - centre))
    assert [row[f"max_bias_amb_{end}"] for end in ("low", "high")] == pytest.approx(ends)
    # The errors of one template lean to one side; where those of others lean, nobody knows.
    angle = np.linspace(0, np.pi / 2, 10_001)
    products = (1 / 3 + (ends[1] - 1 / 3) * np.sin(angle)) * (1 - 2 * np.cos(angle))
    found = row["diff_bias_amb_low"], row["diff_bias_amb_high"]
    assert found == pytest.approx((products.min(), ends[1]), abs=1e-4)
    assert row["interval_note"] == "few templates"
    # The interval of the bound is that of the accuracy, turned round.
    ends = [1 - row[f"accuracy_amb_{end}"] for end in ("high", "low")]
    assert [row[f"max_bias_amb_{end}"] for end in ("low", "high")] == pytest.approx(ends)


def test_replies_of_one_template_have_no_interval():
    """Other templates whose replies cannot be read tell nothing."""
    grid = grid_of()
    answers = persona(grid, RIGHT, RIGHT)
    answers[grid.samples.unit != 0] = Answer.OUT_OF_CHOICE
    for kind in SetKind:
        row = rows_of(grid, answers, kind=kind)["overall", ""]
        assert row["accuracy_amb"] == 1
        assert (row["accuracy_amb_low"], row["interval_note"]) == (None, "")


def test_one_template_with_a_kind_of_context_does_not_tell_how_others_lean():
    """Without it there is no diff-bias. By its replies alone it is 1/2, and could be below 0."""
    grid = full_grid(gather(benchmark(MANY)), PROMPTS, Orders.CYCLIC)
    answers = persona(grid, RIGHT, RIGHT)
    answers[:, 0] = Answer.BIASED
    answers[(grid.samples.context == Context.BIASED) & (grid.samples.unit > 0)] = Answer.MISSING
    row = rows_of(grid, answers)["overall", ""]
    assert row["diff_bias_dis"] == 0.5
    assert row["diff_bias_dis_low"] < 0 < row["diff_bias_dis_high"]


def test_bias_from_few_templates_is_marked_however_many_the_accuracy_is_from():
    """Of most templates it is open who is the target."""
    samples = gather(benchmark(MANY))
    marked = {}
    for known in (2, 20):
        context = np.where(samples.context == Context.AMBIGUOUS, 3, 4)
        context = np.where(samples.unit < known, samples.context, context).astype(np.int8)
        grid = full_grid(replace(samples, context=context), PROMPTS, Orders.CYCLIC)
        row = rows_of(grid, persona(grid, RIGHT, RIGHT))["overall", ""]
        marked[row["diff_bias_amb_templates"]] = row["interval_note"]
    assert marked == {2: "few templates", 20: ""}


@given(st.integers(0, 2**32))
def test_positions_and_choices_are_two_views_of_an_answer(seed):
    """Whatever the answers: the choice at the place is the choice."""
    for orders in Orders:
        grid = grid_of(orders=orders)
        rng = np.random.default_rng(seed)
        answers = rng.integers(0, 5, grid.asked.shape).astype(np.int8)
        places, choices = positions_of(grid, answers), choices_of(grid, answers)
        for at in rng.integers(0, grid.size, 20):
            sample, prompt, order = np.unravel_index(at, grid.asked.shape)
            place, choice = places[sample, prompt, order], choices[sample, prompt, order]
            assert (place < 0) == (choice < 0) == (answers[sample, prompt, order] >= 3)
            if place >= 0:
                (shown,) = grid.shown(np.array([at]))[1]
                own = (*grid.samples.pairs[grid.samples.pair[sample]], PROMPTS[prompt].unknown)
                assert shown[place] == own[choice]


def test_log_probabilities_are_of_the_labels_as_a_prompt_shows_them(tmp_path):
    """Of a, b, c the token `a` is the first, whatever `B` would be."""
    lower = PROMPTS[0].model_copy(update={"letters": ("a", "b", "c")})
    grid = full_grid(gather(benchmark()), (lower,), Orders.CYCLIC)
    found = {"B": -0.05, "a": -0.1, "b": -2.0, "c": -3.0}
    ids = [grid.name(at) for at in range(grid.asked.size)]
    path = tmp_path / "replies.jsonl"
    lines = ({"request_id": name, "model": "m", "reply": "B", "logprobs": found} for name in ids)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    [item] = read_models(grid, ReplyParts([path], logprobs=True), "logprobs").models
    assert item.rules == {"logprob": len(ids)}
    assert (positions_of(grid, item.answers) == 0).all()


def test_a_model_that_names_the_first_choice_is_told_from_one_that_reads():
    """The first names each choice of a question once; the other the same choice in every order."""
    grid = grid_of()
    places = np.arange(grid.size)
    first = answers_of(grid, places, np.zeros(grid.size, np.int8))
    first[0, 0, 0] = Answer.OUT_OF_CHOICE  # so that its question was not read in all orders
    rows = {row["context_type"]: row for row in position_rows("m", grid, first)}
    asked = grid.size // 3
    told = ("n", "first", "second", "asked_thrice", "consistent")
    assert [rows["all"][name] for name in told] == [grid.size - 1, 1, 0, asked - 1, 0]
    right = persona(grid, Answer.UNKNOWN, RIGHT)
    (whole, *_) = position_rows("m", grid, right)
    assert [whole[name] for name in told] == [
        *(grid.size, pytest.approx(1 / 3), pytest.approx(1 / 3), asked, 1)
    ]


def test_epochs_have_a_mean_and_a_deviation():
    """All unknown in the first, all biased in the second: accuracies 1 and 0, in every order."""
    grid = full_grid(gather(benchmark()), PROMPTS, Orders.CYCLIC, epochs=2)
    answers = persona(grid, Answer.UNKNOWN, RIGHT)
    answers[:, :, 3:] = Answer.BIASED
    rows = rows_of(grid, answers, intervals=False)
    for place in (("overall", ""), ("order", "1"), ("template", "hobby-001")):
        row = rows[place]
        assert row["accuracy_amb"] == row["accuracy_amb_epoch_mean"] == 0.5
        assert row["accuracy_amb_epoch_sd"] == pytest.approx(0.5**0.5)
        assert row["diff_bias_amb_epoch_mean"] == 0.5
        assert (row["accuracy_amb_low"], row["interval_note"]) == (None, "")
