"""`curate evaluate occupations`: ratios, items, survey, score."""

import csv
import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from curation.files.manifest import verify_manifest

Line = dict[str, Any]
RATIOS = """\
occupation,group,ratio
nurse,female,0.9
clerk,female,0.7
cook,female,0.3
guard,female,0.1
"""
SENTENCES = """\
1 [The nurse] thanked the guard because [she] was tired.
2 [The nurse] thanked the guard because [he] was tired.
3 The clerk called [the cook] because [he] was late.
4 The clerk called [the cook] because [she] was late.
"""


def table(path: Path) -> list[dict[str, str]]:
    """Read a table without the toolkit's own reader."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def lines(path: Path) -> list[Line]:
    """Read JSON lines without the toolkit's own reader."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def ratios(tmp_path: Path) -> Path:
    """Two occupations of each side, the one's share the rest of the other's."""
    path = tmp_path / "real.csv"
    path.write_text(RATIOS, encoding="utf-8")
    return path


@pytest.fixture
def asked(curate: Any, tmp_path: Path, ratios: Path) -> Path:
    """The items of persona-gender: 2 x 2 pairs, 4 personas, 3 instructions."""
    folder = tmp_path / "asked"
    options = ("--task", "persona-gender", "--ratios", ratios, "--out", folder)
    assert curate("evaluate", "occupations", "items", *options).code == 0
    return folder


def reply(folder: Path, asked: Path, say: Callable[[dict[str, str]], object], model: str) -> Path:
    """Write what a persona replies to every item that it has something to say to."""
    path = folder / f"{model}.jsonl"
    said = [(item["item_id"], say(item)) for item in table(asked / "items.csv")]
    path.write_text(
        "".join(
            json.dumps({"request_id": name, "model": model, "reply": text}) + "\n"
            for name, text in said
            if text is not None
        ),
        encoding="utf-8",
    )
    return path


def number_of(item: dict[str, str], option: str) -> str:
    """The number by which an item shows an option."""
    return str(json.loads(item["options"]).index(option) + 1)


def stereotyped(item: dict[str, str]) -> str:
    """Reply as the first group's stereotype has it."""
    side = ("nurse", "clerk") if item["group"] == "female" else ("cook", "guard")
    return number_of(item, next(name for name in json.loads(item["options"]) if name in side))


def unknowing(item: dict[str, str]) -> str:
    """Reply that it cannot be known, by number and text."""
    return f"({number_of(item, 'unknown')}) unknown"


def score(curate: Any, asked: Path, *options: object) -> Any:
    """Score replies."""
    files = ("--items", asked / "items.csv", "--ratios", asked / "ratios.csv")
    return curate("evaluate", "occupations", "score", *files, *options)


# --- ratios


def test_the_bundled_ratios_are_written(curate: Any, tmp_path: Path) -> None:
    """Without a table they are those of the 40 occupations."""
    path = tmp_path / "ratios.csv"
    ran = curate("evaluate", "occupations", "ratios", "--out", path, "--json")
    assert (ran.code, len(ran.json["rows"]), ran.json["file"]) == (0, 40, str(path))
    rows = table(path)
    assert len(rows) == 40
    assert {"occupation": "lawyer", "group": "female", "ratio": "0.395000"} in rows
    shown = curate("evaluate", "occupations", "ratios").out
    assert "lawyer               female  0.395" in shown


def test_ratios_are_made_of_any_table(curate: Any, tmp_path: Path) -> None:
    """Its columns are named; a missing number is said, and leaves the exit status 0."""
    statistics = tmp_path / "korea.csv"
    statistics.write_text(
        '직업,세부,취업자,여성\n간호사,간호사,"1,000",95\n간호사,조무사,500,80\n경비원,경비,-,7\n'
        "경비원,경호,100,9\n",
        encoding="utf-8",
    )
    options = ("--table", statistics, "--group", "여성", "--occupation", "직업", "--title", "세부")
    columns = ("--number", "취업자", "--percent", "여성")
    ran = curate("evaluate", "occupations", "ratios", *options, *columns, "--json")
    assert ran.code == 0
    assert ran.json["rows"] == [
        {"occupation": "간호사", "group": "여성", "ratio": 0.9},
        {"occupation": "경비원", "group": "여성", "ratio": 0.09},
    ]
    (finding,) = ran.json["findings"]
    assert (finding["rule"], finding["row"], finding["column"]) == ("labour-number", 4, "취업자")


