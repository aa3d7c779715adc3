"""A task folder for Inspect."""

import json
from collections.abc import Iterable
from pathlib import Path
from string import Template

from curation.io.atomic import atomic_text
from curation.publish.harness.carried import resource, write_code, write_program
from curation.publish.harness.data import write_data
from curation.publish.harness.measure.rows import DATA, SETTINGS
from curation.publish.harness.readme import readme
from curation.publish.harness.records import Asked, Benchmark


def write_folder(folder: Path, benchmark: Benchmark, asked: Iterable[Asked]) -> dict[str, int]:
    """Write the folder; the same requests give the same bytes.

    Args:
        folder: To write to, fresh.
        benchmark: What it says of itself.
        asked: The requests.

    Returns:
        Counts of samples and requests.

    Raises:
        CurateError: If a file cannot be written.
    """
    written = write_data(folder / DATA, benchmark, asked)
    write_code(folder)
    program = Template(resource("inspect_task.py.txt")).substitute(name=benchmark.name)
    write_program(folder / f"{benchmark.name}_gen.py", program)
    for name, text in (
        (SETTINGS, json.dumps(benchmark.settings(), ensure_ascii=False, indent=2)),
        ("README.md", readme("inspect", benchmark, written).rstrip("\n")),
    ):
        with atomic_text(folder / name) as stream:
            stream.write(f"{text}\n")
    return {"samples": written.samples, "requests": written.requests}
