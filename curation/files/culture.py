"""Read `culture.yaml`, and add categories to it without touching what people wrote."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

import yaml

from curation.files.atomic import atomic_text
from curation.files.codec import Codec
from curation.files.tables import read_text
from curation.languages import Language, load
from curation.records.culture import Category, Culture
from curation.records.messages import CurateError
from curation.records.settings import WrongValue, check_code, load_yaml, parse_settings


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


FOLDER = "languages"
"""The folder of a workspace, or of a published package, that holds such files."""
_SUFFIXES = (".yaml", ".yml")


def own_language(root: Path, code: str) -> Language:
    """A language with what a workspace says of it, over what the toolkit has.

    A code with a region or a script has the file of its own name, else that of the language.

    Args:
        root: The workspace.
        code: The code of the language.

    Raises:
        CurateError: If there are two files for it, or its file cannot be read.
    """
    there = _files_of(root / FOLDER, code)
    if len(there) > 1:
        _refuse_two(code, there, root / FOLDER)
    if not there:
        return replace(load(code), code=code, file=root / FOLDER / f"{code}.yaml")
    return replace(load(code), code=code, file=there[0], text=read_text(there[0]))


def found_files(folder: Path) -> list[Path]:
    """The files in a folder of languages, of which each language should have one at most."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in _SUFFIXES)


def refuse_two(folder: Path) -> None:
    """Refuse a folder in which two files are for one language.

    Raises:
        CurateError: If there are any, with the names of both.
    """
    by_code: dict[str, list[Path]] = {}
    for path in found_files(folder):
        by_code.setdefault(path.stem.lower(), []).append(path)
    for code, files in by_code.items():
        if len(files) > 1:
            _refuse_two(code, files, folder)


def _files_of(folder: Path, code: str) -> list[Path]:
    files = found_files(folder)
    names = dict.fromkeys((code.lower(), code.lower().split("-")[0]))
    of_names = ([path for path in files if path.stem.lower() == name] for name in names)
    return next(filter(None, of_names), [])


def language_of_file(path: Path) -> Language:
    """The language that a file is for, by its name, wherever the file is.

    Raises:
        CurateError: If the name is no code of a language, there is another file beside it for the
            same one, or it cannot be read.
    """
    try:
        check_code(path.stem.lower() if path.suffix.lower() in _SUFFIXES else path.name)
    except WrongValue as error:
        raise CurateError(
            f"the name {path.name} does not say which language it is for",
            str(path),
            "call it by the code of the language, such as pt.yaml or pt-br.yaml",
        ) from error
    text = read_text(path)
    same = [item for item in found_files(path.parent) if item.stem.lower() == path.stem.lower()]
    if len(same) > 1:
        _refuse_two(path.stem.lower(), same, path.parent)
    return replace(load(path.stem), code=path.stem, file=path, text=text)


def _refuse_two(code: str, files: list[Path], folder: Path) -> NoReturn:
    names = " and ".join(path.name for path in files)
    raise CurateError(
        f"two files are for the language '{code}': {names}",
        str(folder),
        f"keep one of them, {code}.yaml",
    )