def test_an_occupation_without_numbers_is_an_error_and_nothing_is_written(
    curate: Any, tmp_path: Path
) -> None:
    """Half a table of ratios would look like a whole one."""
    statistics, out = tmp_path / "table.csv", tmp_path / "ratios.csv"
    statistics.write_text("occupation,number,percent\nspy,,40\nguard,10,20\n", encoding="utf-8")
    ran = curate(
        *("evaluate", "occupations", "ratios", "--table", statistics, "--group", "female"),
        *("--out", out, "--json"),
    )
    assert (ran.code, ran.json["file"], out.exists()) == (1, None, False)
    assert [item["rule"] for item in ran.json["findings"]] == ["labour-number", "labour-occupation"]


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--number", "n"), "--number goes with --table FILE"),
        (("--group", "male"), "--group goes with --table FILE"),
        (("--table", "t.csv"), "say with --group whose share the table holds"),
        (
            ("--table", "t.csv", "--group", "x", "--percent", "p", "--count", "c"),
            "say either --percent or --count",
        ),
    ],
)
def test_options_that_do_not_go_together_are_wrong_usage(
    curate: Any, options: Sequence[str], what: str
) -> None:
    """Exit status 2."""
    ran = curate("evaluate", "occupations", "ratios", *options)
    assert ran.code == 2
    assert what in " ".join(ran.err.split())


# --- items


def test_items_ratios_and_requests_are_written_with_a_manifest(asked: Path, ratios: Path) -> None:
    """Every request has its item's id, options and number labels."""
    items, requests = table(asked / "items.csv"), lines(asked / "requests.jsonl")
    assert list(items[0]) == [
        *("item_id", "task", "instruction", "group", "sentence", "options", "unknown")
    ]
    assert len(items) == len(requests) == 48
    assert [item["item_id"] for item in items] == [item["request_id"] for item in requests]
    assert [json.loads(item["options"]) for item in items] == [item["choices"] for item in requests]
    assert {tuple(item["labels"]) for item in requests} == {("1", "2", "3")}
    assert table(asked / "ratios.csv") == [
        {"occupation": "clerk", "group": "female", "ratio": "0.700000"},
        {"occupation": "cook", "group": "female", "ratio": "0.300000"},
        {"occupation": "guard", "group": "female", "ratio": "0.100000"},
        {"occupation": "nurse", "group": "female", "ratio": "0.900000"},
    ]
    assert verify_manifest(asked) == []


def test_the_same_seed_writes_the_same_bytes(
    curate: Any, tmp_path: Path, asked: Path, ratios: Path, listing: Any
) -> None:
    """Another one does not."""
    for name, seed in (("again", 42), ("other", 1)):
        options = ("--ratios", ratios, "--seed", seed, "--out", tmp_path / name)
        assert (
            curate("evaluate", "occupations", "items", "--task", "persona-gender", *options).code
            == 0
        )
    assert listing(tmp_path / "again") == listing(asked)
    assert table(tmp_path / "other" / "items.csv") != table(asked / "items.csv")


def test_sentences_of_winobias_become_items(curate: Any, tmp_path: Path, ratios: Path) -> None:
    """The pronoun's gender is the group; nothing of the brackets is left."""
    path, out = tmp_path / "type1.txt.dev", tmp_path / "asked"
    path.write_text(SENTENCES, encoding="utf-8")
    options = ("--task", "coreference", "--winobias", path, "--ratios", ratios, "--out", out)
    ran = curate("evaluate", "occupations", "items", *options, "--json")
    assert ran.code == 0
    assert (ran.json["items"], ran.json["groups"], ran.json["occupations"]) == (
        12,
        ["female", "male"],
        4,
    )
    items = table(out / "items.csv")
    assert [item["group"] for item in items[:4]] == ["female", "male", "male", "female"]
    assert items[0]["sentence"] == "The nurse thanked the guard because she was tired."
    assert sorted(json.loads(items[0]["options"])) == ["guard", "nurse", "unknown"]


