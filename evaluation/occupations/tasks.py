"""The tasks: what is asked in each, as items and as requests by which models are asked.

Items of the coreference task are from files of WinoBias (Zhao et al. 2018), type 1. A line is a
sentence, perhaps after its number, with the person that the pronoun means and the pronoun in square
brackets: `1 [The baker] thanked the guard because [she] was tired.` Type 1 needs knowledge of the
world to be understood; the brackets say how, and are taken away. A sentence may have further
pronouns and may name an occupation twice: the one in brackets is asked for.

The real ratios come from labour statistics: the mean over the detailed titles that make an
occupation. `labour_us.csv` holds the 40 occupations of WinoBias as Ko et al. (2024) put them
together from titles of the Current Population Survey of the US Bureau of Labor Statistics (employed
persons by detailed occupation, annual averages): people employed, in thousands, and the percentage
of women. It holds no ages.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from importlib import resources
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from curation.files.jsonl import write_objects
from curation.files.tables import Row, Table, read_table, read_text, refuse_problems
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode, load, missing
from curation.languages.prompts import PromptFile, TaskPrompts
from curation.records.messages import (
    CurateError,
    Finding,
    Results,
    finding,
    has_errors,
    refusal,
    results,
    warning,
)
from curation.records.settings import parse_settings
from evaluation.folders import result_folder
from evaluation.occupations import scores
from evaluation.prompts import asked_language
from evaluation.requests import REQUESTS, in_epochs

_NUMBER = re.compile(r"(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?", re.ASCII)
_MISSING = frozenset({"", "-", "–", "—", "−", ".", "..", "...", "*", "x", "n/a", "na", "nan"})


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the columns in a table of labour statistics.

    Attributes:
        occupation: The occupation that a row belongs to; without `titles` alone.
        title: The detailed title.
        number: People of the title, in any unit.
        percent: Percentage of the group among them; empty where `counts` are given.
        counts: Columns with people of the group in the same unit, which are added up, such as
            bands of age.
        shares: Whether `percent` holds shares from 0 to 1.
    """

    occupation: str = "occupation"
    title: str = "title"
    number: str = "number"
    percent: str = "percent"
    counts: tuple[str, ...] = ()
    shares: bool = False


BUNDLED_GROUP = "female"
"""Whose shares the bundled table gives."""
US_TITLES = Path("us")
"""In place of a table of titles: those that make the 40 occupations in the bundled table."""
_BUNDLED = Columns(number="employed_thousands", percent="percent_women")


def ratios(
    table: Path | None = None,
    group: str = "",
    columns: Columns | None = None,
    *,
    titles: Path | None = None,
) -> Results:
    """Compute the real ratios from a table of labour statistics: the `rows`, and what they are of.

    Args:
        table: The table, CSV or TSV; by default the toolkit's own, of women in the US.
        group: Whose percentages the table holds, as items name the group.
        columns: Where they are.
        titles: A table `occupation, title` that says which titles make an occupation, where the
            statistics have no such column; `US_TITLES` for those of the toolkit's own table.

    Raises:
        CurateError: If a table cannot be read, a number or percentage is none, or a title occurs
            twice where `titles` names it.
    """
    bundled = resources.files(__package__).joinpath("data", "labour_us.csv")
    with resources.as_file(bundled) as own:
        if table is None:
            made, findings = make_ratios(own, BUNDLED_GROUP, _BUNDLED)
        else:
            named = own if titles == US_TITLES and not titles.exists() else titles
            made, findings = make_ratios(table, group, columns or Columns(), named)
    files = tuple(path for path in (table, titles) if path is not None and path.exists())
    return results({"rows": (scores.RATIOS.columns, made)}, tuple(findings), {"inputs": files})


def bundled_ratios() -> tuple[scores.Ratio, ...]:
    """The share of women in the 40 occupations of WinoBias in the US."""
    return tuple(ratios()["rows"])


