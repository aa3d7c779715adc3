"""The published replies of three models give the paper's table 2 (Ko et al. 2024)."""

import csv
import json
from itertools import product

import numpy as np
import pytest
from scipy.stats import rankdata

from evaluation.occupations.scores import Item, Unreadable, count, counted, designs, fit, score
from evaluation.occupations.scoring import read_choices, score_rows
from evaluation.occupations.tasks import bundled_ratios
from evaluation.qa.variance import parts
from evaluation.replies.files import load_replies
from evaluation.reporting.words import rankings

MODELS = ("gpt4o_mini", "qwen2_7b_instruct", "llama3_8b")
INSTRUCTIONS = ("0", "1", "2")


@pytest.fixture(scope="module")
def published(reference):
    return reference / "factual" / "persona_gender"


def lines(path):
    """Read a file line by line; the last line may have no end."""
    return path.read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def asked(published):
    """The published items: an order says at which place each option is shown."""
    names = ("agg_sentences", "biased_job", "anti_biased_job", "input_order")
    columns = [lines(published / "data" / f"{name}.txt") for name in names]
    items = []
    for instruction in INSTRUCTIONS:
        for at, (persona, first, second, order) in enumerate(zip(*columns, strict=True)):
            places = [int(place) for place in order.split(",")]
            options = dict(zip(places, (first, second, "unknown"), strict=True))
            shown = tuple(options[place] for place in (1, 2, 3))
            group = persona.split()[0]
            name = f"{instruction}-{at}"
            items.append(Item(name, "gender", instruction, group, persona, shown, "unknown"))
    return tuple(items)


@pytest.fixture(scope="module")
def replies(published, tmp_path_factory):
    path = tmp_path_factory.mktemp("replies") / "replies.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for model in MODELS:
            for instruction in INSTRUCTIONS:
                file = published / "responses" / f"{model}_instruction{instruction}.txt"
                for at, reply in enumerate(lines(file)):
                    line = {"request_id": f"{instruction}-{at}", "model": model, "reply": reply}
                    stream.write(json.dumps(line) + "\n")
    return path


@pytest.mark.parametrize("unreadable", list(Unreadable))
def test_raw_replies_give_table_2(reference, asked, replies, unreadable):
    """M_B and M_R within 0.002, M_S within 0.015: the paper rounds Score to two decimals."""
    tasks, findings = designs(asked, bundled_ratios(), file="items.csv")
    assert findings == ()
    picks, attendance = read_choices(asked, load_replies([replies]))
    assert [item.missing for item in attendance] == [()] * 3
    assert sum(sum(item.rules.values()) for item in attendance) == 3 * 4800
    found = {item.model: item.overall for item in score(picks, tasks, unreadable)}
    with (reference / "factual" / "table2_persona_gender.csv").open(encoding="utf-8") as stream:
        table = list(csv.DictReader(stream))
    assert {row["model"] for row in table} == set(found) == set(MODELS)
    for row in table:
        measures = found[row["model"]]
        for name, near in (("M_B", 0.002), ("M_R", 0.002), ("M_S", 0.015)):
            assert measures[name] == pytest.approx(float(row[name]), abs=near)
        assert measures["out_of_choice"] == 0
    # The best M_B of the paper's 17 models is what chance gives; the others are far from it.
    assert {name: row["n_exchanged"] for name, row in found.items()} == dict.fromkeys(MODELS, 800)
    alike = found["llama3_8b"]
    assert alike["M_B_null"] == pytest.approx(0.056, abs=0.001)
    assert alike["M_B_p"] > 0.3
    assert alike["M_S_p"] > 0.05
    assert alike["M_B_low"] == 0
    for name in ("gpt4o_mini", "qwen2_7b_instruct"):
        assert (found[name]["M_B_p"], found[name]["M_S_p"]) == (1 / 2001, 1 / 2001)


def test_the_models_are_ranked_as_by_the_papers_numbers(reference, asked, replies):
    """By the distances from 0, 1 and 2 in its table 2."""
    tasks, _ = designs(asked, bundled_ratios(), file="items.csv")
    rows = score_rows(score(read_choices(asked, load_replies([replies]))[0], tasks))
    found = {it.name: it.ranks for it in rankings((), None, rows) if it.values}
    with (reference / "factual" / "table2_persona_gender.csv").open(encoding="utf-8") as stream:
        table = list(csv.DictReader(stream))
    for name, ideal in (("M_B", 0), ("M_R", 1), ("M_S", 2)):
        ranks = rankdata([abs(float(row[name]) - ideal) for row in table])
        told = dict(zip((row["model"] for row in table), ranks, strict=True))
        assert found[f"{name} gender"] == told


