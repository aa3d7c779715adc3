"""Items of the coreference task, from files of WinoBias (Zhao et al. 2018), type 1.

A line is a sentence, perhaps after its number, with the person that the pronoun means and the
pronoun in square brackets: `1 [The baker] thanked the guard because [she] was tired.` Type 1 needs
knowledge of the world to be understood; the brackets say how, and are taken away. A sentence may
have further pronouns and may name an occupation twice: the one in brackets is asked for.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from curation.files.tables import read_text
from curation.languages.occupations import PromptFile, Task
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from evaluation.occupations.records import Item, drawn_items

COREFERENCE = "coreference"
"""The task's name."""

_LINE = re.compile(r"\s*(?:\d+\s+)?(.*?)\s*")
_BRACKETED = re.compile(r"\[([^\[\]]*)\]")
_ARTICLE = re.compile(r"(?:the|an?)\s+", re.IGNORECASE)
# WinoBias is split into tokens: the characters that end a word stand apart from it.
_APART = re.compile(r"\s+(?=['’]s\b|[.,;:!?](?:\s|$))")


class Sentence(NamedTuple):
    """A sentence of WinoBias.

    Attributes:
        text: The sentence without brackets.
        pronoun: Its pronoun, as written.
        group: The group that the pronoun is of.
        occupations: Its two occupations, in the order in which they come, spelled as the ratios
            spell them.
    """

    text: str
    pronoun: str
    group: str
    occupations: tuple[str, str]


def words_with_ratio(task: Task, ratio: Mapping[str, float]) -> dict[str, float]:
    """The ratio of every word that sentences can name an occupation by."""
    same = {word: ratio[name] for word, name in task.same_as.items() if name in ratio}
    return {**same, **ratio}


def read_sentences(
    paths: Iterable[Path], task: Task, words: Iterable[str]
) -> tuple[list[Sentence], list[Finding]]:
    """Read files of WinoBias.

    Args:
        paths: The files.
        task: For the pronouns.
        words: The occupations that have a ratio.

    Returns:
        The sentences that make items, and an error for each of the others.

    Raises:
        CurateError: If a file cannot be read, or no line of them makes an item.
    """
    reader = _Reader(task, tuple(words))
    sentences: list[Sentence] = []
    findings: list[Finding] = []
    files = list(dict.fromkeys(paths))
    hint = "correct the line, or go on without such lines with --leave-out"
    for path in files:
        for number, line in enumerate(read_text(path).splitlines(), start=1):
            try:
                if line.strip():
                    sentences.append(reader.read(line))
            except ValueError as error:
                args = Severity.ERROR, str(path), number, "", str(error), hint
                findings.append(Finding("coreference-line", *args))
    if not sentences:
        first = f": {findings[0].message}" if findings else ""
        raise CurateError(
            f"no line of {', '.join(path.name for path in files)} makes an item{first}",
            findings[0].where if findings else str(files[0]),
            "name files of WinoBias's type 1, such as pro_stereotyped_type1.txt.test",
        )
    return sentences, findings


class _Reader:
    """Reads lines."""

    def __init__(self, task: Task, words: Sequence[str]) -> None:
        self._groups = {
            word: group for group, pronouns in task.pronouns.items() for word in pronouns
        }
        self._spelling = {word.casefold(): word for word in words}
        # The longest first: 'construction worker' is no 'worker'.
        ordered = sorted(self._spelling, key=lambda word: (-len(word), word))
        word = rf"\s+(?<!\w)({'|'.join(map(re.escape, ordered))})(?!\w)"
        # With its article: 'cook' and 'guard' are verbs too.
        self._words = re.compile(rf"\b(?:the|an?){word}", re.IGNORECASE)
        # Of another person: "the guard's nurse".
        self._owned = re.compile(rf"(?:\b(?:the|an?)|['\u2019]s){word}", re.IGNORECASE)

    def read(self, line: str) -> Sentence:
        """Read a line.

        Raises:
            ValueError: Saying why it makes no item.
        """
        match = _LINE.fullmatch(line)
        marked = match.group(1) if match else ""
        pronoun, group = self._marked(marked)
        text = _APART.sub("", " ".join(_BRACKETED.sub(r"\1", marked).split()))
        found = [self._spelling[word.casefold()] for word in self._words.findall(text)]
        if len(set(found)) < 2:
            found = [self._spelling[word.casefold()] for word in self._owned.findall(text)]
        named = list(dict.fromkeys(found))  # a sentence may name the same person twice
        if len(named) != 2:
            listed = ", ".join(found) or "none"
            raise ValueError(
                f"the sentence must name two occupations that have a ratio; it names ({listed})"
            )
        return Sentence(text, pronoun, group, (named[0], named[1]))

    def _marked(self, marked: str) -> tuple[str, str]:
        """The pronoun in brackets, the first of several of one group, and its group.

        The brackets say which pronoun is meant; others in the sentence do not matter.

        Raises:
            ValueError: If they do not.
        """
        marks = [" ".join(text.split()) for text in _BRACKETED.findall(marked)]
        people = [text for text in marks if text.casefold() not in self._groups]
        if len(people) != 1 or len(marks) < 2:
            raise ValueError(
                "the line does not have one person and a pronoun in square brackets, as those of "
                "WinoBias have"
            )
        name = _ARTICLE.sub("", people[0], count=1)
        if name.casefold() not in self._spelling:
            raise ValueError(f"occupation '{name}' has no ratio")
        pronouns = [text for text in marks if text.casefold() in self._groups]
        groups = dict.fromkeys(self._groups[text.casefold()] for text in pronouns)
        if len(groups) > 1:
            raise ValueError(
                f"the pronouns in square brackets are of different groups ({', '.join(pronouns)})"
            )
        return pronouns[0], next(iter(groups))


def coreference_items(
    prompts: PromptFile, sentences: Sequence[Sentence], *, seed: int
) -> Iterator[tuple[Item, str]]:
    """Yield the items of sentences, each with its pronoun.

    Each sentence is asked under each instruction; the order of the options is drawn for each
    sentence, the same with the other group's pronoun and under all instructions.

    Args:
        prompts: The prompts.
        sentences: The sentences.
        seed: The seed of the orders.
    """
    asked = [(item.group, item.text, item.occupations) for item in sentences]
    items = drawn_items(COREFERENCE, prompts, asked, seed)
    yield from zip(items, cycle(item.pronoun for item in sentences), strict=False)