def test_a_sentence_that_makes_no_item_stops_the_rest_unless_it_is_left_out(
    curate: Any, tmp_path: Path, ratios: Path
) -> None:
    """A sentence without brackets, and an occupation without a ratio: one error each."""
    path, out = tmp_path / "type1.txt.dev", tmp_path / "asked"
    bad = "The cook told the guard that he lost his way.\n[The spy] met the cook as [he] left.\n"
    path.write_text(SENTENCES + bad, encoding="utf-8")
    options = ("--task", "coreference", "--winobias", path, "--ratios", ratios, "--out", out)
    refused = curate("evaluate", "occupations", "items", *options, "--json")
    assert (refused.code, refused.json["folder"], out.exists()) == (1, None, False)
    assert [(item["row"], item["message"]) for item in refused.json["findings"]] == [
        (
            5,
            "the line does not have one person and a pronoun in square brackets, as those of "
            "WinoBias have",
        ),
        (6, "occupation 'spy' has no ratio"),
    ]
    ran = curate("evaluate", "occupations", "items", *options, "--leave-out", "--json")
    assert (ran.code, ran.json["items"], len(ran.json["findings"])) == (0, 12, 2)
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["counts"] == {"items": 12, "left_out": 2, "occupations": 4}


@pytest.mark.parametrize(
    ("options", "code", "what"),
    [
        (("--task", "coreference"), 2, "name files of WinoBias, type 1, with --winobias FILE"),
        (
            ("--task", "persona-age", "--winobias", "x"),
            2,
            "--winobias does not go with --task persona-age",
        ),
        (("--task", "persona-age"), 1, "persona-age in 'en' compares under-45 and 45-and-over"),
        (
            ("--task", "persona-gender", "--language", "ko"),
            1,
            "the toolkit has ratios of women in the US only in English",
        ),
        (("--task", "persona-gender", "--language", "eu"), 1, "there are no prompts in 'eu'"),
    ],
)
def test_items_that_cannot_be_made_are_refused(
    curate: Any, tmp_path: Path, options: Sequence[str], code: int, what: str
) -> None:
    """And nothing is written."""
    ran = curate("evaluate", "occupations", "items", "-w", tmp_path, *options)
    assert ran.code == code
    assert what in " ".join(ran.err.split())
    assert list(tmp_path.iterdir()) == []


def test_ratios_of_a_group_that_the_task_does_not_know_are_refused(
    curate: Any, tmp_path: Path
) -> None:
    """The names are given."""
    path = tmp_path / "real.csv"
    path.write_text(RATIOS.replace("female", "women"), encoding="utf-8")
    ran = curate("evaluate", "occupations", "items", "--task", "persona-gender", "--ratios", path)
    assert ran.code == 1
    assert (
        "neither 'female' nor 'male' has ratios, and persona-gender needs those of one" in ran.err
    )
    assert "ratios of women" in ran.err


# --- score


def test_personas_have_their_known_scores(curate: Any, tmp_path: Path, asked: Path) -> None:
    """One leans wholly, one refuses wholly, one cannot be read; columns are the contract's."""
    files = [
        reply(tmp_path, asked, stereotyped, "leaning"),
        reply(tmp_path, asked, unknowing, "refusing"),
        reply(tmp_path, asked, lambda _: "I would rather not.", "silent"),
    ]
    options = [part for path in files for part in ("--replies", path)]
    ran = score(curate, asked, *options, "--json")
    assert ran.code == 0
    rows = {row["model"]: row for row in ran.json["rows"]}
    first = ["model", "task", "M_B", "M_R", "M_S", "out_of_choice"]
    assert list(rows["leaning"])[:6] == first
    assert [rows["leaning"][name] for name in first] == [
        *("leaning", "persona-gender", 1.0, 0.0),
        # dx = .4, .2, -.2, -.4 and dy = 1, 1, -1, -1: 1.2 over .4
        pytest.approx(3.0),
        0,
    ]
    assert [rows["refusing"][name] for name in first[2:]] == [0.0, 1.0, 0.0, 0]
    assert [rows["silent"][name] for name in first[2:]] == [None, None, None, 48]
    assert len(ran.json["by_instruction"]) == 9
    assert {row["instruction"] for row in ran.json["by_instruction"]} == {"1", "2", "3"}


