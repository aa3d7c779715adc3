"""Every text of `findings.yaml` is said somewhere, with all the words that stand in it."""

import ast
import string
from pathlib import Path

import survey.readers
from curation.records.messages import own_yaml

FOLDER = Path(survey.readers.__file__).parent
TEXTS = own_yaml((FOLDER / "findings.yaml").read_text("utf-8"))
SAYING = {
    "tell",
    "refusal",
    "refuse",
    "refuse_cell",
    "_refuse",
    "_refused",
    "refuse_options",
    "to_do",
    "ask",
    "doubt",
    "read",
}
MADE = {"naming-": {"answers", "cells"}, "order-": {"platforms"}}
"""Texts whose keys are put together, with the words of all of them."""


def fields(key):
    what = TEXTS[key]["what"]
    texts = [*(what.values() if isinstance(what, dict) else [what]), TEXTS[key]["hint"]]
    words = {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}
    return words | ({"way"} if isinstance(what, dict) else set())


def strings(node):
    if isinstance(node, ast.IfExp):
        return [*strings(node.body), *strings(node.orelse)]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def said():
    """Each key that is said, with the words that it is given."""
    for path in FOLDER.parent.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        for scope in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            told = {}
            keys = {}
            for node in ast.walk(scope):
                target = getattr(node, "target", None) or next(
                    iter(getattr(node, "targets", [])), None
                )
                value = getattr(node, "value", None)
                if isinstance(target, ast.Name) and isinstance(value, ast.Dict):
                    names = {one.value for one in value.keys if isinstance(one, ast.Constant)}
                    told.setdefault(target.id, {})[node.lineno] = names
                elif isinstance(target, ast.Name) and isinstance(value, ast.expr):
                    keys[target.id] = strings(value)
            for node in ast.walk(scope):
                name = getattr(getattr(node, "func", None), "id", "") or getattr(
                    getattr(node, "func", None), "attr", ""
                )
                if not isinstance(node, ast.Call) or name not in SAYING:
                    continue
                given = {word.arg for word in node.keywords if word.arg}
                given |= {"id"} if name == "refuse_options" else set()
                given |= {"text"} if name == "read" else set()
                for word in node.keywords:
                    if word.arg is None and isinstance(word.value, ast.Name):
                        before = told.get(word.value.id, {})
                        last = max((at for at in before if at < node.lineno), default=0)
                        given |= before.get(last, set())
                for argument in node.args:
                    named = keys.get(argument.id, []) if isinstance(argument, ast.Name) else []
                    yield from (
                        (key, given) for key in [*strings(argument), *named] if key in TEXTS
                    )


def test_each_text_is_said_with_its_words():
    """A word that is missing would be a fault of ours in place of the message."""
    used = set()
    for key, given in said():
        used.add(key)
        assert fields(key) <= given, (key, fields(key) - given)
    for start, words in MADE.items():
        made = {key for key in TEXTS if key.startswith(start) and key not in used}
        assert made
        assert all(fields(key) <= words for key in made)
        used |= made
    assert used == TEXTS.keys()
