"""`curate trace` of 1,000 published samples against all of BBQ, beside a search for its words."""

import json
import tempfile
from pathlib import Path

from benchmarks.banks import reference
from benchmarks.measure import curate, ignoring_status, python, report, side_by_side
from curation import import_templates, init_workspace, open_workspace
from curation.slots.grammar import parse_text

ROWS = 1000
_SETS = ("Age", "Disability_status", "Religion", "Race_x_gender_part", "SES_part")

_SCAN = """
import json
with open({pieces!r}, encoding='utf-8') as stream:
    templates = json.load(stream)
with open({samples!r}, encoding='utf-8') as stream:
    contexts = [json.loads(line)['context'] for line in stream]
for context in contexts:
    for pieces in templates:
        all(piece in context for piece in pieces)
"""


def run() -> list[str]:
    """Measure the command, start included, and a scan that knows no slots and no fillings."""
    folder = reference()
    if folder is None:
        print("trace: no reference data, set CURATE_REFERENCE")
        return []
    with tempfile.TemporaryDirectory() as name:
        made = Path(name)
        workspace = init_workspace(made / "ws", language="en")
        import_templates(workspace, "bbq", [folder / "bbq" / "as_published" / "templates"])
        samples = _samples(folder / "bbq" / "samples", made / "samples.jsonl")
        pieces = _pieces(workspace.root, made / "pieces.json")
        trace = curate("trace", str(samples), "-w", str(workspace.root), "--json")
        scan = python(_SCAN.format(pieces=str(pieces), samples=str(samples)))
        ours, bare = side_by_side(ignoring_status(trace), scan)
        ratio = ours.median / bare.median
        note = f"{ours.median:.2f} s / {bare.median:.2f} s"
        return [
            report(f"trace of {ROWS:,} samples against all of BBQ", ours.median, 10, "s"),
            report("trace / a search for each template's words", ratio, 8, "x", note),
            report("trace, peak memory", ours.peak_mb, 250, "MB"),
        ]


def _samples(folder: Path, path: Path) -> Path:
    """As many samples of each set, from all over its file."""
    each = ROWS // len(_SETS)
    lines: list[str] = []
    for name in _SETS:
        whole = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        lines += whole[:: len(whole) // each][:each]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def _pieces(workspace: Path, path: Path) -> Path:
    """What stands between the slots of each ambiguous context."""
    pieces = [
        [part.strip() for part in parse_text(text).parts if isinstance(part, str)]
        for text in (row.texts.ambiguous_context for row in open_workspace(workspace).bank.variants)
    ]
    path.write_text(json.dumps(pieces), encoding="utf-8")
    return path
