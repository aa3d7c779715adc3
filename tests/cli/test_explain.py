"""`curate explain`."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.files.tables import read_table, write_csv

Curate = Callable[..., Any]


def explain(curate: Curate, workspace: Path, subject: str) -> tuple[str, Any]:
    """Explain a subject in words and as JSON."""
    words = curate("explain", "-w", workspace, subject)
    assert (words.code, words.err) == (0, "")
    return words.out, curate("explain", "-w", workspace, subject, "--json").json


def test_a_template_is_explained_with_every_ruling(curate: Curate, filtered: Path) -> None:
    """Status, source, question, votes and decisions of question and template are there."""
    text, found = explain(curate, filtered, "age-006")
    (template,) = found["templates"]
    assert (template["template_id"], template["status"], template["modified"]) == (
        *("age-006", "dropped", False),
    )
    assert template["question"]["votes"] == [
        {"group": "노인", "role": "target", "votes": 64},
        {"group": template["question"]["votes"][1]["group"], "role": "non_target", "votes": 32},
        {"group": None, "role": "none", "votes": 24},
    ]
    assert [item["rule"] for item in template["decisions"]] == [
        *("min_respondents", "two_thirds", "no_stereotype", "comprehension"),
    ]
    assert text.startswith(
        "Template age-006: dropped, two_thirds drop (below): 64 of 96 = 0.667, threshold 0.667, "
        "95 % interval 0.568 to 0.753, borderline\n"
    )
    for part in ("category      Age", "q-age-5673ccc7 (choice), 120 respondents", "   64  노인"):
        assert part in text
    assert text.count("curate 0.") == 4


def test_surveyed_groups_are_said_to_be(curate: Curate, filtered: Path) -> None:
    """Options that do not count are marked, and where the groups come from is said."""
    text, found = explain(curate, filtered, "home_region-005")
    assert found["templates"][0]["modified"]
    assert "솔바람숲, 갈대늪  (from the survey)" in text
    assert text.count("(does not count for the uniform share)") == 3
    assert "target_selection modify (surveyed_groups)" in text


@pytest.mark.parametrize(
    ("subject", "templates"),
    [
        ("age-001a", ["age-001"]),
        ("age-001d", ["age-001"]),
        ("q-age-5673ccc7", ["age-006"]),
        ("아침 일찍 장을 본다", ["age-006"]),
        ("  아침   일찍 장을  본다 ", ["age-006"]),
        ("c-hobby-008", ["hobby-008"]),
    ],
)
def test_a_template_is_found_by_whatever_names_it(
    curate: Curate, filtered: Path, subject: str, templates: list[str]
) -> None:
    """By a variant, a question of either kind, or its stereotype."""
    _, found = explain(curate, filtered, subject)
    assert (found["subject"], found["sample"]) == (subject, None)
    assert [item["template_id"] for item in found["templates"]] == templates


def test_a_stereotype_explains_all_its_templates(curate: Curate, filtered: Path) -> None:
    """Two templates may share one, and have different questions."""
    text, found = explain(curate, filtered, "age-004")
    stereotype = found["templates"][0]["stereotype"]
    text, found = explain(curate, filtered, stereotype)
    assert [item["template_id"] for item in found["templates"]] == ["age-004", "age-005"]
    assert len({item["question"]["question_id"] for item in found["templates"]}) == 2
    assert text.count("\n\nTemplate ") == 1


def test_an_undecided_template_says_why(curate: Curate, filtered: Path) -> None:
    """There is no question to show."""
    text, found = explain(curate, filtered, "occupation-009")
    assert found["templates"][0]["question"] is None
    assert text.startswith(
        "Template occupation-009: undecided, its stereotype was not asked about\n"
    )


def test_before_the_survey_there_is_nothing_to_rule(curate: Curate, demo: Path) -> None:
    """A workspace that was never filtered can be asked all the same."""
    text, _ = explain(curate, demo, "age-001")
    assert "decisions     none" in text


def test_a_sample_is_made_again(curate: Curate, filtered: Path) -> None:
    """Its filling, its groups and its template's decisions are shown."""
    text, found = explain(curate, filtered, "age-001b-001-dis-bsd")
    sample = found["sample"]
    assert sample["in_benchmark"]
    assert sample["filling"] == {
        "N1": {"filler": "할머니", "group": "노인"},
        "N2": {"filler": "대학생", "group": "청년"},
        "W1": {"filler": "생일잔치", "group": ""},
    }
    assert (sample["answer"], sample["biased_answer"]) == ("할머니", "할머니")
    assert sample["choices"] == ["할머니", "대학생", "알 수 없음"]
    assert text.startswith("Sample age-001b-001-dis-bsd\n  N1        할머니  (노인)\n")
    assert "\n\nTemplate age-001: kept" in text


