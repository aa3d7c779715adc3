"""`curate evaluate score` says when too much could not be parsed, and how far scores may be off."""

import json
import shlex
from pathlib import Path

import pytest
from benchmark import benchmark, write_replies, write_samples

TEMPLATES = (*(f"hobby-{at:03d}" for at in range(1, 8)), *(f"job-{at:03d}" for at in range(1, 7)))
EXPLAINED = TEMPLATES[:9]
VAGUE = "Well, \x1b[31mnobody knows,\nor perhaps somebody does; it may be either of them, or not."
CHAT = "The passage says only that both of them met. It does not say who likes water."


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
    """Score what such a model replies."""
    answers = explains_unknown(say)
    write_replies(folder / "replies.jsonl", folder / "requests.jsonl", answers, "chatty")
    return curate(
        *("evaluate", "score", "-w", folder, "--samples", folder / "samples.csv"),
        *("--prompt", "1", "--replies", folder / "replies.jsonl", *options),
    )


@pytest.mark.parametrize(
    "say",
    [
        lambda letter, text: f"{letter}. {text}\n\n{CHAT}",
        lambda letter, text: f"{letter}: {text}\n\n{CHAT}",
        lambda letter, text: f"**{letter}. {text}**\n\n- {CHAT}",
    ],
)
def test_a_model_that_explains_its_unknown_has_its_true_accuracy(curate, asked, say):
    """9 of 13 templates: 0.692, with nothing out-of-choice and no warning."""
    found = run(curate, asked, say, "--json").json
    row = found["rows"][0]
    assert row["accuracy_amb"] == pytest.approx(9 / 13)
    assert (row["diff_bias_amb"], row["out_of_choice"]) == (pytest.approx(4 / 13), 0)
    assert (row["accuracy_amb_least"], row["accuracy_amb_most"]) == (row["accuracy_amb"],) * 2
    assert found["unparsed"] == []


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


def test_the_warning_fits_a_terminal_and_is_safe_for_it(curate, asked, monkeypatch):
    """80 columns, escape sequences written out, and what to do about it."""
    monkeypatch.chdir(asked)
    ran = run(curate, Path(), lambda *_: VAGUE)
    assert ran.code == 0
    lines = ran.err.splitlines()
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in ran.err
    text = " ".join(ran.err.split())
    for said in (
        "Warning: chatty: 108 of 312 replies (34.6%) are out-of-choice and excluded from scores.",
        "By context: ambiguous 69.2% (108 of 156), disambiguated 0.0% (0 of 156).",
        "By label: ST 50.0% (84 of 168), NC 16.7% (24 of 144).",
        r'(108): "Well, \x1b[31mnobody knows, or perhaps',
        "acc amb 0.000 0.000 0.692",
        "diff-bias amb 1.000 -0.385 1.000",
        "--unreadable unread.xlsx",
        "--filled unread.xlsx",
    ):
        assert said in text


def test_the_advice_is_commands_with_the_files_that_were_named(curate, asked, monkeypatch):
    """They run as they are pasted, and what a person reads is then in the score."""
    monkeypatch.chdir(asked)
    ran = run(curate, Path(), lambda *_: VAGUE)
    assert " F " not in ran.err
    advice = ran.err.split("score with it:\n")[1].replace("\\\n", " ")
    commands = [shlex.split(line)[1:] for line in advice.splitlines() if "curate" in line]
    assert [words[1] for words in commands] == ["prepare", "replies", "score"]
    for words in commands[:2]:
        done = curate(*words)
        assert done.code == 0, done.err
    again = curate(*commands[2])
    assert "out-of-choice" in again.err
    assert "--filled unread-2.xlsx" in " ".join(again.err.split())


def test_where_labels_did_not_come_back_it_says_how_to_ask(curate, asked):
    """No workbook: there is nothing that a person could read."""
    run(curate, asked, lambda *_: "A")
    file = asked / "replies.jsonl"
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    given = [{"The": -0.1} if at % 5 == 0 else {"A": -0.2, "B": -3} for at in range(len(lines))]
    told = (json.dumps(line | {"logprobs": of}) for line, of in zip(lines, given, strict=True))
    file.write_text("".join(f"{line}\n" for line in told), "utf-8")
    ran = curate(
        *("evaluate", "score", "-w", asked, "--samples", asked / "samples.csv", "--prompt", "1"),
        *("--replies", file, "--mode", "logprobs"),
    )
    assert ran.code == 0, ran.err
    assert "labels_missing (63)" in ran.err
    assert "run --logprobs 20" in ran.err
    assert "unread.xlsx" not in ran.err


def test_reasons_are_the_three_most_frequent(curate, asked):
    """Each with the reply that came most often, shortened."""
    answers = [VAGUE] * 6 + ["x" * 500, "x" * 500, "zzz", "A and B", "A and B", "", "It is not A."]
    given = iter(answers * 20)
    found = run(curate, asked, lambda *_: next(given), "--json").json
    rules = found["unparsed"][0]["rules"]
    assert len(rules) == 3
    counts = [item["count"] for item in rules]
    assert counts == sorted(counts, reverse=True)
    assert all(len(item["reply"]) <= 200 for item in rules)
    (other,) = [item for item in rules if item["rule"] == "unreadable"]
    assert other["reply"] == "x" * 197 + "..."


def test_two_in_a_hundred_are_not_said(curate, asked):
    """Three of 156 are; of 312 that would be one in a hundred."""
    for count, many in ((3, 0), (4, 1)):
        (asked / "replies.jsonl").unlink(missing_ok=True)
        left = iter([VAGUE] * count)
        say = lambda letter, text, left=left: next(left, letter)  # noqa: E731
        found = run(curate, asked, say, "--json").json
        assert found["rows"][0]["out_of_choice"] == count
        assert len(found["unparsed"]) == many


def test_the_report_says_it_in_its_first_section(curate, asked):
    """Shares, reasons and bounds, before categories."""
    run(curate, asked, lambda *_: VAGUE)
    ran = curate(
        *("evaluate", "report", "-w", asked, "--samples", asked / "samples.csv", "--prompt", "1"),
        *("--replies", asked / "replies.jsonl", "--out", asked / "report"),
        "--json",
    )
    assert ran.code == 0, ran.err
    assert any("34.6" in note and "ranges of the scores" in note for note in ran.json["notes"])
    text = (asked / "report" / "report.md").read_text("utf-8")
    first = text[text.index("## Bias of each model") :]
    assert "| chatty | 108 | 69.2" in first
    assert "| chatty | 0.000 to 0.692 (0.000) |" in first
    rows = json.loads((asked / "report" / "manifest.json").read_text("utf-8"))
    assert rows["counts"]["missing chatty"] == 0
