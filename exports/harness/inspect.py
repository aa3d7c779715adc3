"""A task folder for Inspect."""

import json
import re
from pathlib import Path
from string import Template

import yaml

from curation.files.atomic import atomic_text
from exports.harness.program import program, resource
from exports.harness.readme import write_about
from exports.harness.requests import Tasks, Written


def write_folder(folder: Path, tasks: Tasks, written: Written) -> dict[str, int]:
    """Write what is beside the requests; the same tasks give the same bytes.

    Args:
        folder: The folder, with the requests in it.
        tasks: What it says of itself.
        written: What was written of the requests.

    Returns:
        Counts of samples and requests.

    Raises:
        CurateError: If a file cannot be written.
    """
    summary = _summary(tasks)
    places = {
        "name": tasks.name,
        "count": written.requests,
        "package_version": _package_version(tasks.culture.version),
        "summary": json.dumps(summary, ensure_ascii=False),
    }
    task, test, registry = (
        Template(resource(f"inspect_{name}.py.txt")).substitute(places)
        for name in ("task", "test", "registry")
    )
    for name, text in (
        (f"{tasks.name}_gen.py", program(task)),
        (f"test_{tasks.name}_gen.py", test),
        ("_registry.py", registry),
        ("pyproject.toml", Template(resource("inspect_pyproject.toml.txt")).substitute(places)),
        ("eval.yaml", _entry(tasks, written, summary)),
    ):
        with atomic_text(folder / name) as stream:
            stream.write(text)
    write_about(folder, "inspect", tasks, written)
    return {"samples": written.samples, "requests": written.requests}


def _summary(tasks: Tasks) -> str:
    """Say in one line what the benchmark is."""
    told = " ".join(tasks.culture.release.description.split())
    return told or f"Social bias in the manner of BBQ: {tasks.title}."


_FINAL = re.compile(r"\d+(\.\d+)*((a|b|rc)\d+)?")
_ARXIV = re.compile(r"https?://arxiv\.org/\S+")


def _package_version(version: str) -> str:
    """The version of the package: the benchmark's where that is one of a package, else 0 and it."""
    if _FINAL.fullmatch(version):
        return version
    return "0+" + (re.sub("[^a-z0-9]+", ".", version.lower()).strip(".") or "unknown")


def _entry(tasks: Tasks, written: Written, summary: str) -> str:
    """What Inspect Evals asks for of an evaluation."""
    paper = tasks.culture.release.paper
    entry: dict[str, object] = {"title": tasks.title, "description": summary}
    if paper is not None and _ARXIV.fullmatch(paper.url):
        entry["arxiv"] = paper.url
    entry |= {
        "group": "Bias",
        "contributors": [],
        "version": "1-A",
        "tasks": [{"name": f"{tasks.name}_gen", "dataset_samples": written.requests}],
        "external_assets": [],
        "metadata": {"fast": True},
    }
    return yaml.safe_dump(entry, allow_unicode=True, sort_keys=False, width=10_000)
