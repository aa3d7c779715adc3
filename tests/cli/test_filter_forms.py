"""Reading the toolkit's own forms, several to a survey."""

from pathlib import Path

from curation.files.tables import read_table
from tests.cli.conftest import Curate

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
