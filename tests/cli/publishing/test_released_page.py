"""The page of a release: what is published, and of whom nothing is."""

import json
from pathlib import Path
from typing import Any

import pytest

from curation.files.annotations import AnnotationsFolder, write_annotations
from curation.files.manifest import read_manifest, verify_manifest
from curation.records.annotation import Annotation
from curation.records.bank import Label
from exports.browse.chunks import read_chunk
from tests.cli.conftest import Curate

NAMES = ("Mina Park", "Junho", "Seo-yeon")


def chunks(package: Path) -> dict[str, Any]:
    """All chunks of the page in a package."""
    found = (package / "browse" / "data").glob("*.js")
    return {path.stem: read_chunk(path) for path in found}


@pytest.fixture
def package(curate: Curate, ready: Path) -> Path:
    """A release of what annotators labelled, one template of which may not be passed on."""
    path = ready / "templates_src" / "bank.csv"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    text = "".join(
        line.replace(",demo-en,", ",secret,") if line.startswith("age-006,") else line
        for line in lines
    )
    path.write_text(text, encoding="utf-8")
    annotations = [
        Annotation(f"age-00{at}", name, label, f"{name} witnessed", remark="ask Mina Park")
        for name in NAMES
        for at, label in ((1, Label.SIMPLY_TRANSFERRED), (2, Label.TARGET_MODIFIED))
    ]
    write_annotations(AnnotationsFolder(ready).classify, annotations)
    assert curate("export", "package", "-w", ready).code == 0
    return ready / "exports" / "package"


def test_the_page_is_a_part_of_the_package(curate: Curate, package: Path) -> None:
    """Its manifest knows the files, the card links it, and it comes out again."""
    files = read_manifest(package).files
    assert {"browse/index.html", "browse/data/index.js", "browse/data/template-0.js"} <= set(files)
    assert verify_manifest(package) == []
    card = (package / "README.md").read_text("utf-8")
    assert "[`browse/index.html`](browse/index.html)" in card
    assert curate("verify", package, "-w", package.parents[1], "--rebuild").code == 0
    (package / "browse" / "data" / "index.js").write_text("alert(1)", encoding="utf-8")
    ran = curate("verify", package)
    assert ran.code == 1
    assert "browse/data/index.js was changed after it was written" in ran.out


def test_nobody_is_named_in_the_page_of_a_release(package: Path) -> None:
    """Of annotators there are labels alone; who decided is a number."""
    found = chunks(package)
    assert found["index"]["released"] is True
    text = json.dumps(found, ensure_ascii=False)
    for name in (*NAMES, "Kim Minsu", "witnessed"):
        assert name not in text
    shown = found["template-0"]["templates"]["age-001"]["annotations"]
    assert [(one["by"], one["label"], one["reason"], one["remark"]) for one in shown] == [
        ("", "ST", "", "") for _ in range(3)
    ]
    decided = {
        one["by"]
        for name, chunk in found.items()
        if name.startswith("template-")
        for item in chunk["templates"].values()
        for one in item["decisions"]
    }
    assert decided == {"curate 0.1.0", "person 1"}


def test_what_may_not_be_passed_on_is_not_in_the_page(package: Path) -> None:
    """Neither its row nor its texts; the samples are those of the release."""
    found = chunks(package)
    names = [row[0] for row in found["index"]["templates"]["rows"]]
    assert len(names) == 39
    assert "age-006" not in names
    assert not any("age-006" in text for text in found["search"]["texts"])
    samples = read_manifest(package).counts["samples"]
    assert found["index"]["counts"]["samples"] == samples
    assert sum(len(c["rows"]) for n, c in found.items() if n.startswith("samples-")) == samples
