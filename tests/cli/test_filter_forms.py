"""Reading the toolkit's own forms, several to a survey."""

from pathlib import Path

import survey
from curation import open_workspace
from curation.files.tables import read_table
from tests.cli.conftest import Curate, Ran

MAPPING = """\
respondent: {id: who}
questions:
  - {id: q-age-6df96e0c, kind: choice, column: Q, options: {A: "1", B: "2", N: none}}
"""


def test_answers_are_never_written_over_by_others(curate: Curate, demo: Path) -> None:
    """Received answers replace those of an earlier run only where they hold them all."""
    folder = demo / "responses"
    (demo / "mapping.yaml").write_text(MAPPING, encoding="utf-8")

    def run(text: str) -> str:
        (demo / "export.csv").write_text(text, encoding="utf-8")
        files = ("--survey", demo / "export.csv", "--mapping", demo / "mapping.yaml")
        return "" if curate("filter", "-w", demo, *files).code == 0 else "refused"

    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert run("who,Q\np1,A\np2,B\n") == "refused"
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    (folder / "responses.csv").unlink()
    assert run("who,Q\np1,A\np2,B\n") == "refused"  # respondents.csv would be lost
    (folder / "respondents.csv").unlink()
    assert run("who,Q\np1,A\np2,B\n") == ""
    kept = (folder / "responses.csv").read_bytes()
    assert run("who,Q\np3,A\n") == "refused"
    assert (folder / "responses.csv").read_bytes() == kept
    assert run("who,Q\np1,A\np2,B\np3,A\n") == ""
    assert (folder / "responses.csv").read_bytes() != kept


def test_rules_that_leave_nobody_are_refused(curate: Curate, demo: Path) -> None:
    """Nothing is decided, and nothing written, where every respondent is left out."""
    path = demo / "responses" / "respondents.csv"
    rows = read_table(path).rows
    path.write_text(
        "respondent_id,attention\n" + "".join(f"{row['respondent_id']},failed\n" for row in rows),
        encoding="utf-8",
    )
    result = curate("filter", "-w", demo, "--survey", demo / "responses" / "responses.csv")
    assert result.code == 1
    assert "none of the 120 respondents is left" in result.err
    assert not (demo / "decisions.csv").exists()


def answered(folder: Path, mapping: str, text: str) -> list[object]:
    """Write a file and its mapping, and give them as options."""
    (folder / "mapping.yaml").write_text(mapping, encoding="utf-8")
    (folder / "export.csv").write_text(text, encoding="utf-8")
    for name in ("responses.csv", "respondents.csv"):
        (folder / "responses" / name).unlink(missing_ok=True)
    return ["--survey", folder / "export.csv", "--mapping", folder / "mapping.yaml"]


def test_a_draft_that_is_not_finished_is_refused(curate: Curate, demo: Path) -> None:
    """With the mapping, the question, and what to do; nothing is written."""
    files = answered(demo, MAPPING.replace('"2"', '"?"'), "who,Q\np1,A\n")
    result = curate("filter", "-w", demo, *files)
    assert result.code == 1
    assert "the draft is not finished: question q-age-6df96e0c has '?' for 'B'" in result.err
    assert f"{demo / 'mapping.yaml'}, question q-age-6df96e0c" in result.err
    assert not (demo / "decisions.csv").exists()


def test_what_a_draft_leaves_to_do_is_said(curate: Curate, demo: Path) -> None:
    """Until its lines are deleted; the answers are read."""
    heading = "# TO DO: column 'Q9' may be an attention check\n# TO DO: more\n"
    files = answered(demo, heading + MAPPING, "who,Q\np1,A\n")
    found = curate("filter", "-w", demo, *files, "--json")
    assert found.code == 0
    (said,) = [item for item in found.json["findings"] if item["rule"] == "survey-draft"]
    assert said["message"] == (
        "the mapping is a draft that leaves this to do: column 'Q9' may be an attention check "
        "(and 1 more lines)"
    )
    assert (said["file"], said["row"]) == (str(demo / "mapping.yaml"), 1)


def unread(result: Ran) -> list[str]:
    """Give what is said of columns that are not read."""
    found = result.json["findings"]
    return [item["message"] for item in found if item["rule"] == "survey-unread-columns"]


def test_columns_that_nobody_reads_are_named_once(curate: Curate, demo: Path) -> None:
    """A question that the mapping forgets would be lost without a word."""
    text = "who,Q,Q2,Q3,empty\np1,A,1,,\np2,B,,x,\n"
    files = answered(demo, MAPPING, text)
    assert unread(curate("filter", "-w", demo, *files, "--json")) == [
        "2 columns hold something that the mapping does not read: 'Q2', 'Q3'"
    ]
    files = answered(demo, MAPPING + "ignored: [Q2, Q3]\n", text)
    assert unread(curate("filter", "-w", demo, *files, "--json")) == []


