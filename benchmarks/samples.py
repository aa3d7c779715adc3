"""100,000 samples through a drafted mapping, beside the same ones in a layout that is known."""

import json
import tempfile
from itertools import cycle, islice
from pathlib import Path

from benchmarks.banks import reference
from benchmarks.measure import python, report, side_by_side
from curation.sources.sample_draft import draft_mapping

ROWS = 100_000
_READ = """
from pathlib import Path
from curation.sources.published_samples import read_published
from curation.sources.sample_mapping import read_mapping
path, mapping = Path({path!r}), {mapping!r}
found = read_published(path, mapping=read_mapping(Path(mapping)) if mapping else None)
assert sum(bool(item.target) for item in found.rows) == {rows}
"""


def run() -> list[str]:
    """Measure BBQ's own file, and its samples under names of keys that no layout has."""
    folder = reference()
    if folder is None:
        print("samples: no reference data, set CURATE_REFERENCE")
        return []
    source = folder / "bbq" / "samples" / "Age.jsonl"
    lines = cycle(source.read_text(encoding="utf-8").splitlines())
    with tempfile.TemporaryDirectory() as name:
        known, other, mapping = (Path(name) / one for one in ("a.jsonl", "b.jsonl", "b.yaml"))
        with known.open("w", encoding="utf-8") as own, other.open("w", encoding="utf-8") as foreign:
            for at, row in enumerate(map(json.loads, islice(lines, ROWS))):
                row["example_id"] = at
                own.write(f"{json.dumps(row)}\n")
                info, more = row.pop("answer_info"), row.pop("additional_metadata")
                row |= {f"group_{place}": info[f"ans{place}"][1] for place in range(3)}
                row |= {"stereotyped_groups": more["stereotyped_groups"]}
                foreign.write(f"{json.dumps(row)}\n")
        mapping.write_text(draft_mapping([other]).text, encoding="utf-8")
        of_layout, mapped = side_by_side(
            python(_READ.format(path=str(known), mapping="", rows=ROWS)),
            python(_READ.format(path=str(other), mapping=str(mapping), rows=ROWS)),
        )
        note = f"{mapped.median:.2f} s / {of_layout.median:.2f} s"
        ratio = mapped.median / of_layout.median
        return [report(f"{ROWS:,} samples by a mapping / by a layout", ratio, 1.5, "x", note)]
