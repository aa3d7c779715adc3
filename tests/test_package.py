"""What is installed."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT],
        check=True,
        capture_output=True,
        timeout=300,
    )
    (path,) = out.glob("*.whl")
    return zipfile.ZipFile(path)


def test_the_wheel_carries_the_demo_and_the_tutorial(wheel):
    """`curate demo` works where only the wheel is installed, and so does the tutorial."""
    folder = ROOT / "templates_src"
    paths = [it for it in folder.rglob("*") if it.is_file() and "__pycache__" not in it.parts]
    wanted = {f"curation/templates_src/{it.relative_to(folder).as_posix()}": it for it in paths}
    assert {it.relative_to(folder).parts[0] for it in paths} >= {"demo", "tutorial"}
    assert wanted.keys() <= set(wheel.namelist())
    name = "curation/templates_src/demo/templates_src/bank.csv"
    assert wheel.read(name) == wanted[name].read_bytes()


def test_the_wheel_carries_all_modules_and_their_data(wheel):
    """Nothing that the packages read is left out, and they are marked as typed."""
    wanted = {
        path.relative_to(ROOT).as_posix()
        for package in ("curation", "survey")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {"curation/py.typed", "survey/py.typed"} <= wanted <= set(wheel.namelist())


@pytest.mark.xdist_group("kept")
def test_groups_of_tests_are_kept_together(request):
    """Else each worker starts servers of its own, and the tests take twice as long."""
    if hasattr(request.config, "workerinput"):
        assert request.node.nodeid.endswith("@kept")