def with_names(workspace: Path, names: Callable[[str], str]) -> None:
    """Write other lists of people into a template."""
    bank = workspace / "templates_src" / "bank.csv"
    with bank.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        if row["template_id"] == "age-001":
            row["names"] = names(row["names"])
    with bank.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def test_of_a_long_list_a_few_names_are_shown(curate: Curate, filtered: Path) -> None:
    """Twenty from all over it, without what they are known for, and how many more there are."""
    people = ", ".join(f"Ann{at} {{town: t{at % 40}}}" for at in range(1200))
    names = f"N1: [{people}]; N2: [Bo {{town: t1}}]; N1.town = N2.town"
    with_names(filtered, lambda _: names)
    lines = explain(curate, filtered, "age-001a")[0].splitlines()
    (one,) = (line for line in lines if line.startswith("  N1 (a) "))
    assert one.partition(": ")[2].startswith("Ann0, Ann60, Ann120, ")
    assert one.endswith(", Ann1080, Ann1140 (and 1,180 more)")
    (two,) = (line for line in lines if line.startswith("  N2 (a) "))
    assert two.endswith(": Bo {town: t1}")
    (left,) = (line for line in lines if line.startswith("  conditions "))
    assert left.endswith("  (90 of 3,600 combinations)")


def test_conditions_and_features_are_shown(curate: Curate, filtered: Path) -> None:
    """Of a template with what they leave of the product, of a sample with its fillers."""

    def in_towns(names: str) -> str:
        people = names.split("; ")
        lists = [
            part.replace("]", " {town: hill}]").replace(",", " {town: lake},") for part in people
        ]
        return "; ".join([*lists, "N1.town = N2.town"])

    with_names(filtered, in_towns)
    text, found = explain(curate, filtered, "age-001a")
    assert found["templates"][0]["conditions"] == ["N1.town = N2.town"]
    assert "\n  conditions    N1.town = N2.town  (6 of 12 combinations)\n" in text
    text, found = explain(curate, filtered, "age-001a-001-amb-bsd")
    assert found["sample"]["conditions"] == ["N1.town = N2.town"]
    towns = {name: part.get("features") for name, part in found["sample"]["filling"].items()}
    assert towns == {"N1": {"town": "lake"}, "N2": {"town": "lake"}, "W1": None}
    assert "\n  conditions    N1.town = N2.town\n" in text


def test_the_last_filling_is_there(curate: Curate, filtered: Path) -> None:
    """Fillings count from 1 to their number."""
    sample = explain(curate, filtered, "age-001a-012-amb-cnt")[1]["sample"]
    assert sample["sample_id"] == "age-001a-012-amb-cnt"


@pytest.mark.parametrize(
    ("subject", "line"),
    [
        ("age-001", "  source        demo-en Age Age-01"),
        ("birth_season-001", "  source        written for this culture"),
        ("home_region-002", "  target        to be chosen by the survey"),
        ("home_region-005", "  N1 (a)        거울호수: 거울호수 사람, 거울호수 토박이"),
    ],
)
def test_source_and_stated_groups_are_shown(
    curate: Curate, demo: Path, subject: str, line: str
) -> None:
    """Before the survey the groups are those that were stated, or open."""
    text, _ = explain(curate, demo, subject)
    assert any(shown.startswith(line) for shown in text.splitlines())


