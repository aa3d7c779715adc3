"""The option of a question that a text of the file means."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import NoReturn

from curation.records.errors import CurateError
from curation.records.survey import Option, Question
from survey.readers.frames import plain

_SHOWN = 12


class OptionTable:
    """The options of a question by what a file writes for them.

    Args:
        question: The question.
        options: Value in the file to the option's code, text or groups; the codes themselves
            by default.

    Attributes:
        question: The question.
        keys: Value in the file to the option's position, in the mapping's order.

    Raises:
        CurateError: If a value leads to no option or to two, or no value leads to one.
    """

    def __init__(self, question: Question, options: Mapping[str, str] | None = None) -> None:
        self.question = question
        stated = options or {option.code: option.code for option in question.options}
        self.keys = {plain(key): self._resolve(key, meant) for key, meant in stated.items()}
        if len(self.keys) < len(stated):
            self.refuse("two values differ only in blanks", "keep one of them")
        left = set(range(len(question.options))) - set(self.keys.values())
        if left:
            codes = ", ".join(f"'{shown(question.options[at])}'" for at in sorted(left))
            self.refuse(f"no value is given for {codes}", "add the value that the file writes")
        self._labels = self._by_label()
        self._texts = {**self._labels, **self.keys}
        self._characters = "\n".join(self._texts)

    def _resolve(self, key: str, meant: str) -> int:
        wanted = plain(meant)
        found = [
            at for at, option in enumerate(self.question.options) if wanted in names_of(option)
        ]
        if len(found) == 1:
            return found[0]
        known = ", ".join(f"'{shown(option)}'" for option in self.question.options)
        if found:
            both = " and ".join(f"'{shown(self.question.options[at])}'" for at in found)
            self.refuse(f"'{meant}' (for '{key}') is {both}", f"name it by its code: {known}")
        self.refuse(
            f"'{meant}' (for '{key}') is not an option of the questionnaire", f"it has {known}"
        )

    def refuse(self, what: str, hint: str) -> NoReturn:
        """Refuse the mapping of the question's options.

        Raises:
            CurateError: Always.
        """
        raise CurateError(f"question {self.question.id}, options: {what}", "mapping", hint)

    def _by_label(self) -> dict[str, int]:
        """The options by texts that are theirs alone."""
        found: dict[str, set[int]] = {}
        for at, option in enumerate(self.question.options):
            for name in labels_of(option):
                found.setdefault(name, set()).add(at)
        return {name: places.pop() for name, places in found.items() if len(places) == 1}

    def place(self, value: str) -> int:
        """The position of the option that a value means; -1 for none."""
        text = plain(value)
        if text in self.keys:
            return self.keys[text]
        return self._labels.get(text, -1)

    def listed(self, value: str) -> tuple[int, ...] | None:
        """Read a JSON list, or an object with `choices`, as the options that it lists.

        Returns:
            Their positions; None where the value is no such list or lists another option.
        """
        if not value.lstrip().startswith(("[", "{")):
            return None
        try:
            data = json.loads(value)
        except (ValueError, RecursionError):
            return None
        items = data.get("choices") if isinstance(data, dict) else data
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            return None
        places = tuple(self.place(item) for item in items)
        return None if -1 in places or len(set(places)) < len(places) else places

    def readings(self, value: str, joiner: str) -> list[tuple[int, ...]]:
        """Read options that characters join, whatever characters are in their texts.

        Args:
            value: The cell.
            joiner: What joins them; blanks around it do not matter.

        Returns:
            All ways to read the cell, each as positions in the order written; at most a few.
        """
        text, between = plain(value), joiner.strip()
        if between and between not in self._characters:
            return self._parts(text, between)
        return joined_readings(text, self._texts, joiner)

    def _parts(self, text: str, joiner: str) -> list[tuple[int, ...]]:
        """Read options that are joined by characters which none of them holds."""
        places = tuple(map(self._texts.get, text.split(joiner)))
        if None in places:  # blanks around it, or one at the end
            parts = [part.strip() for part in text.split(joiner)]
            if len(parts) > 1 and not parts[-1]:
                parts.pop()
            places = tuple(map(self._texts.get, parts))
        known = tuple(place for place in places if place is not None)
        return [known] if len(set(known)) == len(places) else []

    def declared(self) -> str:
        """List the values that are declared, for a message."""
        names = [f"'{key}'" for key in self.keys]
        return ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")

    def run_together(self, value: str) -> bool:
        """Say whether a value may be several one-character values with nothing between them."""
        text = plain(value)
        return len(text) > 1 and all(character in self.keys for character in text)

    def written(self, places: Sequence[int]) -> str:
        """Name options for a message."""
        return " + ".join(f"'{shown(self.question.options[at])}'" for at in places)


_MANY = 64


def joined_readings(text: str, options: Mapping[str, int], joiner: str) -> list[tuple[int, ...]]:
    """All ways to read a text as different options that characters join.

    Args:
        text: The text.
        options: The options' positions by what they are called, which may hold these characters.
        joiner: What joins them; blanks around it do not matter.
    """
    steps = _steps(text, options, joiner)
    ways: dict[int, set[tuple[int, ...]]] = {len(text): {()}}
    for at in sorted(steps, reverse=True):
        found = {
            (option, *rest)
            for option, after in steps[at]
            for rest in ways.get(after, ())
            if option not in rest
        }
        if found:
            ways[at] = set(sorted(found)[:_MANY])
    return sorted(ways.get(0, ()), key=len) if text else []


def _steps(text: str, options: Mapping[str, int], joiner: str) -> dict[int, list[tuple[int, int]]]:
    """For each place that can be reached the options that begin there, and what follows."""
    between = re.compile(rf"\s*{re.escape(joiner.strip())}\s*" if joiner.strip() else r"\s+")
    steps: dict[int, list[tuple[int, int]]] = {}
    ahead = [0]
    while ahead:
        at = ahead.pop()
        if at in steps or at >= len(text):
            continue
        steps[at] = []
        for name, option in options.items():
            if name and text.startswith(name, at):
                after = at + len(name)
                match = between.match(text, after)
                if match is not None or after == len(text):
                    after = match.end() if match is not None else after
                    steps[at].append((option, after))
                    ahead.append(after)
    return steps


def labels_of(option: Option) -> set[str]:
    """The texts by which an option is shown."""
    return {plain(option.text), plain(option.label)} - {""}


def names_of(option: Option) -> set[str]:
    """All that names an option: its code and its texts."""
    return {plain(option.code)} | labels_of(option)


def shown(option: Option) -> str:
    """Name an option for a message: its code, and its text where it has one."""
    text = option.text or option.label
    return f"{option.code}: {text}" if text and text != option.code else option.code
