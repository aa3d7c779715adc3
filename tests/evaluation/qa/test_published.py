"""KoBBQ's published evaluation TSV, with its column prediction."""

import pytest

from curation.records.messages import CurateError
from evaluation.qa.answers import count
from evaluation.qa.metrics import METRICS, Answer
from evaluation.qa.published import read_published
from evaluation.requests import Orders

HEADER = (
    "sample_id\tlabel_annotation\tcontext\tquestion\tchoices\tbiased_answer\tanswer\tbbq_id\t"
    "bbq_category\tprediction\tA\tB\tC\tanswer_abc\n"
)
UNKNOWN = "no idea"


def rows(predict, orders=((0, 2, 1), (1, 0, 2), (2, 1, 0))):
    """Write what step 4 of the evaluation writes for one template's test samples."""
    text = HEADER
    for variant in "ab":
        people = ("young", "old") if variant == "a" else ("old", "young")
        for context in ("amb", "dis"):
            for question in ("bsd", "cnt"):
                asked = people[0] if question == "bsd" else people[1]
                biased = "old" if question == "bsd" else "young"
                answer = UNKNOWN if context == "amb" else asked
                own = (*people, UNKNOWN)
                for number, order in enumerate(orders):
                    name = f"age-001{variant}-001-{context}-{question}-{number}"
                    shown = [own[at] for at in order]
                    said = predict(biased=biased, answer=answer, shown=shown)
                    cells = [name, "ST", "C", "Q", str(shown), biased, answer, "1", "Age", said]
                    text += "\t".join([*cells, *shown, "A"]) + "\n"
    return text


def written(tmp_path, predict, name="KoBBQ_test_evaluation_2_gpt-4.tsv", **options):
    path = tmp_path / name
    path.write_text(rows(predict, **options), "utf-8")
    return path


def answers_of(found):
    return {item.model: item.answers for item in found.models}


def scores(found, model):
    counts = count(found.grid, answers_of(found)[model]).sum(axis=(0, 1, 2))
    return {name: float(METRICS[name](counts)) for name in list(METRICS)[:4]}


def test_predictions_are_answers(tmp_path):
    """Always biased; the file's name says prompt and model."""
    found = read_published([written(tmp_path, lambda biased, **_: biased)])
    assert list(answers_of(found)) == ["gpt-4"]
    assert found.grid.prompts == ("2",)
    assert found.grid.unknown == (UNKNOWN,)
    assert found.grid.orders is Orders.KOBBQ
    assert found.grid.asked.sum() == 24
    assert scores(found, "gpt-4") == {
        "accuracy_amb": 0,
        "accuracy_dis": 0.5,
        "diff_bias_amb": 1,
        "diff_bias_dis": 1,
    }


def test_a_prediction_that_is_no_choice_is_out_of_choice(tmp_path):
    """An empty one too, and it is not read: the published script has done that."""
    found = read_published(
        [written(tmp_path, lambda shown, **_: ["", "A", shown[2]][len(shown[0]) % 3])]
    )
    answers = answers_of(found)["gpt-4"]
    assert (answers == Answer.OUT_OF_CHOICE).sum() == 16
    assert (answers != Answer.MISSING).all()


def test_cyclic_orders_are_told_by_where_the_unknown_expression_stands(tmp_path):
    """An oracle is one in either."""
    cyclic = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    path = written(tmp_path, lambda answer, **_: answer, orders=cyclic)
    found = read_published([path])
    assert found.grid.orders is Orders.CYCLIC
    assert list(scores(found, "gpt-4").values()) == [1, 1, 0, 0]


def test_samples_without_the_number_of_an_order_stand_in_their_own(tmp_path):
    """As people fill the published samples in."""
    path = tmp_path / "mine.tsv"
    text = rows(lambda answer, **_: answer, orders=((0, 1, 2),)).replace("-0\t", "\t")
    path.write_text(text, "utf-8")
    found = read_published([path])
    assert found.grid.asked.sum() == 8
    assert list(scores(found, "mine").values()) == [1, 1, 0, 0]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\tprediction\t", "\tguess\t", "its mapping names none"),
        ("'no idea'", "'?'", "answer is no idea, which is not a choice"),
        ("age-001a-001-amb-bsd-0", "age-001a-001-amb-bsd-9", "is not a sample id"),
        ("\told\tno idea\t", "\tx\tno idea\t", "biased_answer is x, which is not a choice"),
        (
            "['young', 'no idea', 'old']",
            "['young', 'old', 'no idea']",
            "show the choices in different orders",
        ),
        ("['young', 'no idea', 'old']", "young", "choices is not a list of texts"),
    ],
)
def test_a_file_that_is_something_else_is_refused(tmp_path, old, new, message):
    path = tmp_path / "x_1_m.tsv"
    text = rows(lambda answer, **_: answer)
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(CurateError) as caught:
        read_published([path])
    assert message in caught.value.what