def test_groups_that_were_not_renamed_are_those_of_the_source(curate: Curate, demo: Path) -> None:
    """They are not left to the survey: their name in the culture is missing."""
    bank = demo / "templates_src" / "bank.csv"
    table = read_table(bank)
    fields = ("target_groups", "n1_groups", "n2_groups")
    groups = {"target_groups_source": "old", "n1_groups_source": "young", "n2_groups_source": ""}
    columns = [*table.columns, *(name for name in groups if name not in table.columns)]
    rows = []
    for row in table.rows:
        cells = {name: row[name] for name in table.columns}
        if cells["template_id"] == "age-001":
            cells |= dict.fromkeys(fields, "") | groups
        rows.append([cells.get(name, "") for name in columns])
    write_csv(bank, columns, rows)
    lines = explain(curate, demo, "age-001")[0].splitlines()
    assert "  target        no group named yet (old in the source)" in lines
    one, two = (next(line for line in lines if f" {name} (a) " in line) for name in ("N1", "N2"))
    assert one.startswith("  N1 (a)        no group named yet (young in the source): ")
    assert two.startswith("  N2 (a)        no group named: ")


def test_an_explained_sample_is_the_exported_one(curate: Curate, filtered: Path) -> None:
    """Field by field, for a sample of surveyed groups."""
    assert curate("export", "samples", "-w", filtered).code == 0
    path = filtered / "exports" / "samples" / "samples.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        rows = {row["sample_id"]: row for row in csv.DictReader(stream)}
    name = "home_region-002a-003-amb-cnt"
    sample = explain(curate, filtered, name)[1]["sample"]
    for column, value in rows[name].items():
        assert column == "choices" or sample[column] == value


def test_a_sample_that_repeats_another_is_none(curate: Curate, demo: Path) -> None:
    """Of a template that gives no sample twice, the one that stays is named."""
    path = demo / "templates_src" / "bank.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        every = list(csv.DictReader(stream))
    one, other = (
        next(row for row in every if (row["template_id"], row["variant"]) == ("age-001", letter))
        for letter in "ab"
    )
    rows = [{**one, "samples_once": "true"}, other, {**one, "variant": "c"}]
    rows += [{**other, "variant": "d"}, *(row for row in every if row["template_id"] != "age-001")]
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, [*rows[0]], restval="")
        writer.writeheader()
        writer.writerows(rows)
    ran = curate("explain", "-w", demo, "age-001c-002-dis-bsd")
    assert ran.code == 1
    assert "age-001c-002-dis-bsd is not given: it asks what age-001a-002-dis-bsd asks" in ran.err
    sample = explain(curate, demo, "age-001a-002-dis-bsd")[1]["sample"]
    assert sample["in_benchmark"]


@pytest.mark.parametrize("name", ["age-006a-001-amb-bsd", "age-008a-001-amb-bsd"])
def test_a_sample_of_a_template_that_is_out_is_not_in_the_benchmark(
    curate: Curate, filtered: Path, name: str
) -> None:
    """Why its template is out follows, whether it was dropped or labelled SR."""
    text, found = explain(curate, filtered, name)
    assert found["sample"] == {"sample_id": name, "in_benchmark": False}
    assert found["templates"][0]["status"] in ("dropped", "removed")
    assert text.startswith(f"Sample {name} is not in the benchmark: its template is out.\n")


@pytest.mark.parametrize(
    ("subject", "what", "hint"),
    [
        (
            "age-0001",
            "no template, stereotype, question or sample 'age-0001'",
            "did you mean age-001 or ",
        ),
        ("Age 1", "'Age 1'", "did you mean age-001?"),
        ("age-1b", "'age-1b'", "did you mean age-001b or age-001 or "),
        ("age-099", "no template, stereotype, question or sample 'age-099'", "did you mean age-0"),
        ("아침 일찍 장을 보다", "'아침 일찍 장을 보다'", "did you mean 아침 일찍 장을 본다"),
        ("q-age-5673ccc8", "'q-age-5673ccc8'", "did you mean q-age-5673ccc7"),
        ("age-002d", "'age-002d'", "did you mean age-002"),
        ("age-099a-001-amb-bsd", "'age-099a-001-amb-bsd'", "did you mean age-0"),
        ("xyzzy", "'xyzzy'", "SUBJECT is a template (age-001), a variant or sample of one"),
        ("", "''", "SUBJECT is a template (age-001), a variant or sample of one"),
        ("장을 본다", "'장을 본다'", "did you mean 아침 일찍 장을 본다"),
        (
            "age",
            "'age'",
            "Age is a category: ask about age-001, age-002, age-003, age-004, age-005",
        ),
        ("나이", "'나이'", "Age is a category: ask about age-001,"),
        ("birth season", "'birth season'", "Birth_season is a category: ask about birth_season-"),
        ("거울호수", "'거울호수'", "거울호수 is a group of Home_region: ask about home_region-0"),
        ("age-001a-999-amb-bsd", "age-001a has 12 fillings, none is 999", ""),
        ("age-002d-001-amb-bsd", "there is no variant age-002d that can be filled", ""),
    ],
)
def test_what_is_not_there_is_said_with_what_is_like_it(
    curate: Curate, filtered: Path, subject: str, what: str, hint: str
) -> None:
    """Status 1, and the nearest names of any kind."""
    ran = curate("explain", "-w", filtered, subject)
    assert (ran.code, ran.out) == (1, "")
    assert what in ran.err.splitlines()[0]
    assert hint in ran.err
    assert "curate stats" not in ran.err


