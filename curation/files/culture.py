"""Read `culture.yaml`, and add categories to it without touching what people wrote."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from curation.files.atomic import atomic_text
from curation.files.codec import Codec
from curation.files.tables import read_text
from curation.records.culture import Category, Culture
from curation.records.errors import CurateError
from curation.records.settings_errors import load_yaml, parse_settings


@dataclass(frozen=True, slots=True)
class Split:
    """A category that was split off another; fields are the columns of `categories.csv`.

    Attributes:
        category: The category.
        split_from: The one that its templates had before, where the survey asked about them.
    """

    category: str
    split_from: str


SPLITS = Codec(Split, "write a category and the one that it was split off", key=("category",))
"""The table `categories.csv`."""


def with_splits(culture: Culture, splits: Iterable[Split], file: str) -> Culture:
    """The settings with the categories that were split off others.

    One that `culture.yaml` names too, for a name or a question of its own, has these from there.

    Args:
        culture: The settings.
        splits: The categories; one may be split off an earlier one.
        file: Their file, for messages.

    Raises:
        CurateError: If one was split off no category.
    """
    known = {item.id: item for item in culture.categories}
    for split in splits:
        origin = known.get(split.split_from)
        if origin is None or split.split_from == split.category:
            raise CurateError(
                f"{split.category} was split off '{split.split_from}', which is no category",
                f"{file}, column split_from",
                "write a category of culture.yaml",
            )
        own = known.get(split.category, Category(id=split.category, question=origin.question))
        known[split.category] = own.model_copy(update={"split_from": split.split_from})
    return culture.model_copy(update={"categories": tuple(known.values())})


def load_culture(path: Path) -> Culture:
    """Read the settings of a workspace.

    Raises:
        CurateError: If there is no such file, it is no YAML, or a setting is wrong or unknown.
    """
    if not path.exists():
        raise CurateError(
            f"there is no workspace in {path.parent}",
            str(path),
            "make one with 'curate init DIR', or name yours with -w DIR",
        )
    return parse_culture(read_text(path), path)


def parse_culture(text: str, path: Path) -> Culture:
    """Read settings from their text.

    Args:
        text: The text.
        path: The file that it is, or will be, written to; for messages.

    Raises:
        CurateError: If it is no YAML, or a setting is wrong, unknown or written twice.
    """
    return parse_settings(text, Culture, path)


def add_categories(path: Path, categories: Sequence[Category]) -> None:
    """Append categories to `culture.yaml`, keeping every comment and the order of the rest.

    Raises:
        CurateError: If the file cannot be read or written, or its categories are no list.
    """
    if not categories:
        return
    text = read_text(path)
    entries = [_entry(category) for category in categories]
    edited = _insert(text, entries, path)
    try:
        Culture.model_validate(load_yaml(edited))
    except (yaml.YAMLError, ValueError) as error:
        names = ", ".join(category.id for category in categories)
        raise CurateError(
            f"cannot add the categories {names} to culture.yaml",
            str(path),
            "add them to 'categories' by hand, and run the command again",
        ) from error
    with atomic_text(path) as stream:
        stream.write(edited)


def _entry(category: Category) -> str:
    fields: dict[str, object] = {"id": category.id}
    if category.sources:
        fields["sources"] = list(category.sources)
    if category.question is not Category(id=category.id).question:
        fields["question"] = category.question.value
    dumped = yaml.safe_dump(fields, allow_unicode=True, sort_keys=False, default_flow_style=True)
    return f"- {dumped.strip()}"


def _insert(text: str, entries: Sequence[str], path: Path) -> str:
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    for key, value in pairs:
        if key.value != "categories":
            continue
        if not isinstance(value, yaml.SequenceNode):
            raise CurateError(
                "categories: is not a list",
                f"{path}, line {key.start_mark.line + 1}",
                "write a list",
            )
        if value.value and not value.flow_style:
            last = value.value[-1]
            indent = " " * value.start_mark.column
            end = last.end_mark.index
            # A block item ends where the next one begins: go back over what lies between.
            end = len(text[:end].rstrip()) if text[:end].rstrip() else end
            block = "".join(f"\n{indent}{entry}" for entry in entries)
            return _before_comments(text, end, last, block)
        items = [_flow(text, item) for item in value.value] + [entry[2:] for entry in entries]
        block = "".join(f"\n  - {item}" for item in items)
        return text[: value.start_mark.index].rstrip(" ") + block + text[value.end_mark.index :]
    block = "".join(f"  {entry}\n" for entry in entries)
    return f"{text.rstrip()}\ncategories:\n{block}"


def _flow(text: str, node: yaml.Node) -> str:
    return text[node.start_mark.index : node.end_mark.index].strip()


def _before_comments(text: str, end: int, last: yaml.Node, block: str) -> str:
    """Insert after the last item's own lines, before comments that follow the list."""
    lines = text[last.start_mark.index : end].split("\n")
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        end -= len(lines.pop()) + 1
    return text[:end] + block + text[end:]