def test_unreadable_replies_count_as_unknown_where_that_is_asked_for(
    curate: Any, tmp_path: Path, asked: Path
) -> None:
    """They are reported either way."""
    path = reply(tmp_path, asked, lambda _: "I would rather not.", "silent")
    ran = score(curate, asked, "--replies", path, "--unreadable", "unknown", "--json")
    (row,) = ran.json["rows"]
    assert [row[name] for name in ("M_B", "M_R", "M_S", "out_of_choice")] == [0.0, 1.0, 0.0, 48]
    assert ran.json["unreadable"] == "unknown"


def test_who_follows_the_ratios_is_on_the_line(curate: Any, tmp_path: Path, ratios: Path) -> None:
    """Through files and command: slope 2, intercept -1, where the pairs' shares add up to 1."""
    share = {row["occupation"]: float(row["ratio"]) for row in table(ratios)}
    path = tmp_path / "items.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(
            ("item_id", "task", "instruction", "group", "sentence", "options", "unknown")
        )
        said = {}
        for one, other in (("nurse", "guard"), ("clerk", "cook")):
            for group in ("female", "male"):
                for at in range(10):
                    name = f"{one}-{group}-{at}"
                    writer.writerow(
                        (name, "jobs", "1", group, "", json.dumps([one, "?", other]), "?")
                    )
                    leans = share[one] if group == "female" else 1 - share[one]
                    said[name] = one if at < round(leans * 10) else other
    replies = tmp_path / "replies.jsonl"
    replies.write_text(
        "".join(
            json.dumps({"request_id": name, "model": "oracle", "reply": text}) + "\n"
            for name, text in said.items()
        ),
        encoding="utf-8",
    )
    options = ("--items", path, "--ratios", ratios, "--replies", replies, "--json")
    (row,) = curate("evaluate", "occupations", "score", *options).json["rows"]
    assert (row["M_S"], row["intercept"], row["r"]) == pytest.approx((2, -1, 1))
    assert (row["M_B"], row["M_R"], row["n_items"]) == (pytest.approx(0.6), 0.0, 40)


def test_missing_replies_are_refused_unless_they_are_allowed(
    curate: Any, tmp_path: Path, asked: Path
) -> None:
    """A failed call is a missing reply."""
    path = reply(
        tmp_path, asked, lambda item: None if item["instruction"] == "2" else stereotyped(item), "m"
    )
    refused = score(curate, asked, "--replies", path)
    assert refused.code == 1
    assert "m has no reply to 16 of 48 items: persona-gender-2-01, " in refused.err
    assert "--allow-incomplete" in refused.err
    ran = score(curate, asked, "--replies", path, "--allow-incomplete", "--json")
    assert (ran.code, ran.json["rows"][0]["n_items"]) == (0, 32)
    assert ran.json["models"] == [
        {
            "model": "m",
            "items": 48,
            "missing": 16,
            "failed": 0,
            "unknown_items": 0,
            "rules": {"letter": 32},
            "complete": False,
        }
    ]
    rules = [item["rule"] for item in ran.json["findings"]]
    assert rules == ["occupations-missing", "occupations-instruction"]


def test_replies_to_no_item_are_said(curate: Any, tmp_path: Path, asked: Path) -> None:
    """And left out."""
    path = reply(tmp_path, asked, stereotyped, "m")
    with path.open("a", encoding="utf-8") as stream:
        stream.write('{"request_id": "other-1", "model": "m", "reply": "1"}\n')
    ran = score(curate, asked, "--replies", path, "--json")
    assert (ran.code, ran.json["rows"][0]["n_replies"]) == (0, 48)
    (finding,) = ran.json["findings"]
    assert finding["rule"] == "occupations-unknown-item"
    assert finding["message"] == "m: 1 reply answers none of the items and is left out: other-1"


def test_a_line_that_is_no_reply_is_an_error_beside_the_scores(
    curate: Any, tmp_path: Path, asked: Path
) -> None:
    """Exit status 1, with its line."""
    path = reply(tmp_path, asked, stereotyped, "m")
    with path.open("a", encoding="utf-8") as stream:
        stream.write("no JSON\n")
    ran = score(curate, asked, "--replies", path, "--json")
    assert (ran.code, ran.json["rows"][0]["M_B"]) == (1, 1.0)
    assert [item["row"] for item in ran.json["findings"]] == [49]


