"""`curate export survey`."""

import csv
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.files.manifest import read_manifest, verify_manifest

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]


def rows(path: Path) -> list[dict[str, str]]:
    """Give the rows of a table."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def results(workspace: Path) -> Path:
    """Give where the results are written by default."""
    return workspace / "exports" / "survey_results"


def test_the_counts_are_read_back_to_the_same_tallies_and_decisions(
    curate: Curate, filtered: Path
) -> None:
    """Filtering by what was published adds nothing to the ledger, and counts the same."""
    assert curate("export", "survey", "-w", filtered).code == 0
    folder = results(filtered)
    assert {path.name for path in folder.iterdir()} == {
        *("survey_results.json", "tallies.csv", "README.md", "manifest.json")
    }
    ledger = (filtered / "decisions.csv").read_bytes()
    targets = (filtered / "responses" / "targets.csv").read_bytes()
    published = folder / "survey_results.json"
    assert curate("filter", "-w", filtered, "--survey", published).code == 0
    assert (filtered / "decisions.csv").read_bytes() == ledger
    assert (filtered / "responses" / "targets.csv").read_bytes() == targets
    counted = (filtered / "responses" / "tallies.csv").read_bytes()
    assert counted == (folder / "tallies.csv").read_bytes()


def test_the_decisions_can_be_made_again_from_the_counts_alone(
    curate: Curate, filtered: Path
) -> None:
    """In a workspace that has no ledger and no answers."""
    curate("export", "survey", "-w", filtered)
    before = [
        {key: value for key, value in row.items() if key != "at"}
        for row in rows(filtered / "decisions.csv")
    ]
    for name in ("decisions.csv", "responses/responses.csv", "responses/questionnaire.csv"):
        (filtered / name).unlink()
    curate("filter", "-w", filtered, "--survey", results(filtered) / "survey_results.json")
    after = rows(filtered / "decisions.csv")
    assert [{key: value for key, value in row.items() if key != "at"} for row in after] == before


def test_the_counts_name_no_file_and_nobody(curate: Curate, filtered: Path) -> None:
    """Where the counts come from is not published."""
    curate("export", "survey", "-w", filtered)
    tallies = rows(results(filtered) / "tallies.csv")
    assert {row["source"] for row in tallies} == {"survey_results.json"}
    assert sum(int(row["votes"]) for row in tallies) == 8382
    entries = json.loads((results(filtered) / "survey_results.json").read_text("utf-8"))
    assert len(entries) == 66
    assert entries[0]["survey_stats"] == {"노인": 84, "청년": 18, "no_stereo": 18}
    assert verify_manifest(results(filtered)) == []
    assert read_manifest(results(filtered)).counts == {"questions": 66, "votes": 8382}


def test_before_the_survey_there_is_nothing_to_publish(curate: Curate, demo: Path) -> None:
    """And nothing is written."""
    ran = curate("export", "survey", "-w", demo)
    assert (ran.code, ran.out) == (1, "")
    assert "the survey has not been counted yet" in ran.err
    assert not results(demo).exists()


def test_the_answers_of_respondents_have_new_numbers_and_no_times(
    curate: Curate, filtered: Path
) -> None:
    """What was chosen is the same; who, when, where on the page and how long is not there."""
    assert curate("export", "survey", "-w", filtered, "--respondents").code == 0
    before = rows(filtered / "responses" / "responses.csv")
    after = rows(results(filtered) / "responses.csv")
    assert len(after) == len(before)
    assert {(row["position"], row["duration_s"]) for row in after} == {("", "")}
    people = {row["respondent_id"] for row in rows(filtered / "responses" / "respondents.csv")}
    numbers = [f"p{at:03d}" for at in range(1, 121)]
    respondents = rows(results(filtered) / "respondents.csv")
    assert [row["respondent_id"] for row in respondents] == numbers
    assert list(respondents[0]) == ["respondent_id", "gender", "age_band"]
    assert not people & {row["respondent_id"] for row in after}

    def contents(table: list[dict[str, str]], about: list[dict[str, str]]) -> list[Any]:
        found: dict[str, Any] = {row["respondent_id"]: [tuple(row.values())[1:]] for row in about}
        for row in table:
            found[row["respondent_id"]].append((row["question_id"], row["option"], row["state"]))
        return sorted((who[0], *sorted(who[1:])) for who in found.values())

    assert contents(after, respondents) == contents(
        before, rows(filtered / "responses" / "respondents.csv")
    )


def test_the_published_answers_are_counted_the_same(curate: Curate, filtered: Path) -> None:
    """By the questionnaire that is published beside them."""
    curate("export", "survey", "-w", filtered, "--respondents")
    folder = results(filtered)
    ledger = (filtered / "decisions.csv").read_bytes()
    ran = curate(
        *("filter", "-w", filtered, "--survey", folder / "responses.csv"),
        *("--questionnaire", folder / "questionnaire.csv"),
    )
    assert ran.code == 0
    assert (filtered / "decisions.csv").read_bytes() == ledger


def test_neither_ids_nor_the_order_of_the_file_can_be_seen(
    curate: Curate, filtered: Path, tmp_path: Path
) -> None:
    """The same people under other ids, in another order, give the same bytes."""
    curate("export", "survey", "-w", filtered, "--respondents", "--out", tmp_path / "one")
    draw = random.Random(5)  # noqa: S311  # a seeded example
    people = rows(filtered / "responses" / "respondents.csv")
    other = {row["respondent_id"]: f"x{draw.randrange(10**9)}" for row in people}
    for name in ("responses.csv", "respondents.csv"):
        path = filtered / "responses" / name
        table = rows(path)
        draw.shuffle(table)
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, table[0], lineterminator="\n")
            writer.writeheader()
            for row in table:
                writer.writerow(row | {"respondent_id": other[row["respondent_id"]]})
    curate("export", "survey", "-w", filtered, "--respondents", "--out", tmp_path / "two")
    for name in ("responses.csv", "respondents.csv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_who_could_be_told_is_refused_by_size(curate: Curate, filtered: Path) -> None:
    """Never by value, and with what is enough to leave out."""
    path = filtered / "responses" / "respondents.csv"
    path.write_text(path.read_text("utf-8").replace("r001,female,", "r001,other,"), "utf-8")
    ran = curate("export", "survey", "-w", filtered, "--respondents")
    assert (ran.code, ran.out) == (1, "")
    assert "are shared by fewer than 5 respondents: 1 of 1 (1 of 120 respondents)" in ran.err
    assert "other" not in ran.err.replace("another", "")
    assert "(gender alone is enough)" in ran.err
    assert not results(filtered).exists()
    assert (
        curate(
            *("export", "survey", "-w", filtered, "--respondents", "--attributes", "age_band")
        ).code
        == 0
    )


def test_attributes_of_who_could_be_told_are_blanked_on_request(
    curate: Curate, filtered: Path
) -> None:
    """With enough others that being blank tells nobody."""
    path = filtered / "responses" / "respondents.csv"
    path.write_text(path.read_text("utf-8").replace("r001,female,", "r001,other,"), "utf-8")
    ran = curate("export", "survey", "-w", filtered, "--respondents", "--suppress", "--json")
    assert ran.code == 0
    about = rows(results(filtered) / "respondents.csv")
    blank = [row for row in about if row["gender"] == row["age_band"] == ""]
    assert len(blank) == ran.json["counts"]["respondents_blanked"] == 12
    assert all(row["gender"] != "other" for row in about)


def test_respondents_who_were_not_counted_are_not_published(curate: Curate, filtered: Path) -> None:
    """Whom a rule of quality leaves out stays out."""
    path = filtered / "responses" / "respondents.csv"
    lines = path.read_text("utf-8").splitlines()
    for at in range(1, len(lines)):
        lines[at] += ",failed" if at <= 3 else ",passed"
    lines[0] += ",attention"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    curate("filter", "-w", filtered, "--survey", filtered / "responses" / "responses.csv")
    ran = curate("export", "survey", "-w", filtered, "--respondents", "--json")
    counts = ran.json["counts"]
    assert (counts["respondents"], counts["respondents_left_out"]) == (117, 3)
    assert list(rows(results(filtered) / "respondents.csv")[0]) == [
        *("respondent_id", "gender", "age_band")
    ]


def test_answers_that_were_not_counted_are_refused(curate: Curate, filtered: Path) -> None:
    """Counts and answers would contradict each other."""
    path = filtered / "responses" / "responses.csv"
    text = path.read_text("utf-8")
    assert "r001,q-age-cfb6de20,choice,1,selected" in text
    text = text.replace(
        "r001,q-age-cfb6de20,choice,1,selected", "r001,q-age-cfb6de20,choice,1,shown"
    )
    path.write_text(text, encoding="utf-8")
    ran = curate("export", "survey", "-w", filtered, "--respondents")
    assert ran.code == 1
    assert "the answers to question q-age-cfb6de20 are not those that were counted" in ran.err


@pytest.mark.parametrize(
    ("options", "code", "what"),
    [
        (["--respondents", "--attributes", "status"], 2, "'status' is never published"),
        (["--respondents", "--attributes", "respondent_id"], 2, "is never published"),
        (["--respondents", "--attributes", ","], 2, "name attributes, or 'none'"),
        (["--respondents", "--attributes", "height"], 1, "have no attribute 'height'"),
        (["--respondents", "--k", "1"], 2, "--k"),
        (["--respondents", "--k", "200"], 1, "120 respondents are fewer than 200"),
        (["--suppress"], 2, "go with --respondents"),
    ],
)
def test_wrong_wishes_are_refused(
    curate: Curate, filtered: Path, options: list[str], code: int, what: str
) -> None:
    """And nothing is written."""
    ran = curate("export", "survey", "-w", filtered, *options)
    assert ran.code == code
    assert what in ran.err
    assert not results(filtered).exists()


def test_an_attribute_that_holds_addresses_is_refused(curate: Curate, filtered: Path) -> None:
    """Whoever asked for it; the address is not shown."""
    path = filtered / "responses" / "respondents.csv"
    lines = path.read_text("utf-8").splitlines()
    text = "\n".join(
        [f"{lines[0]},region", *(f"{line},somebody@example.org" for line in lines[1:])]
    )
    path.write_text(f"{text}\n", encoding="utf-8")
    ran = curate("export", "survey", "-w", filtered, "--respondents", "--attributes", "region")
    assert ran.code == 1
    assert "attribute 'region' holds an e-mail address" in ran.err
    assert "somebody" not in ran.err


def test_without_attributes_everybody_is_alike(curate: Curate, filtered: Path) -> None:
    """Only their numbers are left."""
    curate("export", "survey", "-w", filtered, "--respondents", "--attributes", "none")
    assert list(rows(results(filtered) / "respondents.csv")[0]) == ["respondent_id"]


def test_what_others_wrote_is_not_overwritten(
    curate: Curate, filtered: Path, tmp_path: Path, listing: Listing
) -> None:
    """A folder with a file of one's own, or with another export."""
    own = tmp_path / "own"
    own.mkdir()
    (own / "thesis.txt").write_text("mine", encoding="utf-8")
    for folder, what in (
        (own, "own holds files that no export wrote"),
        (filtered / "exports" / "filter", "filter holds another export"),
    ):
        before = listing(folder)
        ran = curate("export", "survey", "-w", filtered, "--out", folder)
        assert ran.code == 1
        assert what in ran.err
        assert listing(folder) == before


def test_writing_again_without_respondents_takes_their_answers_away(
    curate: Curate, filtered: Path
) -> None:
    """A folder of counts alone holds counts alone."""
    curate("export", "survey", "-w", filtered, "--respondents")
    assert (results(filtered) / "responses.csv").exists()
    curate("export", "survey", "-w", filtered)
    assert not (results(filtered) / "responses.csv").exists()
    assert verify_manifest(results(filtered)) == []
