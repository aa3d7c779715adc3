"""Every text of a `findings.yaml` is said somewhere, with all the words that stand in it."""

import ast
import string
from pathlib import Path

import curation
from curation.records.messages import own_yaml

ROOT = Path(curation.__file__).parents[1]
PACKAGES = ("curation", "survey", "evaluation", "exports")
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


def said():
    """By function its module, the literals in it, and the words that it gives to anything."""
    modules = (path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py")))
    for path in modules:
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
                yield path.relative_to(ROOT).as_posix(), literals, words


def test_each_text_is_said_with_its_words():
    """A word that is missing would be a fault of ours in place of the message."""
    scopes = [*said()]
    lacking = []
    for path in [path for name in PACKAGES for path in (ROOT / name).rglob("findings.yaml")]:
        folder = path.parent.relative_to(ROOT).as_posix()
        package = "/".join(folder.split("/")[: 1 if folder.startswith("survey") else 2]) + "/"
        near = [scope[1:] for scope in scopes if scope[0].startswith(package)]
        texts = own_yaml(path.read_text("utf-8"))
        for key, text in texts.items():
            given = [words for literals, words in near if MADE.get(key, repr(key)) in literals]
            if not any(fields(text) <= (words | ADDED) - KEPT for words in given):
                lacking.append((folder, key))
    assert lacking == []
