"""Fixtures that many tests share."""

import os
from pathlib import Path

import hypothesis
import pytest

# How long an example takes says more about the machine's load than about the code.
hypothesis.settings.register_profile("curate", deadline=None)
hypothesis.settings.load_profile("curate")


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder of published reference data; a test that needs it is skipped without it."""
    default = Path(__file__).parents[1] / ".." / "shared" / "reference"
    folder = Path(os.environ.get("CURATE_REFERENCE", default)).resolve()
    if not folder.is_dir():
        pytest.skip(f"no reference data in {folder}: set CURATE_REFERENCE to have these tests")
    return folder
