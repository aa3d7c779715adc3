"""Every text of a `findings.yaml` is said somewhere, with all the words that stand in it."""

import ast
import string
from functools import cache
from pathlib import Path

import pytest

import curation
from curation.records.messages import own_yaml

ROOT = Path(curation.__file__).parents[1]
FOLDERS = (
    *(
        "curation",
        "curation/annotation",
        "curation/annotation/labelstudio",
        "curation/annotation/translation",
    ),
    *("curation/files/workbooks", "curation/slots", "curation/sources", "survey", "survey/readers"),
    *("evaluation", "evaluation/stories", "evaluation/occupations", "exports"),
)
MADE = {
    "labelstudio-skipped": "f'labelstudio-{state}'",
    "labelstudio-draft": "f'labelstudio-{state}'",
    **{f"{kind}-empty": "f'{kind}-empty'" for kind in ("classify", "drafts", "stories-passages")},
    **{
        f"annotation-refused-{name}": "f'annotation-refused-{column}'"
        for name in ("proposed_targets", "proposed_non_targets", "label", "reason", "text")
    },
    **{f"group-merged-{way}": "f'group-merged-{way}'" for way in ("empty", "other", "asked")},
    **{
        f"labelstudio-stale-{way}": "f'labelstudio-stale-{way}'"
        for way in ("changed", "again", "gone")
    },
    **{f"{stem}-damaged": "f'{path.stem}-damaged'" for stem in ("labelstudio", "pulled")},
    **{f"labelstudio-consensus-{way}": repr(way) for way in ("apart", "nameless", "other", "left")},
    **{
        f"naming-{way}": "f'naming-{note}'"
        for way in ("typed", "number", "unaccented", "listed", "alike", "mixed")
    },
    **{f"order-{way}": "f'order-{way}'" for way in ("unknown", "unbuilt", "mixed")},
    **{f"survey-all-{way}": "f'survey-all-{value}'" for way in ("failed", "partial")},
    **{f"batch-{way}": "f'batch-{key}'" for way in ("strange", "empty")},
    **{f"simulate-{way}": "f'simulate-{key}'" for way in ("tie", "no-data")},
    **{
        f"evaluate-{way}": "f'evaluate-{rule}'"
        for way in (
            *("may-be-control", "several-languages", "same-choices", "control", "open-role"),
            "settled-role",
        )
    },
}
"""Texts whose keys are put together, and what is said in their place."""
ADDED = {"id", "reference", "uid", "person", "now", "by_hand", "link", "count", "file", "name"}
ADDED |= {"text"}
"""Words that a function gives to all that it says."""
KEPT = {"code", "way", "severity"}
"""Words that `refusal` and `finding` keep to themselves."""


def fields(text):
    what = text["what"]
    texts = [*(what.values() if isinstance(what, dict) else [what]), text.get("hint", "")]
    return {name for one in texts for _, name, _, _ in string.Formatter().parse(one) if name}


@cache
def said(package):
    """By function the literals in it, and the words that it gives to anything."""
    return tuple(_said(ROOT / package))


def _said(package):
    for path in sorted(package.rglob("*.py")):
        module = ast.parse(path.read_text("utf-8"))
        named = {
            ast.unparse(item.targets[0]): ast.unparse(item.value)
            for item in module.body
            if isinstance(item, ast.Assign)
        }
        for scope in ast.walk(module):
            if isinstance(scope, ast.FunctionDef):
                nodes = [*ast.walk(scope)]
                literals = {ast.unparse(n) for n in nodes if isinstance(n, ast.JoinedStr)}
                literals |= {repr(n.value) for n in nodes if isinstance(n, ast.Constant)}
                literals |= {named.get(n.id, "") for n in nodes if isinstance(n, ast.Name)}
                words = {n.arg for n in nodes if isinstance(n, ast.keyword) and n.arg}
                words |= {
                    key.value
                    for n in nodes
                    if isinstance(n, ast.Dict)
                    for key in n.keys
                    if isinstance(key, ast.Constant)
                }
                yield literals, words


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_text_is_said_with_its_words(folder):
    """A word that is missing would be a fault of ours in place of the message."""
    texts = own_yaml(next((ROOT / folder).glob("findings.yaml")).read_text("utf-8"))
    scopes = said("/".join(folder.split("/")[: 1 if folder.startswith("survey") else 2]))
    for key, text in texts.items():
        given = [words for literals, words in scopes if MADE.get(key, repr(key)) in literals]
        assert any(fields(text) <= (words | ADDED) - KEPT for words in given), key
