"""Scores are compared by what was asked, told by content and not by a label."""

import json
from dataclasses import replace

import pytest
from benchmark import benchmark

from curation.records.errors import CurateError
from evaluation.prompts import bundled_prompts
from evaluation.qa.grid import hashes_in_requests
from evaluation.qa.layouts import hashes_of_prompts
from evaluation.qa.measured import Measured, measured_of, refuse_unlike, unlike
from evaluation.qa.prepare import make_requests, prompt_settings
from evaluation.qa.samples import SamplesHash
from evaluation.requests import Orders

ONE = Measured("strict", "cyclic", "toolkit, ko", {"1": "aa", "2": "bb"}, "ko", "s1")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, []),
        ({"samples": "s2"}, []),  # two benchmarks have different samples
        ({"prompt_set": "kobbq.tsv"}, []),  # a name is a label
        (
            {"prompt_set": "kobbq.tsv", "prompts": {"1": "aa", "2": "cc"}},
            [
                "x and y were asked with prompts of different texts (toolkit, ko and kobbq.tsv), "
                "which may change the scores"
            ],
        ),
        (
            {"prompts": {"1": "zz", "2": "cc"}, "language": "en", "prompt_set": "toolkit, en"},
            ["x and y differ in language: ko and en"],
        ),
        ({"mode": "kobbq"}, ["x and y differ in mode: strict and kobbq"]),
        ({"prompts": {"1": "aa"}}, ["x and y differ in prompts: 1, 2 and 1"]),
        ({"orders": ""}, ["x and y differ in orders: cyclic and not known"]),
    ],
)
def test_what_differs_is_said(changed, said):
    """Prompts by their texts; the toolkit's own in two languages are one set."""
    assert list(unlike(("x", ONE), ("y", replace(ONE, **changed)))) == said


def test_what_changes_scores_is_refused():
    """How replies are read, the orders, and which prompts."""
    other = replace(ONE, mode="kobbq")
    with pytest.raises(CurateError, match="the same mode: strict, and kobbq"):
        refuse_unlike(("x", ONE), ("y", other), "here")
    refuse_unlike(("x", ONE), ("y", replace(ONE, language="en")), "here")


def test_a_manifest_holds_it_all():
    """What is written is read again, through JSON."""
    settings = json.loads(json.dumps(ONE.settings()))
    assert measured_of(settings, ["2", "1"]) == ONE
    assert measured_of({}, ["1"]) == Measured(prompts={"1": ""})


@pytest.mark.parametrize("language", ["en", "ko", "es", "zh", "ja", "de"])
def test_requests_tell_the_texts_of_their_prompts(tmp_path, language):
    """The same hashes as those of the prompts; one letter more is another prompt."""
    prompts = bundled_prompts(language)
    samples = benchmark(("hobby-001",))
    file = tmp_path / "requests.jsonl"
    made = make_requests(samples, prompts.prompts, Orders.CYCLIC)
    file.write_text("".join(f"{json.dumps(item)}\n" for item in made), "utf-8")
    unknown = {item.id: item.unknown for item in prompts.prompts}
    hashes = hashes_of_prompts(prompts.prompts)
    assert hashes_in_requests(file, unknown, samples) == hashes
    first = prompts.prompts[0]
    other = first.model_copy(update={"layout": f"{first.layout}."})
    assert hashes_of_prompts([other])[first.id] != hashes[first.id]
    assert len(set(hashes.values())) == len(hashes)
    assert prompt_settings(prompts, hashes, None)["prompts"]["name"] == f"toolkit, {language}"


def test_samples_are_known_by_their_content():
    """Not by their file: a word that changed changes the hash."""

    def of(samples):
        found = SamplesHash()
        list(found.through(samples))
        return found.hexdigest()

    samples = list(benchmark(("hobby-001",)))
    assert of(samples) == of(benchmark(("hobby-001",)))
    samples[1] = samples[1]._replace(question="Who?")
    assert of(samples) != of(benchmark(("hobby-001",)))
