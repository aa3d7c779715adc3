"""The code that folders carry: our own modules, which read every reply as they do here."""

import ast
import json
import pkgutil
import sys
import tomllib
from pathlib import Path

import pytest

from curation.languages import reply_words
from evaluation.parsing import read_reply

ROOT = Path(__file__).parents[3]
CASES = ROOT / "tests" / "evaluation" / "parsing"
LISTS = (
    ("The potter", "The baker", "Not enough information"),
    ("도예가", "제빵사", "알 수 없음"),
    ("the grandfather", "A", "Cannot be determined"),
)
READ = """
import importlib.util, json, sys
from pathlib import Path
folder = Path(sys.argv[1]) / "measure"
spec = importlib.util.spec_from_file_location(
    "measure", folder / "__init__.py", submodule_search_locations=[str(folder)])
sys.modules["measure"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["measure"])
from measure.reading import read_reply
found = []
for line in sys.stdin:
    reply, choices, labels = json.loads(line)
    reading = read_reply(reply, choices, labels=labels)
    found.append([None if reading.chosen is None else sorted(reading.chosen), reading.rule.value])
json.dump([found, sorted(name for name in sys.modules if name.split(".")[0] in
    ("curation", "evaluation", "survey", "numpy", "pandas", "pydantic"))], sys.stdout)
"""


def known_replies():
    """Give the replies of all tests of reading."""
    found = {}
    for path in sorted(CASES.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.setdefault(node.value)
    return list(found)


def here(cases):
    """Read replies with the toolkit's own modules."""
    readings = (read_reply(reply, choices, labels=labels) for reply, choices, labels in cases)
    return [
        [None if item.chosen is None else sorted(item.chosen), item.rule.value] for item in readings
    ]


@pytest.mark.slow
def test_every_case_of_our_tests_is_read_the_same(folders, bare):
    """By the same rule too; and nothing but the standard library is imported for it."""
    replies = known_replies()
    assert len(replies) > 1_000
    cases = [
        [reply, list(choices), labels]
        for reply in replies
        for choices in LISTS
        for labels in (None, ["a", "b", "c"])
    ]
    expected = here(cases)
    assert len({rule for _, rule in expected}) > 9
    for folder in folders.values():
        assert bare(READ, folder, cases) == [expected, []]


def test_modules_differ_from_ours_in_their_imports_alone(folders):
    """A folder has all of them, and no second set of rules; its words are those of our packs."""
    import evaluation.parsing as reading

    names = {"__init__.py"} | {f"{it.name}.py" for it in pkgutil.iter_modules(reading.__path__)}
    packs = [pack.model_dump(mode="json") for pack in reply_words()]
    assert len(packs) > 1
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
        assert len(programs) > 16
        for path in programs:
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                names = []
                if isinstance(node, ast.Import):
                    names = [item.name for item in node.names]
                elif isinstance(node, ast.ImportFrom) and not node.level:
                    names = [node.module]
                tops = {name.partition(".")[0] for name in names}
                assert tops <= sys.stdlib_module_names | allowed, path
