"""The page of KoBBQ's published templates, decided by its published counts."""

from pathlib import Path
from typing import Any

from curation import import_templates
from curation.files.workspace import Workspace
from exports.browse import write_browse
from exports.browse.chunks import read_chunk
from exports.edition import open_edition
from survey import filtering
from survey.bank import final_bank
from survey.outcomes import describe

CULTURE = 'culture: korea\nlanguage: ko\nunknown: "알 수 없음"\n'


def test_the_published_templates_have_a_page(reference: Path, tmp_path: Path) -> None:
    """All 168 with the decisions that their own counts give, and all their samples, in 3 MB."""
    workspace = Workspace(tmp_path / "w")
    workspace.root.mkdir()
    workspace.culture_file.write_text(CULTURE, encoding="utf-8")
    import_templates(workspace, "kobbq", [reference / "kobbq" / "templates.tsv"])
    filtering.filter(workspace, [workspace.responses_folder / "published_counts.json"])
    workspace = Workspace(workspace.root)
    page = write_browse(workspace)
    assert (page.counts["templates"], page.counts["kept"], page.counts["undecided"]) == (
        168,
        168,
        0,
    )
    assert page.counts["samples"] == open_edition(workspace).plan().taken
    assert page.counts["bytes"] < 3_000_000
    data = page.folder / "data"
    index: Any = read_chunk(data / "index.js")
    assert sum(1 for _ in data.glob("template-*.js")) == 7
    for row, item in zip(index["templates"]["rows"], final_bank(workspace).outcomes, strict=True):
        found: Any = read_chunk(data / f"template-{row[11]}.js")
        shown = found["templates"][str(item.template.id)]["decisions"]
        assert [one["sentence"] for one in shown] == [*map(describe, item.decisions)]
        assert [bool(one["near"]) for one in shown] == [one.borderline for one in item.decisions]
        assert shown
