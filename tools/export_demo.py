"""Write `exports/demo`: what `curate demo` makes of the bundled demo workspace.

    python tools/export_demo.py [--out DIR]

The result is committed, so that a reader sees the product and a test sees it come out byte
for byte.
"""

import argparse
import shutil
import tempfile
from pathlib import Path

from doc_pages import ROOT, finished_demo, warm_curate

_FOLDERS = ("bank", "filter", "samples")
_DERIVED = ("decisions.csv", "responses/targets.csv", "responses/tallies.csv")


def export_demo(demo: Path, out: Path) -> None:
    """Keep what the commands derived.

    Args:
        demo: The workspace that `curate demo` leaves.
        out: Folder to write to; what it held is replaced.
    """
    shutil.rmtree(out, ignore_errors=True)
    for name in _FOLDERS:
        shutil.copytree(demo / "exports" / name, out / name)
    for derived in _DERIVED:
        shutil.copyfile(demo / derived, out / Path(derived).name)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Write exports/demo again.")
    parser.add_argument("--out", type=Path, default=ROOT / "exports" / "demo")
    out = parser.parse_args().out
    with tempfile.TemporaryDirectory() as aside, warm_curate(Path(aside)) as socket:
        export_demo(finished_demo(socket), out)
    print(f"wrote {out}")


if __name__ == "__main__":
    main()