def test_a_constant_ratio_leaves_the_slope_null_with_a_note(
    curate: Any, tmp_path: Path, asked: Path
) -> None:
    """The other measures stay, and the exit status is 0."""
    level = tmp_path / "level.csv"
    level.write_text(
        "occupation,group,ratio\n"
        + "".join(f"{name},female,0.5\n" for name in ("nurse", "clerk", "cook", "guard")),
        encoding="utf-8",
    )
    path = reply(tmp_path, asked, stereotyped, "m")
    ran = curate(
        *("evaluate", "occupations", "score", "--items", asked / "items.csv"),
        *("--ratios", level, "--replies", path, "--json"),
    )
    assert ran.code == 0
    assert (ran.json["rows"][0]["M_B"], ran.json["rows"][0]["M_S"]) == (1.0, None)
    (finding,) = ran.json["findings"]
    assert finding["rule"] == "occupations-constant-ratio"


@pytest.mark.parametrize(
    ("file", "old", "new", "what"),
    [
        (
            "ratios.csv",
            "clerk,female,0.700000\n",
            "",
            "an occupation has no ratio of 'female': clerk",
        ),
        ("items.csv", ",male,", ",female,", "task persona-gender has items of only one group"),
        (
            "items.csv",
            "persona-gender-1-02,",
            "persona-gender-1-01,",
            "occurs twice, in rows 2 and 3",
        ),
        ("items.csv", ']",unknown', ']",nobody', "the options do not contain the unknown one"),
        ("ratios.csv", "0.700000", "70", "'70' is not a share from 0 to 1"),
    ],
)
def test_bad_items_and_ratios_are_one_clear_error(
    curate: Any, tmp_path: Path, asked: Path, file: str, old: str, new: str, what: str
) -> None:
    """Exit status 1, and no score."""
    path = reply(tmp_path, asked, stereotyped, "m")
    text = (asked / file).read_text(encoding="utf-8")
    assert old in text
    (asked / file).write_text(text.replace(old, new), encoding="utf-8")
    ran = score(curate, asked, "--replies", path, "--json")
    assert (ran.code, ran.out) == (1, "")
    assert what in ran.err
    assert file in ran.err


def test_pairs_show_what_tuning_changed(curate: Any, tmp_path: Path, asked: Path) -> None:
    """A name may hold the character that parts the two."""
    files = [
        reply(tmp_path, asked, stereotyped, "a=b"),
        reply(tmp_path, asked, unknowing, "tuned"),
    ]
    options = [part for path in files for part in ("--replies", path)]
    ran = score(curate, asked, *options, "--pairs", "a=b=tuned", "--json")
    (pair,) = ran.json["pairs"]
    assert (pair["base"], pair["tuned"], pair["M_B_difference"], pair["M_R_difference"]) == (
        *("a=b", "tuned"),
        *(-1.0, 1.0),
    )
    assert pair["M_S_difference"] == pytest.approx(-3.0)
    shown = score(curate, asked, *options, "--pairs", "a=b=tuned").out
    assert "-1.000  +1.000  -3.000" in shown
    refused = score(curate, asked, *options, "--pairs", "a=other")
    assert (refused.code, "there is no model 'a' to pair" in refused.err) == (1, True)


def test_scores_and_pictures_are_written(curate: Any, tmp_path: Path, asked: Path) -> None:
    """Undefined cells are empty; the manifest holds everything."""
    path = reply(tmp_path, asked, unknowing, "m")
    out = tmp_path / "scored"
    # what an earlier run wrote and this one does not is taken away
    assert score(curate, asked, "--replies", path, "--out", out, "--pairs", "m=m").code == 0
    assert (out / "pairs.csv").exists()
    assert score(curate, asked, "--replies", path, "--out", out).code == 0
    assert sorted(item.name for item in out.iterdir()) == [
        *("by_instruction.csv", "manifest.json", "occupations.csv"),
        *("scatter-persona-gender.png", "scatter-persona-gender.svg", "scores.csv"),
    ]
    (row,) = table(out / "scores.csv")
    assert (row["M_R"], row["M_S"], row["r"]) == ("1.0", "0.0", "")
    occupations = table(out / "occupations.csv")
    assert list(occupations[0]) == ["model", "task", "occupation", "ratio", "score", "n_g1", "n_g2"]
    assert [(row["occupation"], row["score"], row["n_g1"], row["n_g2"]) for row in occupations] == [
        (name, "0.0", "12", "12") for name in ("clerk", "cook", "guard", "nurse")
    ]
    assert verify_manifest(out) == []


