"""The published replies of three models give the paper's table 2 (Ko et al. 2024)."""

import csv
import json

import pytest
from scipy.stats import rankdata

from evaluation.occupations.scores import Item, Unreadable, designs, score
from evaluation.occupations.scoring import read_choices, score_rows
from evaluation.occupations.tasks import bundled_ratios
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
