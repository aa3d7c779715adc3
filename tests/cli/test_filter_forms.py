"""Reading the toolkit's own forms, several to a survey."""

MAPPING = """\
respondent: {id: who}
questions:
  - {id: q-age-6df96e0c, kind: choice, column: Q, options: {A: "1", B: "2", N: none}}
"""


def test_answers_are_never_written_over_by_others(curate, demo):
    """Received answers replace those of an earlier run only where they hold them all."""
    folder = demo / "responses"
    (demo / "mapping.yaml").write_text(MAPPING, encoding="utf-8")

    def run(text):
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
