"""The code that folders carry: our own modules, which read every reply as they do here."""

import ast
import json
import pkgutil
import sys
import tomllib
from pathlib import Path

from curation.languages import load, reply_words


def test_modules_differ_from_ours_in_their_imports_alone(folders):
    """A folder has all of them, and no second set of rules; its words are those of its language."""
    import evaluation.parsing as reading

    names = {"__init__.py"} | {f"{it.name}.py" for it in pkgutil.iter_modules(reading.__path__)}
    packs = [pack.model_dump(mode="json") for pack in reply_words(load("ko"))]
    assert packs
    for folder in folders.values():
        assert json.loads((folder / "measure" / "words.json").read_text("utf-8")) == packs
        copies = folder / "measure" / "reading"
        assert {path.name for path in copies.glob("*.py")} == names
        for name in names:
            ours = (Path(reading.__path__[0]) / name).read_text("utf-8").splitlines()
            head, theirs = [], (copies / name).read_text("utf-8").splitlines()
            while theirs[0].startswith("#"):
                head.append(theirs.pop(0))
            assert "MIT licence" in head[0]
            changed = [pair for pair in zip(ours, theirs, strict=True) if pair[0] != pair[1]]
            for before, after in changed:
                assert before.startswith(("from evaluation.parsing", "from curation.languages "))
                assert after == before.replace("evaluation.parsing", "", 1).replace(
                    "from  import", "from . import"
                ).replace("curation.languages", "..words")


def test_nothing_in_a_folder_imports_the_toolkit(folders):
    """Nor anything that is not of the standard library, except for the harness and itself.

    Inspect's folder is a package; its test runs in Inspect Evals too, where it has another name.
    """
    for folder in folders.values():
        allowed = {"datasets", "inspect_ai", "inspect_evals", "pytest"}
        project = folder / "pyproject.toml"
        if project.exists():
            allowed.add(tomllib.loads(project.read_text("utf-8"))["project"]["name"])
        programs = list(folder.rglob("*.py"))
        assert len(programs) > 10
        for path in programs:
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                names = []
                if isinstance(node, ast.Import):
                    names = [item.name for item in node.names]
                elif isinstance(node, ast.ImportFrom) and not node.level:
                    names = [node.module]
                tops = {name.partition(".")[0] for name in names}
                assert tops <= sys.stdlib_module_names | allowed, path
