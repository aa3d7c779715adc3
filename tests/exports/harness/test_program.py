"""The programs that folders carry: our own code, which reads every reply as it is read here."""

import ast
import csv
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from curation.languages import load
from evaluation.parsing.verdicts import read_reply
from evaluation.qa.metrics import METRICS
from exports.harness.program import program
from exports.harness.words import RATIO, SCORES

REPLIES = Path(__file__).parents[2] / "languages" / "replies"
READ = """
import importlib.util, json, sys
from pathlib import Path
spec = importlib.util.spec_from_file_location("utils", Path(sys.argv[1]) / "utils.py")
utils = importlib.util.module_from_spec(spec)
spec.loader.exec_module(utils)
row = {"letters": ["A", "B", "C"], "roles": ["0", "1", "2"]}
json.dump([utils.answer_of({**row, "choices": choices}, reply) for choices, reply in
           map(json.loads, sys.stdin)], sys.stdout)
"""


@pytest.mark.slow
def test_every_reply_is_read_as_it_is_here(folders, bare):
    """Of all that people wrote to test the reader; Korean, the language of the workspace."""
    own = load("ko")
    given = [
        (choices, row["reply"].replace("⏎", "\n"))
        for path in sorted(REPLIES.glob("*.csv"))
        for row in csv.DictReader(path.read_text("utf-8").split("\n"))
        if len(choices := row["choices"].split(" | ")) == 3
    ]
    found = bare(READ, folders["lm_eval"], given)
    expected = [read_reply(reply, choices, own=own) for choices, reply in given]
    assert len(given) > 600
    assert found == [
        [str(*item.chosen) if item.chosen else "out_of_choice", item.rule.value]
        for item in expected
    ]
    assert {it for it, _ in found} == {"0", "1", "2", "out_of_choice"}


def test_nothing_in_a_folder_imports_the_toolkit(folders):
    """Nor anything but the standard library, numpy, the harness and itself.

    Inspect's folder is a package; its test runs in Inspect Evals too, where it has another name.
    """
    for name, folder in folders.items():
        allowed = {"numpy", "datasets", "inspect_ai", "inspect_evals", "pytest"}
        if name == "inspect":
            text = (folder / "pyproject.toml").read_text("utf-8")
            allowed.add(tomllib.loads(text)["project"]["name"])
        programs = list(folder.rglob("*.py"))
        assert len(programs) == {"lm_eval": 1, "inspect": 3}[name]
        for path in programs:
            tops = set()
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Import):
                    tops |= {item.name.partition(".")[0] for item in node.names}
                elif isinstance(node, ast.ImportFrom):
                    tops.add(node.module.partition(".")[0])
            assert tops <= sys.stdlib_module_names | allowed, path


def test_a_program_holds_what_it_needs_and_no_name_twice():
    """What it needs comes before it; nobody needs how thoughts are parted."""
    text = program('"""A task."""\n\nFIRST = answer_of\n')
    assert text.index("\ndef answer_of") < text.index("\nFIRST = ")
    assert '"""A task."""' in text
    assert "def parted" not in text
    assert "import re\n" in text and "numpy" not in text
    for name in ("share", "_FIRST", "re"):  # a function, a constant, and what is imported
        with pytest.raises(ValueError, match=f"'{name}'"):
            program(f"{name} = 1\n")


def test_tasks_give_every_score_that_is_registered(folders):
    """In YAML, README and program, each as the registry tells of it, and which way is better."""
    told = (folders["lm_eval"] / "README.md").read_text("utf-8")
    for kind in ("gen", "mc"):
        shared = (folders["lm_eval"] / f"_shared_{kind}.yaml").read_text("utf-8")
        lines = yaml.load(shared, _Tagged)["metric_list"]  # noqa: S506  # a safe loader
        assert [it["metric"] for it in lines] == [*METRICS, RATIO] == list(SCORES)
        assert [it["aggregation"] for it in lines] == [f"utils.overall_{name}" for name in SCORES]
        better = {it["metric"]: it["higher_is_better"] for it in lines}
        right = {name: True for name in METRICS if "accuracy" in name}  # of bias neither way is
        assert better == {**dict.fromkeys(METRICS), **right, RATIO: False}
        group = yaml.safe_load(
            (folders["lm_eval"] / f"marevibbq_by_category_{kind}.yaml").read_text("utf-8")
        )
        assert [it["metric"] for it in group["aggregate_metric_list"]] == list(SCORES)
        assert len(group["task"]) == 5
    for name, metric in METRICS.items():
        assert f"| `{name}` | {metric.says} |" in told
        assert metric.says.endswith(".")


class _Tagged(yaml.SafeLoader):
    """Reads `!function` as a text."""


_Tagged.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))
