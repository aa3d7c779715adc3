"""Read `culture.yaml`, and add categories to it without touching what people wrote."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from curation.files.atomic import atomic_text
from curation.files.tables import read_text
from curation.records.culture import Category, Culture
from curation.records.errors import CurateError
from curation.records.settings_errors import load_yaml, parse_settings


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
    if category.split_from:
        fields["split_from"] = category.split_from
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


def without_category(text: str, path: Path, category: str) -> str:
    """The settings without a category; everything else is kept.

    Args:
        text: The settings.
        path: The file that they are written in; for messages.
        category: The category's id.

    Raises:
        CurateError: If the file is written in a way that cannot be edited safely.
    """
    node = _category(text, category)
    try:
        data = load_yaml(text)
        data["categories"] = [item for item in data["categories"] if item["id"] != category]
        wanted = parse_culture(yaml.safe_dump(data, allow_unicode=True), path)
        if node is not None:
            first = text.rfind("\n", 0, node.start_mark.index) + 1
            last = text.find("\n", _end(node))
            last = len(text) if last < 0 else last + 1
            if text[first : node.start_mark.index].strip() == "-":
                edited = text[:first] + text[last:]
                if parse_culture(edited, path) == wanted:
                    return edited
    except (CurateError, yaml.YAMLError, KeyError, TypeError):
        pass  # said below, with what is to be done
    raise CurateError(
        f"cannot take the category {category} out of culture.yaml",
        str(path),
        "take it out of 'categories' by hand, and run the command again",
    )


def with_setting(text: str, path: Path, section: str, key: str, value: str | None) -> str:
    """The settings with another value of a key in a section; comments and the rest stay.

    Args:
        text: The settings.
        path: The file that they are written in; for messages.
        section: The section, `translation`.
        key: The key, `untie`.
        value: The value as YAML writes it; None to take the key out, and an empty section.

    Raises:
        CurateError: If the file is written in a way that cannot be edited safely.
    """
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        data = load_yaml(text)
        there = data.get(section) or {}
        wanted = {name: item for name, item in there.items() if name != key}
        if value is not None:
            wanted[key] = load_yaml(value)
        data = {**data, section: wanted}
        edited = _Editor(text).set(root, section, key, value)
        if parse_culture(edited, path) == parse_culture(
            yaml.safe_dump(data, allow_unicode=True), path
        ):
            return edited
    except (CurateError, yaml.YAMLError, AttributeError, TypeError):
        pass  # said below, with what is to be written
    raise CurateError(
        f"cannot write {section}.{key} into culture.yaml",
        str(path),
        f"write it by hand: {section}: {{{key}: {value or 'its default'}}}",
    )


KEY = "renamed_groups"
_COMMENT = re.compile(r"#[^\r\n]*")
_WIDE = 1_000_000

Pair = tuple[yaml.Node, yaml.Node]
Edit = tuple[int, int, str]
"""Where a part begins and ends, and what takes its place."""
Former = dict[str, list[str]]
"""Former names by the name of now."""


def with_renamed_groups(
    text: str, path: Path, category: str, renamed: Mapping[str, Sequence[str]]
) -> str:
    """The settings with other former names of the groups of a category.

    Args:
        text: The settings.
        path: The file that they are written in; for messages.
        category: The category's id.
        renamed: Its former names by the name of now, all of them.

    Raises:
        CurateError: If the file is written in a way that cannot be edited safely.
    """
    edited = text
    former = {name: list(names) for name, names in renamed.items()}
    try:
        node = _category(text, category)
        if node is not None:
            edited = _Editor(text).write(node, former)
        data = load_yaml(text)
        for item in data["categories"]:
            if item["id"] == category:
                item[KEY] = former
        wanted = yaml.safe_dump(data, allow_unicode=True)
        if parse_culture(edited, path) == parse_culture(wanted, path):
            return edited
    except (CurateError, yaml.YAMLError):
        pass  # said below, with what is to be written
    raise CurateError(
        f"cannot write the former names of groups of {category} into culture.yaml",
        str(path),
        f"write it by hand under the category, and run the command again: {_text(KEY, former)}",
    )


def _category(text: str, category: str) -> yaml.MappingNode | None:
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if root is None:
        return None
    for item in _value(root, "categories").value:
        if isinstance(item, yaml.MappingNode) and _value(item, "id").value == category:
            return item
    return None


def _value(node: yaml.Node, name: str) -> yaml.Node:
    pair = _pair(node, name)
    return pair[1] if pair else yaml.SequenceNode("", [])


def _pair(node: yaml.Node, name: str) -> Pair | None:
    pairs: list[Pair] = node.value if isinstance(node, yaml.MappingNode) else []
    return next((pair for pair in pairs if pair[0].value == name), None)


def _is_flow(node: yaml.Node) -> bool:
    """Whether a list or mapping stands in brackets."""
    return bool(getattr(node, "flow_style", False))


def _text(name: str, value: list[str] | Former) -> str:
    """Write an entry so that it may stand anywhere."""
    dumped: str = yaml.safe_dump(
        {name: value}, allow_unicode=True, sort_keys=False, default_flow_style=True, width=_WIDE
    )
    return dumped.strip()[1:-1]


@dataclass(frozen=True, slots=True)
class _Editor:
    """Edits a text at places that its parsed form names."""

    text: str

    def write(self, category: yaml.MappingNode, renamed: Former) -> str:
        """The text in which a category has these former names."""
        pair = _pair(category, KEY)
        if pair is None:
            edits = [self._added(category, _text(KEY, renamed))] if renamed else []
        elif not renamed:
            edits = [self._removed(category, pair)]
        else:
            edits = list(self._entries(pair[1], renamed))
        text = self.text
        for start, end, new in sorted(edits, reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def set(self, root: yaml.Node | None, section: str, key: str, value: str | None) -> str:
        """The text in which a key of a section has a value, or is not there."""
        if root is None:
            return self.text
        text, outer = self.text, _pair(root, section)
        inner = _pair(outer[1], key) if outer else None
        entry = f"{key}: {value}"
        if outer is None or not outer[1].value:
            if value is None:
                return text
            if outer is None:
                end = "" if text.endswith("\n") or not text else self._newline
                return f"{text}{end}{section}:{self._newline}  {entry}{self._newline}"
            edit = self._replaced(root, outer, f"{section}: {{{entry}}}")
        elif inner is None:
            if value is None:
                return text
            edit = self._added(outer[1], entry)
        elif value is not None:
            edit = self._replaced(outer[1], inner, entry)
        else:
            alone = len(outer[1].value) == 1
            edit = self._removed(root, outer) if alone else self._removed(outer[1], inner)
        start, end_at, new = edit
        return text[:start] + new + text[end_at:]

    def _entries(self, node: yaml.Node, renamed: Former) -> Iterator[Edit]:
        """Yield the edits at the entries that change; a name that gives way keeps its place."""
        there: dict[str, Pair] = {pair[0].value: pair for pair in node.value}
        new = [name for name in renamed if name not in there]
        for name, pair in there.items():
            if name in renamed:
                if [item.value for item in pair[1].value] != renamed[name]:
                    yield self._replaced(node, pair, _text(name, renamed[name]))
            elif new:
                yield self._replaced(node, pair, _text(new[0], renamed[new.pop(0)]))
            else:
                yield self._removed(node, pair)
        for name in new:
            yield self._added(node, _text(name, renamed[name]))

    def _replaced(self, mapping: yaml.Node, pair: Pair, entry: str) -> Edit:
        start, end = pair[0].start_mark.index, _end(pair[1])
        return start, end, self._kept(mapping, start, end, pair) + entry

    def _removed(self, mapping: yaml.Node, pair: Pair) -> Edit:
        start, end = pair[0].start_mark.index, _end(pair[1])
        if _is_flow(mapping):
            at = mapping.value.index(pair)
            if at:
                start = _end(mapping.value[at - 1][1])
            elif len(mapping.value) > 1:
                end = mapping.value[1][0].start_mark.index
            return start, end, self._kept(mapping, start, end, pair)
        kept = self._kept(mapping, start, end, pair)
        first = self.text.rfind("\n", 0, start) + 1
        last = self._line_end(end)
        if not kept and not (self.text[first:start] + self.text[end:last]).strip():
            return first, last + len(self._newline), ""
        return start, end, kept.rstrip()

    def _added(self, mapping: yaml.Node, entry: str) -> Edit:
        pairs: list[Pair] = mapping.value
        if _is_flow(mapping):
            at = _end(pairs[-1][1]) if pairs else mapping.start_mark.index + 1
            return at, at, f", {entry}" if pairs else entry
        simple = [pair for pair in pairs if _is_simple(pair[1])]
        at = self._line_end(_end((simple or pairs)[-1][1]))
        return at, at, f"{self._newline}{self._indent(mapping)}{entry}"

    def _kept(self, mapping: yaml.Node, start: int, end: int, pair: Pair) -> str:
        """The comments of a part that is taken out, each on a line of its own."""
        comments = []
        at = start
        for leaf in (*_leaves(pair[0]), *_leaves(pair[1])):
            comments += _COMMENT.findall(self.text[at : leaf.start_mark.index])
            at = leaf.end_mark.index
        comments += _COMMENT.findall(self.text[at:end])
        line = f"{self._newline}{self._indent(mapping)}"
        block = "".join(f"{comment}{line}" for comment in comments)
        # In braces a comment may follow a character at once, where '#' would be a part of it.
        return f"{line}{block}" if block and _is_flow(mapping) else block

    @property
    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    def _indent(self, mapping: yaml.Node) -> str:
        return " " * int(mapping.value[0][0].start_mark.column)

    def _line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        end = len(self.text) if end < 0 else end
        return end - 1 if self.text[:end].endswith("\r") else end


def _is_simple(node: yaml.Node) -> bool:
    """Whether a value ends where its node says, and not where the next one begins."""
    if isinstance(node, yaml.ScalarNode):
        return node.style not in ("|", ">")
    return bool(_is_flow(node))


def _end(node: yaml.Node) -> int:
    """Where a value ends; block collections go by their last part."""
    if isinstance(node, yaml.ScalarNode) or _is_flow(node) or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _end(last[1] if isinstance(node, yaml.MappingNode) else last)


def _leaves(node: yaml.Node) -> Iterator[yaml.ScalarNode]:
    if isinstance(node, yaml.ScalarNode):
        yield node
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from _leaves(key)
            yield from _leaves(value)
    else:
        for item in node.value:
            yield from _leaves(item)