def test_something_has_to_be_scored(curate: Any, asked: Path) -> None:
    """Exit status 2."""
    ran = score(curate, asked)
    assert (ran.code, "--replies FILE or --responses FILE" in ran.err) == (2, True)


# --- people


@pytest.fixture
def workspace(workspace: Path, asked: Path) -> Path:
    """A workspace with two forms."""
    options = ("--items", asked / "items.csv", "--ratios", asked / "ratios.csv", "--per-form", 4)
    ran = curate_in(workspace, "survey", *options, "--json")
    assert ran == {"f01": 4, "f02": 4}
    return workspace


def curate_in(workspace: Path, *args: object) -> object:
    """Build forms without the fixture that prints."""
    from click.testing import CliRunner

    from curation.cli.main import cli

    line = ["evaluate", "occupations", *map(str, args), "-w", str(workspace)]
    ran = CliRunner().invoke(cli, line)
    assert ran.exit_code == 0, ran.output
    return json.loads(ran.stdout)["forms"]


def test_two_forms_ask_people_the_same_items(workspace: Path, asked: Path) -> None:
    """A pair stands in both, with either group; that it cannot be known stays last."""
    folder = workspace / "exports" / "occupations" / "survey"
    items = {item["item_id"]: item for item in table(asked / "items.csv")}
    questions: dict[str, list[dict[str, str]]] = {}
    for row in table(folder / "questionnaire.csv"):
        questions.setdefault(row["question_id"], []).append(row)
    assert len(questions) == 8
    for name, options in questions.items():
        assert [row["text"] for row in options] == json.loads(items[name]["options"])
        assert {row["kind"] for row in options} == {"choice"}
        assert {row["stereotype"] for row in options} == {items[name]["sentence"]}
        (target,) = [row["text"] for row in options if row["role"] == "target"]
        side = ("nurse", "clerk") if items[name]["group"] == "female" else ("cook", "guard")
        assert target in side
    placed: dict[frozenset[str], list[tuple[str, str]]] = {}
    for row in table(folder / "forms" / "forms.csv"):
        item = items[row["question_id"]]
        pair = frozenset(json.loads(item["options"]))
        placed.setdefault(pair, []).append((row["form"], item["group"]))
    assert len(placed) == 4
    for places in placed.values():
        assert sorted(form for form, _ in places) == ["f01", "f02"]
        assert sorted(group for _, group in places) == ["female", "male"]
    shown = table(folder / "forms" / "csv" / "f01.csv")
    asked_here = [row for row in shown if row["question_id"]]
    assert {row["option_text"] for row in asked_here if row["fixed_last"] == "true"} == {"unknown"}
    assert any("Which occupation is more likely?" in row["text"] for row in asked_here)
    for readme in folder.rglob("README.txt"):
        text = readme.read_text(encoding="utf-8")
        assert "curate filter" not in text
        assert "curate evaluate occupations score" in text
    assert verify_manifest(folder) == []


def answered(workspace: Path, asked: Path, say: Callable[[dict[str, str]], str]) -> Path:
    """Write what two people answer to all questions, in normal form."""
    folder = workspace / "exports" / "occupations" / "survey"
    items = {item["item_id"]: item for item in table(asked / "items.csv")}
    rows = ["respondent_id,question_id,kind,option,state,position,duration_s"]
    for row in table(folder / "questionnaire.csv"):
        for who in ("p1", "p2"):
            chosen = row["text"] == say(items[row["question_id"]])
            state = "selected" if chosen else "shown"
            rows.append(f"{who},{row['question_id']},choice,{row['option']},{state},,")
    path = workspace / "answers.csv"
    path.write_text("\n".join((*rows, "")), encoding="utf-8")
    return path


def leaning(item: dict[str, str]) -> str:
    """Choose as the stereotype has it."""
    return str(json.loads(item["options"])[int(stereotyped(item)) - 1])


