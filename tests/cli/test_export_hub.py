"""The dataset folder, `curate export package --only hub`."""

import json
import os
import re
import subprocess
import sys

import pytest
from csv_rows import read_rows

from curation.files.workspace import Workspace
from exports.card.facts import gather
from exports.edition import open_edition
from exports.hub_files import write_folder

CREATORS = {"found", "crowdsourced", "expert-generated", "machine-generated", "other"}
"""Those that the hub's card may name, of annotations and of texts."""
CONFIGURATIONS = ("test", "samples", "templates", "survey")


def write_hub(workspace, folder):
    """Write all of a dataset folder except for its manifest."""
    return write_folder(folder, gather(open_edition(workspace), ["all", "test"]))


@pytest.fixture(scope="module")
def _hub(_filtered, tmp_path_factory):
    folder = tmp_path_factory.mktemp("hub") / "out"
    folder.mkdir()
    workspace = Workspace(_filtered)
    write_hub(workspace, folder)
    return folder


def in_another_process(program, *arguments, folder):
    """Run a program of its own, for libraries that warn, and read the JSON that it prints."""
    environment = {
        **os.environ,
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "HF_HOME": str(folder / "hf"),
        "HF_DATASETS_CACHE": str(folder / "hf" / "datasets"),
        "PYTHONUTF8": "1",
    }
    ran = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        env=environment,
        capture_output=True,
        timeout=280,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    return json.loads(ran.stdout)


def rows_of(path):
    """Give the rows of a Parquet file with plain pandas, lists as lists."""
    import pandas as pd

    records = pd.read_parquet(path).to_dict("records")
    return [
        {
            str(name): value.tolist() if hasattr(value, "tolist") else value
            for name, value in row.items()
        }
        for row in records
    ]


def exported(curate, workspace, name):
    """Give the rows of `samples.csv` or `test_samples.csv`, choices as lists."""
    assert curate("export", "samples", "-w", workspace, "--set", "all,test").code == 0
    rows = read_rows(workspace / "exports" / "samples" / f"{name}.csv")
    return [{**row, "choices": json.loads(row["choices"])} for row in rows]


@pytest.mark.slow
def test_the_hub_takes_the_metadata_and_the_line_of_the_card_loads(
    curate, filtered, _hub, tmp_path
):
    """Every field as the hub's own classes read it; the printed lines as they stand, offline."""
    text = (_hub / "README.md").read_text(encoding="utf-8")
    printed = re.search(r"```python\n(from datasets.*?)```", text, re.DOTALL)
    pictured = re.search(r"!\[[^\]]*\]\((.*?)\)", text)
    assert printed and pictured and (_hub / pictured[1]).is_file()
    program = f"""
import json, sys
from huggingface_hub import DatasetCard
out, sys.stdout = sys.stdout, sys.stderr
{printed[1].replace("path/to/this/folder", _hub.as_posix())}
card = DatasetCard.load({str(_hub / "README.md")!r}).data.to_dict()
print(json.dumps({{"card": card, "rows": data.to_list()}}), file=out)
"""
    run = in_another_process(program, folder=tmp_path)
    told = run["card"]
    assert (told["license"], told["language"], told["pretty_name"]) == ("mit", ["ko"], "MareviBBQ")
    assert {item["config_name"] for item in told["configs"]} == set(CONFIGURATIONS)
    assert set(told["annotations_creators"]) <= CREATORS | {"no-annotation"}
    assert set(told["language_creators"]) <= CREATORS
    assert set(told["multilinguality"]) <= {"monolingual", "multilingual", "translation", "other"}
    assert run["rows"] == exported(curate, filtered, "test_samples")


@pytest.mark.slow
def test_croissant_is_valid_and_gives_the_data(_hub, tmp_path):
    """Every record of every configuration, read by the reference implementation."""
    program = """
import json, logging, sys
import mlcroissant
said = []
handler = logging.Handler(); handler.emit = lambda record: said.append(record.getMessage())
from absl import logging as absl_logging
absl_logging.get_absl_logger().addHandler(handler)
data = mlcroissant.Dataset(sys.argv[1])
def plain(value):
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.item() if hasattr(value, "item") else value
rows = {
    item.id: [
        {key.split("/", 1)[1]: plain(value) for key, value in row.items()}
        for row in data.records(item.id)
    ]
    for item in data.metadata.record_sets
}
issues = data.metadata.ctx.issues
print(json.dumps({"rows": rows, "errors": list(issues.errors), "warnings": list(issues.warnings),
    "said": [line for line in said if "WARNING" in line]}))
"""
    found = in_another_process(program, _hub / "croissant.json", folder=tmp_path)
    assert found["errors"] == []
    # The demo has no address; nothing else is amiss.
    assert [line for line in found["warnings"] if "url" not in line] == []
    assert found["said"] == []
    assert set(found["rows"]) == set(CONFIGURATIONS)
    for name in CONFIGURATIONS:
        assert found["rows"][name] == rows_of(_hub / name / "test-00000-of-00001.parquet")
