"""Writing a dataset folder of KoBBQ's size, against writing its samples to one Parquet file."""

import tempfile
from pathlib import Path

from benchmarks.banks import SAMPLES, full_workspace, reference
from benchmarks.measure import curate, python, report, side_by_side

_BARE = """
import json
import pyarrow
from pyarrow import parquet
with open({rows!r}, encoding='utf-8') as stream:
    rows = json.load(stream)
parquet.write_table(pyarrow.Table.from_pylist(rows), {out!r})
"""
_LOADED = """
import json
with open({rows!r}, encoding='utf-8') as stream:
    rows = json.load(stream)
"""
_TO_JSON = """
import json
from pyarrow import parquet
rows = parquet.read_table({made!r}).to_pylist()
with open({path!r}, 'w', encoding='utf-8') as stream:
    json.dump(rows, stream, ensure_ascii=False)
"""


def run() -> list[str]:
    """Measure `curate export package --only hub`, start included, as a whole process."""
    folder = reference()
    if folder is None:
        print("publishing: no reference data, set CURATE_REFERENCE")
        return []
    with tempfile.TemporaryDirectory() as name:
        workspace = full_workspace(Path(name) / "ws", folder)
        hub = curate("export", "package", "--only", "hub", "-w", str(workspace.root))
        side_by_side(hub, runs=1)
        made = workspace.exports_folder / "hub" / "samples" / "test-00000-of-00001.parquet"
        rows, out = str(Path(name) / "rows.json"), str(Path(name) / "bare.parquet")
        side_by_side(python(_TO_JSON.format(made=str(made), path=rows)), runs=1)
        ours, bare, loading = side_by_side(
            hub, python(_BARE.format(rows=rows, out=out)), python(_LOADED.format(rows=rows))
        )
        writing = bare.median - loading.median
        note = f"{ours.median:.2f} s / {writing:.2f} s for {SAMPLES:,} samples"
        return [
            report(
                "export hub / one Parquet file from memory", ours.median / writing, 3, "x", note
            ),
            report("export hub, peak memory", ours.peak_mb, 250, "MB"),
        ]