def test_what_one_mapping_of_a_file_reads_is_read(curate: Curate, demo: Path) -> None:
    """Each form in a file may have a mapping of its own."""
    text = "who,form,Q,Q2,Q3\np1,f01,A,,\np2,f02,,A,\np3,f02,,N,x\n"
    first = MAPPING + "keep: {form: [f01]}\n"
    files = answered(demo, first, text)
    other = first.replace("f01", "f02").replace("q-age-6df96e0c", "q-age-cfb6de20")
    (demo / "second.yaml").write_text(other.replace("column: Q,", "column: Q2,"), "utf-8")
    result = curate("filter", "-w", demo, *files, "--mapping", demo / "second.yaml", "--json")
    assert unread(result) == ["1 column holds something that the mapping does not read: 'Q3'"]


def company_file(folder: Path, forms: tuple[str, ...]) -> Path:
    """Answer some forms as a company would: the codebook's columns, the first code of each."""
    book = read_table(folder / "codebook.csv").rows
    columns = list(dict.fromkeys(row["column"] for row in book))
    first = {row["column"]: row for row in reversed(book)}
    lines = [",".join(columns)]
    for at, form in enumerate(forms * 3):
        own = {"respondent_id": f"P{at}", "form": form, "attention": "3"}
        cells = {
            name: row["code"] if not row["form"] or form in row["form"].split() else ""
            for name, row in first.items()
        }
        lines.append(",".join({**cells, **own}[name] for name in columns))
    path = folder / "received.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_file_of_all_forms_is_read_by_the_mapping_of_all(curate: Curate, demo: Path) -> None:
    """`inspect` names it, and the answers to every form come through it."""
    for name in ("responses.csv", "respondents.csv"):
        (demo / "responses" / name).unlink()
    built = ("survey", "build", "-w", demo, "--format", "csv", "--per-form", "20")
    assert curate(*built).code == 0
    folder = demo / "responses" / "forms" / "csv"
    path = company_file(folder, ("f01", "f02", "f03"))
    found = curate("survey", "inspect", path, "-w", demo)
    assert found.code == 0
    joint = folder / "all.mapping.yaml"
    assert "The file has answers to forms f01, f02, f03 of 'curate survey build'." in found.out
    assert f"Its mapping is {joint}; the draft is the same." in found.out
    assert "left over" not in found.out
    said = curate("filter", "-w", demo, "--survey", path, "--mapping", joint, "--json").json
    # Blanks of other forms are no missing answers; the first answers are mostly wrong.
    assert [rule["rule"] for rule in said["quality"]["rules"]] == ["failed_comprehension"]
    assert said["quality"]["respondents"] == 9
    alone = company_file(folder, ("f02",))
    found = curate("survey", "inspect", alone, "-w", demo, "--json").json
    assert found["forms"] == [str(folder / "f02.mapping.yaml")]
    assert [row["role"] for row in found["columns"]].count("attention") == 1
    assert (found["to_do"], found["trial"]["problem"]) == ([], None)


PEOPLE = "Participant id,Status,Age\n1,APPROVED,30\n2,REJECTED,31\n"


def test_a_list_of_people_is_read_beside_a_file_with_a_mapping(curate: Curate, demo: Path) -> None:
    """With a panel's own headings; who was rejected does not vote, and the rest is said."""
    files = answered(demo, MAPPING, "who,Q\n1,A\n2,A\n3,B\n")

    def run(**how: bool) -> tuple[int, set[str]]:
        found = survey.filter(
            open_workspace(demo), [demo / "export.csv"], mappings=[demo / "mapping.yaml"], **how
        )
        return found.tallies[0].respondents, {item.rule for item in found.findings}

    assert run(dry_run=True)[0] == 3
    path = demo / "respondents.csv"
    path.write_text(PEOPLE, encoding="utf-8")
    for _ in range(2):
        people, rules = run()
        assert people == 2
        assert "survey-respondents-unknown" in rules
    path.write_text(PEOPLE.replace("1,A", "8,A").replace("2,R", "9,R"), encoding="utf-8")
    assert "none of the 2 ids" in curate("filter", "-w", demo, *files).err


def test_a_list_of_people_where_the_filter_writes_is_refused(curate: Curate, demo: Path) -> None:
    """It would be written over; what the filter itself wrote is no such list."""
    files = answered(demo, MAPPING, "who,Q\n1,A\n2,A\n")
    path = demo / "responses" / "respondents.csv"
    path.write_text(PEOPLE, encoding="utf-8")
    ran = curate("filter", "-w", demo, *files)
    assert ran.code == 1
    assert "does not say that the filter wrote this respondents.csv" in ran.err
    assert path.read_text("utf-8") == PEOPLE