class _Title(NamedTuple):
    """A detailed title: its name and row, how many people have it, and the group's share."""

    name: str
    row: int
    number: float | None
    share: float | None


def make_ratios(
    path: Path, group: str, columns: Columns, titles: Path | None = None
) -> tuple[list[scores.Ratio], list[Finding]]:
    """Make ratios: the mean percentage over an occupation's titles, weighted by their people.

    Titles without a number are left out and named; an occupation that so has none is an error.

    Args:
        path: The table, CSV or TSV.
        group: Whose percentages they are.
        columns: Where they stand.
        titles: A table `occupation, title` that says which titles make an occupation, where the
            statistics have no such column.

    Raises:
        CurateError: If a table cannot be read, a number or percentage is none, or a title occurs
            twice where `titles` names it.
    """
    of_group = columns.counts or (columns.percent,)
    needed = (columns.occupation if titles is None else columns.title, columns.number, *of_group)
    table = read_table(
        path, required=needed, delimiter="\t" if path.suffix.lower() == ".tsv" else ","
    )
    refuse_problems(table)
    read = [_title(table, row, columns) for row in table.rows]
    shares = [item.share for item in read if item.share is not None]
    if shares and not columns.shares and not columns.counts and 0 < max(shares) <= 0.01:
        where = f"{table.file}, column {columns.percent}"
        raise refusal(__package__, "labour-shares", where, column=columns.percent)
    findings: list[Finding] = []
    members: dict[str, list[_Title]] = {}
    if titles is not None:
        members = _by_titles(table, read, titles, columns, findings)
    for row, item in zip(table.rows, read, strict=True) if titles is None else ():
        occupation = " ".join(row[columns.occupation].split())
        if not occupation:
            raise table.fault(row, columns.occupation, "the row names no occupation", "write it")
        members.setdefault(occupation, []).append(item)
    found = []
    for occupation, parts in members.items():
        there: list[tuple[float, float]] = []
        for part in parts:
            if part.number is not None and part.share is not None:
                there.append((part.number, part.share))
                continue
            name = f"title '{part.name}' of" if part.name else "a row of"
            what = f"{name} '{occupation}' has no number and is left out of the mean"
            hint = "look for the number elsewhere, or accept the mean over the other titles"
            column = columns.number if part.number is None else of_group[0]
            findings.append(warning("labour-number", table.file, what, hint, column, part.row))
        people = math.fsum(number for number, _ in there)
        if people:
            mean = math.fsum(number * share for number, share in there) / people
            found.append(scores.Ratio(occupation, group, mean))
        else:
            said = finding(__package__, "labour-occupation", table.file, occupation=occupation)
            findings.append(said)
    return found, findings


def _title(table: Table, row: Row, columns: Columns) -> _Title:
    number = _number(table, row, columns.number)
    name = " ".join(row.get(columns.title).split())
    if columns.counts:
        counts = [_number(table, row, column) for column in columns.counts]
        known = [count for count in counts if count is not None]
        # A band without a number cannot be told from an empty one.
        whole = number is not None and number > 0 and len(known) == len(counts)
        share = math.fsum(known) / number if whole and number else None
        column, what = columns.counts[0], "the group has more people than there are in all"
    else:
        share, column = _number(table, row, columns.percent), columns.percent
        share = share if share is None or columns.shares else share / 100
        what = f"'{row[column]}' is not a {'share' if columns.shares else 'percentage'}"
    if share is not None and share > 1:
        raise table.fault(row, column, what, "correct it, or name another column")
    return _Title(name, row.number, number, share)


def _number(table: Table, row: Row, column: str) -> float | None:
    """Read a number with a point and perhaps commas between thousands; None for a missing one."""
    cell = row[column].strip()
    if cell.casefold() in _MISSING:
        return None
    text = cell.removesuffix("%").strip()
    if not _NUMBER.fullmatch(text):
        what = f"'{cell}' is not a number from 0"
        raise table.fault(row, column, what, "write it with digits and a point, or leave it out")
    return float(text.replace(",", ""))


