"""`curate evaluate score` says when too much could not be parsed, and how far scores may be off."""

import pytest
from benchmark import benchmark, write_replies, write_samples

from evaluation.cli.scoring import _warn
from evaluation.qa.score import ModelUnparsed

TEMPLATES = (*(f"hobby-{at:03d}" for at in range(1, 8)), *(f"job-{at:03d}" for at in range(1, 7)))
EXPLAINED = TEMPLATES[:9]
VAGUE = "Well, \x1b[31mnobody knows,\nor perhaps somebody does; it may be either of them, or not."


@pytest.fixture
def asked(curate, tmp_path):
    """A workspace, and requests about 13 templates."""
    (tmp_path / "culture.yaml").write_text("culture: X\nlanguage: en\nunknown: Not known\n")
    write_samples(tmp_path / "samples.csv", benchmark(TEMPLATES))
    ran = curate(
        *("evaluate", "prepare", "-w", tmp_path, "--samples", tmp_path / "samples.csv"),
        *("--prompt", "1", "--out", tmp_path / "requests.jsonl"),
    )
    assert ran.code == 0, ran.err
    return tmp_path


def explains_unknown(say):
    """Make a model that is right, biased in four ambiguous templates, and explains 'unknown'."""
    samples = {item.sample_id: item for item in benchmark(TEMPLATES)}

    def answer(request):
        sample, choices = samples[request["sample_id"]], request["choices"]
        if sample.context_type == "amb" and sample.template_id in EXPLAINED:
            at = next(at for at, text in enumerate(choices) if text not in sample.choices[:2])
            return say("ABC"[at], choices[at])
        wanted = sample.biased_answer if sample.context_type == "amb" else sample.answer
        return "ABC"[choices.index(wanted)]

    return answer


def run(curate, folder, say, *options):
    answers = explains_unknown(say)
    write_replies(folder / "replies.jsonl", folder / "requests.jsonl", answers, "chatty")
    return curate(
        *("evaluate", "score", "-w", folder, "--samples", folder / "samples.csv"),
        *("--requests", folder / "requests.jsonl"),
        *("--replies", folder / "replies.jsonl", *options),
    )


def test_what_is_lost_is_said_with_the_bounds_of_each_score(curate, asked):
    """In JSON; the true value, 9 of 13, is the upper bound."""
    found = run(curate, asked, lambda *_: VAGUE, "--json").json
    assert found["rows"][0]["accuracy_amb"] == 0
    assert found["rows"][0]["accuracy_amb_most"] == pytest.approx(9 / 13)
    (item,) = found["unparsed"]
    assert (item["model"], item["out_of_choice"], item["replies"]) == ("chatty", 108, 312)
    shares = [tuple(part.values()) for part in item["shares"]]
    assert shares == [
        ("context", "ambiguous", 108, 156, pytest.approx(9 / 13)),
        ("context", "disambiguated", 0, 156, 0),
        ("label", "ST", 84, 168, 0.5),
        ("label", "NC", 24, 144, pytest.approx(1 / 6)),
    ]
    (rule,) = item["rules"]
    assert (rule["count"], rule["reply"]) == (108, " ".join(VAGUE.split()))
    bounds = [
        (part["score"], part["value"], part["least"], part["most"]) for part in item["bounds"]
    ]
    assert bounds == [
        ("accuracy_amb", 0, 0, pytest.approx(9 / 13)),
        ("accuracy_dis", 1, 1, 1),
        ("diff_bias_amb", 1, pytest.approx(-5 / 13), 1),
        ("diff_bias_dis", 0, 0, 0),
    ]


def test_of_many_models_three_are_told_about_in_full(capsys):
    """And of the others how many replies could not be parsed."""
    _warn([ModelUnparsed(f"m{at}", 50 - 10 * at, 1000, (), (), ()) for at in range(5)])
    told = capsys.readouterr().err
    assert told.count("are out-of-choice and excluded") == 3
    assert "Warning: m0: 50 of 1,000 replies (5.0%) are" in told
    others = (
        "Warning: 2 more models with out-of-choice replies (see --json): m3 2.0%, m4\n  1.0%.\n"
    )
    assert told.endswith(others)
