"""What people do with the toolkit, from the first command to the last, compared whole."""

import difflib

import pytest
from scenarios import SCENARIOS, expected, names, needs_reference, run

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", names())
def test_all_that_comes_out_is_as_expected(name, tmp_path, warm, request):
    """Printed lines, exit statuses and files; 'make scenarios' writes what is meant to change."""
    folder = SCENARIOS / name
    if needs_reference(folder):
        request.getfixturevalue("reference")
    wanted = expected(folder)
    made = run(folder, tmp_path, warm)
    differences = [
        line
        for file in sorted({*wanted, *made})
        for line in difflib.unified_diff(
            wanted.get(file, "").splitlines(),
            made.get(file, "").splitlines(),
            f"{name}/expected/{file}",
            "now",
            n=1,
            lineterm="",
        )
    ]
    assert differences == []