@pytest.fixture
def taken_out(filtered: Path) -> Path:
    """A workspace from whose bank a template was taken after its survey."""
    path = filtered / "templates_src" / "bank.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.reader(stream) if row[0] != "age-006"]
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows)
    return filtered


@pytest.mark.parametrize("subject", ["age-006", "age-006a", "age-006b-001-dis-bsd", "c-age-006"])
def test_a_template_that_was_taken_out_has_its_decisions(
    curate: Curate, taken_out: Path, subject: str
) -> None:
    """Those on itself, with its question of comprehension; that it is gone is said."""
    text, found = explain(curate, taken_out, subject)
    assert (found["templates"], found["sample"]) == ([], None)
    (gone,) = found["gone"]
    assert (gone["subject"], gone["kind"]) == ("age-006", "template")
    assert gone["question"]["question_id"] == "c-age-006"
    assert [item["rule"] for item in gone["decisions"]] == ["comprehension"]
    assert text.startswith("Template age-006: no longer in the bank; its decisions are kept\n")
    assert "    comprehension keep: " in text


@pytest.mark.parametrize("subject", ["q-age-5673ccc7", "아침 일찍 장을 본다"])
def test_a_question_whose_templates_were_taken_out_has_its_decisions(
    curate: Curate, taken_out: Path, subject: str
) -> None:
    """By its id and by its stereotype, with the votes."""
    text, found = explain(curate, taken_out, subject)
    (gone,) = found["gone"]
    assert (gone["subject"], gone["kind"], gone["see_also"]) == ("q-age-5673ccc7", "question", [])
    assert gone["question"]["votes"][0] == {"group": "노인", "role": "target", "votes": 64}
    assert [item["rule"] for item in gone["decisions"]] == [
        *("min_respondents", "two_thirds", "no_stereotype"),
    ]
    assert text.startswith("Question q-age-5673ccc7: no template of the bank is linked to it\n")
    assert "  stereotype    아침 일찍 장을 본다\n" in text
    assert "two_thirds drop (below): 64 of 96" in text


def test_a_question_names_templates_of_its_stereotype_that_do_not_hang_on_it(
    curate: Curate, workspace: Path
) -> None:
    """So that one whose groups were edited is found."""
    survey = workspace / "responses" / "responses.csv"
    assert curate("filter", "-w", workspace, "--survey", survey).code == 0
    bank = workspace / "templates_src" / "bank.csv"
    bank.write_text(bank.read_text("utf-8").replace("Potters", "Weavers"), "utf-8")
    text, found = explain(curate, workspace, "q-hum")
    assert found["gone"][0]["see_also"] == ["craft-001"]
    assert "see also      craft-001 has its stereotype: undecided, its stereotype was asked" in text


@pytest.mark.parametrize("name", ["q-old", "q-12"])
def test_a_question_of_an_earlier_survey_has_its_decisions(
    curate: Curate, filtered: Path, name: str
) -> None:
    """The ledger keeps them when the counts are gone, whatever the id looks like."""
    with (filtered / "decisions.csv").open("a", encoding="utf-8") as stream:
        stream.write(f"{name},survey,two_thirds,keep,,9,10,0.9,0.8,0.1,0.6,1,false,x,2026-01-01\n")
    text, found = explain(curate, filtered, name)
    assert (found["gone"][0]["kind"], found["gone"][0]["question"]) == ("question", None)
    assert "two_thirds keep: 9 of 10" in text
