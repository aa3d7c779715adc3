"""`curate --help` against importing click."""

from benchmarks.measure import curate, python, report, side_by_side


def run() -> list[str]:
    """Measure how long a user waits for the help."""
    help_, click = side_by_side(curate("--help"), python("import click"), runs=20)
    note = f"{help_.median * 1000:.0f} ms / {click.median * 1000:.0f} ms"
    return [report("curate --help / import click", help_.median / click.median, 1.5, "x", note)]
