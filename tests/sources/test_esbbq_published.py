"""The reader of EsBBQ and CaBBQ on the published workbooks: what was published comes out."""

import csv
from collections import Counter
from functools import cache

import pytest

from curation.bank.generate import filler_groups
from curation.bank.planning import plan
from curation.records.bank import Bank, Label
from curation.sources import esbbq

UNKNOWN = "unknown"
PUBLISHED = {"Age": 4068, "Gender": 4832, "Nationality": 504, "RaceEthnicity": 3716}
"""Samples of each category, in both languages."""


@cache
def imported(reference, language):
    return esbbq.read(sorted((reference / "esbbq" / "templates").glob("*.xlsx")), language)


@cache
def made(reference, language):
    found = imported(reference, language)
    templates = list(Bank(found.variants).templates())
    return tuple(plan(templates, language, UNKNOWN, filler_groups(found.groups)).samples())


def instances(reference, category):
    (path,) = (reference / "esbbq" / "data_es").glob(f"{category}.*.csv")
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def asked(instance):
    answers = [instance[f"ans{at}"] for at in range(3)]
    correct = answers[int(instance["label"])]
    return instance["context"], instance["question"], frozenset(answers), correct


def ours(reference, category):
    found = {}
    for sample in made(reference, "es"):
        if sample.category == category:
            key = (sample.context, sample.question, frozenset(sample.choices), sample.answer)
            found.setdefault(key, []).append(sample)
    return found


@pytest.mark.parametrize("language", ["es", "ca"])
def test_every_row_is_read(reference, language):
    """All 282 rows become four variants each, and there is nothing to remark."""
    found = imported(reference, language)
    assert (found.rows_in, found.rows_read, len(found.variants)) == (282, 282, 4 * 282)
    assert found.findings == ()
    assert plan(Bank(found.variants).templates(), language, "", {}).count() == PUBLISHED
    templates = list(Bank(found.variants).templates())
    assert Counter((item.category, item.label) for item in templates)["RaceEthnicity", None] == 0
    assert Counter(item.label for item in templates) == {
        Label.SIMPLY_TRANSFERRED: 56,
        Label.TARGET_MODIFIED: 44,
        Label.NEWLY_CREATED: 55,
    }


@pytest.mark.parametrize("category", ["Age", "Gender", "Nationality"])
def test_exactly_the_published_instances_come_out(reference, category):
    """As often as they are published, and none besides."""
    published = Counter(map(asked, instances(reference, category)))
    assert {key: len(items) for key, items in ours(reference, category).items()} == published


@pytest.mark.parametrize("category", PUBLISHED)
def test_role_and_biased_answer_are_the_published_ones(reference, category):
    """The first published answer is the target; the context is biased in b and d."""
    found = ours(reference, category)
    for instance in instances(reference, category):
        (sample,) = found[asked(instance)]
        is_negative = instance["question_polarity"] == "neg"
        assert sample.question_type == ("bsd" if is_negative else "cnt")
        assert sample.biased_answer == instance["ans0" if is_negative else "ans1"]
        if instance["context_condition"] == "disambig":
            assert (sample.variant in "bd") == (instance["question_type"] == "pro-stereo")
            assert sample.context_type == "dis"