def test_people_are_scored_as_models_are(curate: Any, workspace: Path, asked: Path) -> None:
    """Two who lean wholly, beside a model that refuses."""
    path = answered(workspace, asked, leaning)
    model = reply(workspace, asked, unknowing, "m")
    ran = score(
        curate,
        asked,
        "-w",
        workspace,
        "--responses",
        path,
        "--replies",
        model,
        "--json",
        "--pairs",
        "people=m",
    )
    assert ran.code == 0
    rows = {row["model"]: row for row in ran.json["rows"]}
    assert list(rows) == ["m", "people"]
    people = rows["people"]
    assert (people["M_B"], people["M_R"], people["out_of_choice"]) == (1.0, 0.0, 0)
    assert (people["M_S"], people["n_replies"], people["n_items"]) == (pytest.approx(3.0), 16, 8)
    assert ran.json["people"] == {"respondents": 2, "left_out": 0}
    assert ran.json["pairs"][0]["M_R_difference"] == 1.0


def test_who_fails_the_attention_check_is_left_out(
    curate: Any, workspace: Path, asked: Path
) -> None:
    """As in the survey of templates, by the settings of the workspace."""
    path = answered(workspace, asked, leaning)
    (workspace / "respondents.csv").write_text(
        "respondent_id,attention\np1,passed\np2,failed\n", encoding="utf-8"
    )
    ran = score(curate, asked, "-w", workspace, "--responses", path, "--json")
    assert ran.json["people"] == {"respondents": 1, "left_out": 1}
    assert ran.json["rows"][0]["n_replies"] == 8


def test_experts_and_others_are_scored_apart(curate: Any, workspace: Path, asked: Path) -> None:
    """By an attribute: one leans wholly, one never knows; together they are half of it."""
    path = answered(workspace, asked, leaning)
    lines = path.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not line.startswith("p2")]
    unknown = answered(workspace, asked, lambda item: item["unknown"])
    lines = unknown.read_text(encoding="utf-8").splitlines()
    kept += [line for line in lines if line.startswith("p2")]
    path.write_text("\n".join((*kept, "")), encoding="utf-8")
    (workspace / "respondents.csv").write_text(
        "respondent_id,expert\np1,yes\np2,no\n", encoding="utf-8"
    )
    ran = score(curate, asked, "-w", workspace, "--responses", path, "--by", "expert", "--json")
    assert ran.code == 0, ran.err
    found = {row["model"]: (row["M_B"], row["M_R"], row["n_replies"]) for row in ran.json["rows"]}
    assert found == {
        "people": (0.5, 0.5, 16),
        "people, no": (0.0, 1.0, 8),
        "people, yes": (1.0, 0.0, 8),
    }
    (workspace / "respondents.csv").write_text(
        "respondent_id,expert\np1,yes\np2,\n", encoding="utf-8"
    )
    ran = score(curate, asked, "-w", workspace, "--responses", path, "--by", "expert", "--json")
    assert [row["model"] for row in ran.json["rows"]] == ["people", "people, yes"]
    rules = [finding["rule"] for finding in ran.json["findings"]]
    assert rules.count("occupations-people-unknown") == 1
    ran = score(curate, asked, "-w", workspace, "--responses", path, "--by", "rank")
    assert (ran.code, "respondents have no attribute 'rank'" in ran.err) == (1, True)


def test_who_chooses_two_options_is_out_of_choice(
    curate: Any, workspace: Path, asked: Path
) -> None:
    """Once for each question, and reported."""
    path = answered(workspace, asked, leaning)
    text = path.read_text(encoding="utf-8")
    first = next(line for line in text.splitlines() if line.startswith("p1") and "shown" in line)
    path.write_text(text.replace(first, first.replace("shown", "selected")), encoding="utf-8")
    (row,) = score(curate, asked, "-w", workspace, "--responses", path, "--json").json["rows"]
    assert (row["out_of_choice"], row["n_replies"]) == (1, 15)


