"""Requests: samples x prompts x orders."""

import ast
import csv

import pytest
from benchmark import benchmark
from hypothesis import given
from hypothesis import strategies as st

from curation.records.messages import CurateError
from evaluation.prompts import bundled_prompts, read_prompts
from evaluation.qa.prepare import make_requests
from evaluation.qa.samples import SampleFile, drawn
from evaluation.requests import ORDERS, Orders

ENGLISH = bundled_prompts("en").prompts


def test_the_orders_are_those_of_the_method():
    """The cyclic ones begin with the original; KoBBQ's are rows of a circulant matrix."""
    assert ORDERS[Orders.CYCLIC] == ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    assert ORDERS[Orders.KOBBQ] == ((0, 2, 1), (1, 0, 2), (2, 1, 0))


def test_an_unknown_expression_that_is_a_choice_is_refused():
    """No reply could tell which is meant."""
    sample = benchmark()[0]
    sample = sample._replace(choices=(ENGLISH[0].unknown.upper(), *sample.choices[1:]))
    with pytest.raises(CurateError, match="the unknown expression of prompt 1"):
        list(make_requests([sample], ENGLISH, Orders.CYCLIC))


def test_requests_are_those_of_the_published_preprocessing(reference):
    """Text by text, with the published prompts, from a direct reading of its steps."""
    with (reference / "kobbq" / "test_samples.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    with (reference / "kobbq" / "evaluation_prompts.tsv").open(encoding="utf-8") as stream:
        parts = list(csv.DictReader(stream, delimiter="\t"))
    expected = {}
    for row in rows:
        first, second, _ = ast.literal_eval(row["choices"])
        for prompt in parts:
            x, y, z = first, second, prompt["unknown"]
            for number, (a, b, c) in enumerate(((x, z, y), (y, x, z), (z, y, x))):
                text = f"{prompt['instruction']}\n\n{prompt['context']}{row['context']}\n"
                text += f"{prompt['question']}{row['question']}\n{prompt['a']}{a}\n"
                text += f"{prompt['b']}{b}\n{prompt['c']}{c}\n{prompt['answer']}"
                expected[f"{row['sample_id']}-{number}-p{prompt['prompt_id']}"] = text
    prompts = read_prompts(reference / "kobbq" / "evaluation_prompts.tsv").prompts
    samples = SampleFile(reference / "kobbq" / "test_samples.tsv")
    made = {
        item["request_id"]: item["messages"][0]["content"]
        for item in make_requests(samples, prompts, Orders.KOBBQ)
    }
    assert len(made) == 1384 * 5 * 3
    assert made == expected


@given(st.integers(1, 40), st.integers(0, 2**32))
def test_a_draw_is_seeded_and_keeps_the_order(limit, seed):
    """And has as many samples as were asked for, or all."""
    samples = benchmark()
    first, again = (list(drawn(iter(samples), len(samples), limit, seed)) for _ in range(2))
    assert first == again
    assert len(first) == min(limit, len(samples))
    assert first == sorted(first, key=samples.index)