def _by_titles(
    table: Table,
    read: Sequence[_Title],
    titles: Path,
    columns: Columns,
    findings: list[Finding],
) -> dict[str, list[_Title]]:
    known: dict[str, list[_Title]] = {}
    for item in read:
        known.setdefault(item.name.casefold(), []).append(item)
    wanted = read_table(titles, required=("occupation", "title"))
    refuse_problems(wanted)
    members: dict[str, list[_Title]] = {}
    for row in wanted.rows:
        occupation, name = (" ".join(row[column].split()) for column in ("occupation", "title"))
        parts, found = members.setdefault(occupation, []), known.get(name.casefold(), [])
        if len(found) > 1:
            what = f"title '{name}' occurs twice, in rows {found[0].row} and {found[-1].row}"
            where = f"{table.file}, row {found[-1].row}, column {columns.title}"
            raise CurateError(what, where, "keep the row that is meant")
        parts += found
        if not found:
            words = {"title": name, "occupation": occupation, "statistics": table.file}
            said = finding(__package__, "labour-title", wanted.file, **words)
            findings.append(replace(said, row=row.number))
    return members


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


def words_with_ratio(task: TaskPrompts, ratio: Mapping[str, float]) -> dict[str, float]:
    """The ratio of every word that sentences can name an occupation by."""
    same = {word: ratio[name] for word, name in task.same_as.items() if name in ratio}
    return {**same, **ratio}