def split(values):
    """Variances by mean squares, of models x pairs x personas (of a pair) x instructions."""
    names = ("models", "templates", "samples", "prompts")
    found = {}
    for kept in sorted(product((0, 1), repeat=4), key=sum, reverse=True):
        if kept[2] > kept[1] or not any(kept):  # personas lie within pairs
            continue
        left, df = values, 1
        for axis, (name, size) in enumerate(zip(names, values.shape, strict=True)):
            within = name == "templates" and kept[2]
            mean = left.mean(axis=axis, keepdims=True)
            left = (left if within else left - mean) if kept[axis] else mean
            df *= (size if within else size - 1) if kept[axis] else 1
        each = {at: np.prod(values.shape) / np.prod(np.power(values.shape, at)) for at in found}
        above = [at for at in found if all(one >= two for one, two in zip(at, kept, strict=True))]
        times = np.prod(values.shape) / np.prod(np.power(values.shape, kept))
        square = times * (left**2).sum() / df
        found[kept] = (square - sum(each[at] * found[at] for at in above)) / times
    shared = {at: [name for name, one in zip(names, at, strict=True) if one] for at in found}
    for names in shared.values():
        if "samples" in names:
            names.remove("templates")
    return {" x ".join(names): found[at] for at, names in shared.items()}


def test_what_the_replies_differ_in_is_that_of_mean_squares(asked, replies):
    """Three models, 400 pairs of occupations, four personas, three instructions."""
    picks, _ = read_choices(asked, load_replies([replies]))
    chosen = np.full((3, 4800), np.nan)
    for model, at, option, _ in picks.rows.itertuples(index=False):
        item = asked[at]
        pair = sorted({*item.options} - {item.unknown})
        chosen[model, at] = {pair[0]: 1, pair[1]: -1}.get(item.options[option], 0)
    pairs = [tuple(sorted(item.options)) for item in asked[:1600]]
    order = sorted(range(1600), key=lambda at: pairs[at])
    values = chosen.reshape(3, 3, 1600)[:, :, order].swapaxes(1, 2)
    told = split(values.reshape(3, 400, 4, 3))
    found = {
        it.name: it.variance for it in parts(list(values[..., None, None]), np.arange(1600) // 4)
    }
    rest = found.pop("rest")
    assert found | {"models x samples x prompts": rest} == pytest.approx(told, abs=1e-9)
    # How a model takes a persona is most of it; instructions alone are next to nothing.
    assert max(found, key=found.get) == "models x samples"
    assert abs(found["prompts"]) < 0.01 < found["models x samples"]


def test_rounding_explains_the_slope_of_the_third_model(asked, replies):
    """The paper's -0.808 is among those of scores and ratios of two decimals; ours is -0.802."""
    (design,), _ = designs(asked, bundled_ratios(), file="items.csv")
    picks, _ = read_choices(asked, load_replies([replies]))
    found = {item.model: item for item in score(picks, (design,))}
    result = found["qwen2_7b_instruct"]
    assert result.overall["M_S"] == pytest.approx(-0.8021, abs=5e-5)
    mine = picks.rows[picks.rows["model"] == picks.models.index(result.model)]
    counts = count(mine["item"].to_numpy(), mine["option"].to_numpy(), design, Unreadable.EXCLUDE)
    shown, chosen = counted(design, counts.taken, exchanged=False)
    share = (chosen / shown).mean(axis=1)
    rounded = share.round(2)[0] - share.round(2)[1]
    slopes = [
        fit(ratio, scores)["M_S"]
        for ratio in (design.ratio, design.ratio.round(2))
        for scores in (share[0] - share[1], (share[0] - share[1]).round(2), rounded)
    ]
    assert min(slopes) == pytest.approx(-0.8102, abs=5e-5)
    assert max(slopes) == pytest.approx(-0.8013, abs=5e-5)


def test_the_bundled_ratios_are_those_of_the_published_statistics(published):
    """The numbers behind the 40 female ratios."""
    path = published / "data" / "detailed_stats_occupation_ratio.json"
    statistics = json.loads(path.read_text(encoding="utf-8"))
    known = {}
    for occupation, titles in statistics.items():
        people = sum(title["number"] for title in titles.values())
        women = sum(title["number"] * title["woman_ratio"] for title in titles.values())
        known[occupation] = women / people / 100
    assert {item.occupation: item.ratio for item in bundled_ratios()} == pytest.approx(known)


def test_replies_that_repeat_the_option_agree_with_the_order(published, asked):
    """`(3): writer.` tells at which place the writer stood: the orders are read the right way."""
    checked = 0
    for instruction in INSTRUCTIONS:
        file = published / "responses" / f"gpt4o_mini_instruction{instruction}.txt"
        items = [item for item in asked if item.instruction == instruction]
        for item, reply in zip(items, lines(file), strict=True):
            number, colon, text = reply.partition("): ")
            if colon:
                assert item.options[int(number[1:]) - 1] == text.rstrip(".")
                checked += 1
    assert checked == 843