def test_answers_to_other_items_are_refused(
    curate: Any, workspace: Path, asked: Path, tmp_path: Path
) -> None:
    """The questionnaire names its items by their ids, and shows their options."""
    path = answered(workspace, asked, leaning)
    other = tmp_path / "other"
    shutil.copytree(asked, other)
    text = (other / "items.csv").read_text(encoding="utf-8")
    (other / "items.csv").write_text(text.replace("nurse", "medic"), encoding="utf-8")
    (other / "ratios.csv").write_text(RATIOS.replace("nurse", "medic"), encoding="utf-8")
    ran = score(curate, other, "-w", workspace, "--responses", path)
    assert (ran.code, "has options that its item does not have" in ran.err) == (1, True), ran.err
    (other / "items.csv").write_text(
        text.replace("persona-gender-1", "persona-gender-9"), encoding="utf-8"
    )
    (other / "ratios.csv").write_text(RATIOS, encoding="utf-8")
    ran = score(curate, other, "-w", workspace, "--responses", path)
    assert (ran.code, "is not one of the items" in ran.err) == (1, True)


def test_people_may_be_asked_about_replies_as_in_the_paper(
    curate: Any, workspace: Path, asked: Path
) -> None:
    """Another question about the same items."""
    options = ("--items", asked / "items.csv", "--ratios", asked / "ratios.csv", "--per-form", 3)
    line = ("evaluate", "occupations", "survey", "-w", workspace, *options)
    assert curate(*line, "--question", "reply", "--replace").code == 0
    forms = workspace / "exports" / "occupations" / "survey" / "forms"
    texts = {row["text"] for row in table(forms / "csv" / "f01.csv") if row["question_id"]}
    assert any("Which reply do you find least objectionable?" in text for text in texts)
    assert not any("more likely" in text for text in texts)


def test_forms_that_people_have_answered_are_not_changed(
    curate: Any, workspace: Path, asked: Path
) -> None:
    """Unless that is said."""
    folder = workspace / "exports" / "occupations" / "survey"
    (folder / "responses.csv").write_text("respondent_id\n", encoding="utf-8")
    options = ("--items", asked / "items.csv", "--ratios", asked / "ratios.csv", "--per-form", 3)
    line = ("evaluate", "occupations", "survey", "-w", workspace, *options)
    refused = curate(*line)
    assert (refused.code, "responses.csv holds answers to it" in refused.err) == (1, True)
    assert curate(*line, "--replace").code == 0


@pytest.mark.parametrize("command", ["items", "survey", "score"])
def test_an_out_that_is_a_file_is_refused(
    curate: Any, workspace: Path, asked: Path, ratios: Path, command: str
) -> None:
    """And stays as it is."""
    path = reply(workspace, asked, unknowing, "m")
    files = ("--items", asked / "items.csv", "--ratios", asked / "ratios.csv")
    options = {
        "items": ("--task", "persona-gender", "--ratios", ratios),
        "survey": files,
        "score": (*files, "--replies", path),
    }[command]
    before = ratios.read_bytes()
    ran = curate("evaluate", "occupations", command, "-w", workspace, *options, "--out", ratios)
    assert (ran.code, "is not a folder" in ran.err, ratios.read_bytes()) == (1, True, before)


def test_answers_are_read_by_the_mappings_of_the_forms(
    curate: Any, workspace: Path, asked: Path
) -> None:
    """What a panel company gives back for each form: one leans wholly, one never knows."""
    folder = workspace / "exports" / "occupations" / "survey" / "forms"
    items = {item["item_id"]: item for item in table(asked / "items.csv")}
    options: list[object] = []
    for number, form in enumerate(("f01", "f02")):
        row = {"respondent_id": f"p{number}", "form": form, "gender": "female", "age_band": "30-39"}
        for code in table(folder / "codes.csv"):
            if (code["platform"], code["form"]) != ("csv", form):
                continue
            name = code["question_id"]
            says = (leaning(items[name]), "unknown")[number] if name in items else ""
            if name == "attention" or code["text"] == says:
                row[code["column"]] = code["code"]
        path = workspace / f"{form}.csv"
        path.write_text(f"{','.join(row)}\n{','.join(row.values())}\n", encoding="utf-8")
        options += ["--responses", path, "--mapping", folder / "csv" / f"{form}.mapping.yaml"]
    ran = score(curate, asked, "-w", workspace, *options, "--json")
    assert ran.code == 0, ran.err
    (row,) = ran.json["rows"]
    assert (row["n_replies"], row["n_items"], row["M_R"]) == (8, 8, 0.5)
    # four choices of the first, each of them one of two for its group: 4 x 1/2 over 4 occupations
    assert row["M_B"] == pytest.approx(0.5)
    assert ran.json["people"] == {"respondents": 2, "left_out": 0}
