"""`curate translate sheet`, `collect` and `status`."""

import re
from collections import Counter

from curation.files.tables import read_table
from curation.records.bank import SLOT_TEXT_FIELDS


def bank(workspace):
    rows = read_table(workspace / "templates_src" / "bank.csv").rows
    return {row["template_id"] + row["variant"]: row for row in rows}


def test_published_templates_go_the_whole_way(curate, tmp_path, reference):
    """Of all four files: imported, translated, handed out, and every slot verified on return."""
    workspace = tmp_path / "bbq"
    curate("init", workspace, "--language", "ko")
    with (workspace / "culture.yaml").open("a", encoding="utf-8") as stream:
        stream.write("translation: {unlabelled: true}\n")
    folder = reference / "bbq" / "templates"
    curate("import", "bbq", folder, "-w", workspace)
    files = [path for path in folder.glob("*.csv") if not path.name.startswith("vocabulary")]
    assert len(files) == len({row["source_category"] for row in bank(workspace).values()}) == 4
    run = curate("translate", "run", "-w", workspace, "--engine", "pseudo", "--json").json
    assert run["flagged"] == {}
    made = curate("translate", "sheet", "-w", workspace, "--json").json["sheets"][0]
    assert made["texts"] == made["prefilled"] > 900
    [found] = curate("collect", "-w", workspace, "--json", made["file"]).json["collected"]
    assert (found["accepted"], found["open"], found["findings"]) == (made["texts"], 0, [])
    rules = {
        item["rule"]
        for item in curate("check", "-w", workspace, "--json").json["findings"]
        if not item["column"].endswith("_source")
    }
    assert not rules & {"slot-syntax", "slot-undeclared", "form-count"}
    for row in bank(workspace).values():
        for field in SLOT_TEXT_FIELDS:
            source, own = row[f"{field}_source"], row[field]
            assert names_of(own) == names_of(source), (row["template_id"], field)
            assert own


def names_of(text):
    return Counter(re.findall(r"\[(\w+)", text))
