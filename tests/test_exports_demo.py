"""The committed product of the demo workspace."""

import subprocess
import sys
from pathlib import Path

import pytest
from doc_pages import finished_demo
from export_demo import export_demo

pytestmark = pytest.mark.slow


ROOT = Path(__file__).parents[1]


def test_the_demo_comes_out_byte_for_byte(tmp_path, warm):
    """What the toolkit makes of the demo workspace is what the repository shows."""
    made, shown = tmp_path / "demo", ROOT / "exports" / "demo"
    export_demo(finished_demo(warm), made)

    def files(folder):
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }

    differing = [
        name
        for name in sorted({*files(made), *files(shown)})
        if files(made).get(name) != files(shown).get(name)
    ]
    assert differing == [], "run 'make demo' if the change is meant, and note it under Data"


def test_the_simulated_answers_come_out_byte_for_byte(tmp_path):
    """The script that simulated the respondents gives the answers that are bundled."""
    subprocess.run(
        [sys.executable, ROOT / "tools" / "simulate_demo.py", "--out", tmp_path],
        check=True,
        stdout=subprocess.DEVNULL,
        timeout=300,
    )
    responses = ROOT / "templates_src" / "demo" / "responses"
    for name in ("responses.csv", "respondents.csv"):
        assert (tmp_path / name).read_bytes() == (responses / name).read_bytes()