def read_sentences(
    paths: Iterable[Path], task: TaskPrompts, words: Iterable[str]
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
    for path in files:
        for number, line in enumerate(read_text(path).splitlines(), start=1):
            try:
                if line.strip():
                    sentences.append(reader.read(line))
            except CurateError as error:
                said = finding(__package__, "coreference-line", str(path), error=error.what)
                findings.append(replace(said, row=number))
    if not sentences:
        first = f": {findings[0].message}" if findings else ""
        where = findings[0].where if findings else str(files[0])
        names = ", ".join(path.name for path in files)
        raise refusal(__package__, "coreference-none", where, names=names, first=first)
    return sentences, findings


class _Reader:
    """Reads lines."""

    def __init__(self, task: TaskPrompts, words: Sequence[str]) -> None:
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
            CurateError: Saying why it makes no item.
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
            raise refusal(__package__, "coreference-two", listed=", ".join(found) or "none")
        return Sentence(text, pronoun, group, (named[0], named[1]))

    def _marked(self, marked: str) -> tuple[str, str]:
        """The pronoun in brackets, the first of several of one group, and its group.

        The brackets say which pronoun is meant; others in the sentence do not matter.

        Raises:
            CurateError: If they do not.
        """
        marks = [" ".join(text.split()) for text in _BRACKETED.findall(marked)]
        people = [text for text in marks if text.casefold() not in self._groups]
        if len(people) != 1 or len(marks) < 2:
            raise refusal(__package__, "coreference-marks")
        name = _ARTICLE.sub("", people[0], count=1)
        if name.casefold() not in self._spelling:
            raise refusal(__package__, "coreference-ratio", name=name)
        pronouns = [text for text in marks if text.casefold() in self._groups]
        groups = dict.fromkeys(self._groups[text.casefold()] for text in pronouns)
        if len(groups) > 1:
            raise refusal(__package__, "coreference-groups", pronouns=pronouns)
        return pronouns[0], next(iter(groups))


HALF = 0.5
"""Where the sides divide, unless the command says."""
_ENGLISH = "en"


def items(
    workspace: Workspace,
    task: str,
    *,
    ratios: Path | Results | None = None,
    prompts: Path | None = None,
    language: str | None = None,
    winobias: Sequence[Path] = (),
    country: str | None = None,
    split: float = HALF,
    seed: int = 42,
    leave_out: bool = False,
    epochs: int = 1,
    out: Path | None = None,
) -> Results:
    """Write the items of a task, and the requests by which models are asked.

    The items are the `rows`; where they are refused, `folder` is None, and the findings say why.

    Args:
        workspace: The workspace; a folder without settings will do.
        task: `persona-gender`, `persona-age`, `coreference`, or one of the prompts.
        ratios: The real ratios, a file or what `ratios` gives, whose errors refuse the items too;
            by default those of women in the 40 occupations of WinoBias.
        prompts: A YAML file of prompts, in place of those of the language.
        language: Of these, a code or a file such as `pt.yaml`; by default the workspace's, else
            English.
        winobias: For coreference: files of WinoBias, type 1.
        country: Where the personas live; by default as the prompts say.
        split: The ratio that divides the two sides of occupations.
        seed: The seed of the orders of options.
        leave_out: Leave out sentences that make no item; else one refuses all.
        epochs: How often each item is asked; from the second time on a request's id ends in `-e2`
            and so on.
        out: The folder; by default one in `exports`.

    Raises:
        CurateError: If a file cannot be read or written, or the files do not fit together.
    """
    columns = [it.name for it in fields(scores.Item)]
    computed = ratios.findings if isinstance(ratios, Results) else ()
    if has_errors(computed):
        return results({"rows": (columns, [])}, computed, {"folder": None})
    asked_by = _prompts(workspace, task, prompts, language)
    wanted = asked_by.task(task)
    named = ratios.inputs if isinstance(ratios, Results) else (ratios,)
    statistics = named or (None,)  # the toolkit's own
    known = scores.by_group(_ratios(asked_by, task, ratios))
    there = [group for group in wanted.group_names if group in known]
    if len(there) != 1:
        groups = "' and '".join(wanted.group_names)
        words = {"task": task, "groups": groups, "known": ", ".join(known)}
        raise refusal(__package__, "ratios-task", f"{statistics[0]}, column group", **words)
    group: str = there[0]
    ratio: Mapping[str, float] = known[group]
    findings: tuple[Finding, ...]
    if task == COREFERENCE:
        ratio = words_with_ratio(wanted, ratio)
        sentences, faults = read_sentences(winobias, wanted, ratio)
        # Each sentence under each instruction; with the other pronoun in the same order of options.
        texts = [(item.group, item.text, item.occupations) for item in sentences]
        drawn = scores.drawn_items(COREFERENCE, asked_by, texts, seed)
        asked = list(zip(drawn, cycle(item.pronoun for item in sentences), strict=False))
        findings = tuple(faults)
        refused = bool(findings) and not leave_out
    else:
        place = country or asked_by.country
        made = persona_items(task, asked_by, ratio, country=place, seed=seed, split=split)
        asked = [(item, "") for item in made]
        file = str(statistics[0] or "ratios.csv")
        at = [n for n, share in ratio.items() if share == split]
        said = finding(__package__, "occupations-side", file, split=split, names=", ".join(at))
        findings = (said,) if at else ()
        refused = False
    names = sorted({name for item, _ in asked for name in item.occupations})
    rows = [item for item, _ in asked]
    folder = None if refused else out or workspace.exports_folder / "occupations" / task
    if folder is not None:
        counts = {"items": len(asked), "occupations": len(names)}
        counts |= {"left_out": len(findings)} if winobias else {}
        settings = {
            "task": task,
            "seed": seed,
            "split": split,
            "country": country,
            "language": language,
            "epochs": epochs,
        }
        given_to = (workspace, folder, (*statistics, prompts, *winobias), counts, settings)
        command = "evaluate occupations items"
        with result_folder(*given_to, command=command, what="items") as stage:
            scores.ITEMS.write(stage / "items.csv", rows)
            scores.RATIOS.write(
                stage / "ratios.csv", (scores.Ratio(n, group, ratio[n]) for n in names)
            )
            write_objects(stage / REQUESTS, in_epochs(lambda: requests_of(asked, wanted), epochs))
    told = {
        "task": task,
        "items": len(rows),
        "groups": sorted({item.group for item in rows}),
        "instructions": len(wanted.instructions),
        "occupations": len(names),
        "seed": seed,
        "folder": folder,
    }
    return results({"rows": (columns, rows)}, (*computed, *findings), told)


def _prompts(
    workspace: Workspace, task: str, path: Path | None, language: str | None
) -> PromptFile:
    if path is not None:
        return read_prompts(path)
    if language is not None:
        return bundled_prompts(asked_language(workspace, language) or language)
    if not workspace.culture_file.exists() or task == COREFERENCE:
        return bundled_prompts(_ENGLISH)
    return bundled_prompts(workspace.language)


def _ratios(prompts: PromptFile, task: str, given: Path | Results | None) -> Sequence[scores.Ratio]:
    if given is not None:
        return given.rows if isinstance(given, Results) else scores.read_ratios(given)
    groups = prompts.task(task).group_names
    if prompts.language != _ENGLISH or BUNDLED_GROUP not in groups:
        words = {"task": task, "language": prompts.language, "groups": " and ".join(groups)}
        raise refusal(__package__, "ratios-bundled", "--ratios", **words)
    return bundled_ratios()


def persona_items(
    name: str,
    prompts: PromptFile,
    ratio: Mapping[str, float],
    *,
    country: str,
    seed: int,
    split: float = HALF,
) -> Iterator[scores.Item]:
    """Yield the items of a persona task.

    Every occupation of the side where g1 is common is put beside every one of the other side,
    for each persona of both groups, under each instruction; the order of the options is drawn
    for each persona and pair, the same for both groups and under all instructions.

    Args:
        name: The task.
        prompts: The prompts.
        ratio: The share of g1 in each occupation.
        country: Where the personas live.
        seed: The seed of the orders.
        split: Where the sides divide.

    Raises:
        CurateError: If a side has no occupation, or an occupation reads like the unknown option.
    """
    above = [name for name, share in ratio.items() if share > split]
    below = [name for name, share in ratio.items() if share < split]
    if not above or not below:
        words = {"split": split, "side": "below" if above else "above"}
        raise refusal(__package__, "ratios-side", "ratios.csv, column ratio", **words)
    same = [name for name in ratio if name.casefold() == prompts.unknown.casefold()]
    if same:
        raise refusal(
            __package__, "ratios-unknown", "ratios.csv, column occupation", occupation=same[0]
        )
    asked = [
        (group, persona.format(country=country), pair)
        for pair in ((first, second) for first in above for second in below)
        for group, personas in prompts.task(name).groups.items()
        for persona in personas
    ]
    yield from scores.drawn_items(name, prompts, asked, seed)


def bundled_prompts(language: LanguageOrCode) -> PromptFile:
    """The prompts of a language.

    Raises:
        CurateError: If there are none.
    """
    found = load(language).occupations
    if found is None:
        told = refusal(__package__, "prompts-none", "--language", language=language)
        raise missing("occupations", language, told)
    return found


def read_prompts(path: Path) -> PromptFile:
    """Read a file of prompts.

    Raises:
        CurateError: If it is none.
    """
    return parse_settings(read_text(path), PromptFile, path, "docs/evaluation-occupations.md")


def requests_of(
    asked: Iterable[tuple[scores.Item, str]], task: TaskPrompts
) -> Iterator[dict[str, object]]:
    """Yield requests as `requests.jsonl` holds them, by the items' ids.

    Args:
        asked: The items, each with its pronoun, empty for personas.
        task: For the instructions.
    """
    texts = {item.id: item.text for item in task.instructions}
    for item, pronoun in asked:
        options = "\n".join(map("({}) {}".format, scores.labels_of(item.options), item.options))
        content = texts[item.instruction].format(
            sentence=item.sentence, options=options, pronoun=pronoun
        )
        yield {
            "request_id": item.item_id,
            "task": item.task,
            "instruction": item.instruction,
            "messages": [{"role": "user", "content": content}],
            "choices": list(item.options),
            "labels": list(scores.labels_of(item.options)),
        }
