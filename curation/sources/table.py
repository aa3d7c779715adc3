"""Templates of a table by a mapping of its columns: of one's own, or of a published set.

A slot is what the mapping says it is, in whatever brackets. A row makes one variant, or with
`variants` several, or two rows with the two questions make one. Where no column says the letter,
it follows the role: in `b` the answer to the biased question is the target. Who is the target
groups say, or else the answers; where neither does, the role is open.
"""

import importlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice, product
from pathlib import Path
from typing import Any

from curation.files.tables import Row, list_literal, literal
from curation.records.bank import (
    GROUP_FIELDS,
    ORIGIN,
    REFERENCE_COLUMN,
    SLOT_TEXT_FIELDS,
    TEXT_FIELDS,
    Label,
    TemplateId,
    Texts,
    Variant,
    VariantLetter,
    VariantVersion,
    target_slot,
)
from curation.records.messages import CellError, CurateError, Finding, refusal
from curation.records.survey import COMMAS, SEMICOLONS
from curation.slots.grammar import (
    Slot,
    SlotError,
    SlotList,
    SlotText,
    parse_lists,
    parse_text,
    print_text,
)
from curation.sources.bbq_people import simple_target, target_person
from curation.sources.imported import (
    ALIKE,
    CURLY,
    UNTOLD,
    Imported,
    RowReport,
    TemplateFormat,
    UnletteredVariant,
    answering,
    cell_error,
    entries,
    groups_of,
    list_cells,
    listed_groups,
    passed_over,
    read_rows,
    settled,
    template_format,
)
from curation.sources.roles import agreed, by_answers, folded
from curation.sources.sample_mapping import OF_FORMULA, read_decided

PAGE = "docs/formats.md, 'Templates of any table'"
_NO_STEREOTYPE = "no_stereo"
"""The key of the votes for 'no stereotype exists'."""
_MOST_PAIRS = 400
"""Pairs of people of a row by whose answers the target is told."""
_ENTRY = re.compile(r"\s*\W*?(?P<key>\w+)\W*?:\s*\[(?P<items>[^\[\]]*)\]\s*(?:[;,]\s*)*")
_LIKE_SLOT = re.compile(r"\{\s*\w[^{}]*\}|<\w[^<>]*>")
_WORD = r"\w+"
_CONTRADICTED = "variant {letter} and the groups of the two people say different people"


def read_format(path: Path) -> TemplateFormat:
    """Read a mapping of a table of templates.

    Raises:
        CurateError: If it is none, or has a line that a person has to decide.
    """
    return read_decided(path, TemplateFormat, PAGE)


def read(paths: Sequence[Path], form: TemplateFormat, bank: Iterable[Variant] = ()) -> Imported:
    """Read templates of a table of one's own.

    Args:
        paths: The files.
        form: Which columns say what; a file needs all of them.
        bank: What was imported before: templates whose ids are words keep their numbers.

    Raises:
        CurateError: If a file as a whole cannot be read, none has the columns of the mapping, or
            no column numbers the templates of several files.
    """
    single = (form.label, form.source_id, form.source_category, form.reference)
    named = (*filter(None, single), *form.texts.values(), *form.kept)
    ending = form.source_ending
    twins = (f"{name} or {name}{ending}" if ending else name for name in named)
    form = form.model_copy(update={"required": (*form.required, *twins)})
    reports, other = form.open(paths)
    if not form.number and len(reports) > 1:
        raise refusal(__package__, "files-unnumbered", reports[1].table.file)
    return _read(form, reports, other, numbers=_numbers(reports, form, bank), is_own=True)


def published(name: str, paths: Sequence[Path], language: str = "") -> Imported:
    """Read the templates of a published set, by its mapping and what a mapping cannot say.

    Args:
        name: Its name.
        paths: The files.
        language: Which language to read where files are in several, ISO 639-1 code.

    Raises:
        CurateError: If a file as a whole cannot be read, none holds templates of the set, or files
            are in different languages and none is wanted.
    """
    form = template_format(name)
    if form.reader:
        module = importlib.import_module(f"{__package__}.{form.reader}")
        own: Imported = module.read(paths, language) if form.languages else module.read(paths)
        return own
    reports, other = form.open(paths)
    if form.told_by:
        language, reports = _of_one_language(form, reports, language, other)
    return _read(form, reports, other, language)


def _read(
    form: TemplateFormat,
    reports: Sequence[RowReport],
    other: Sequence[Finding],
    language: str = "",
    numbers: dict[tuple[str, str], int] | None = None,
    *,
    is_own: bool = False,
) -> Imported:
    told_by = form.texts.get("n1_groups") or form.texts.get("target_groups", "")
    for report in reports:
        report.shown = {"NAME1_info": told_by, "Q_id": form.number, "version": form.letter}
        _leave_out(report, form.only)
    named: dict[str, str] = {}
    readers = {id(report): _Reader(form, report, numbers, named, is_own) for report in reports}
    rows = read_rows(reports, lambda row, report: readers[id(report)].drafts(row))
    drafts = [draft for found, _, _ in rows for draft in found]
    placed, _ = settled(form, drafts)
    counts = [found for draft, item in placed if (found := _counts(form, draft, item))]
    # Where a category of target selection has counts of two groups, the template was validated: the
    # reference names the non-target groups too.
    of_selection = (item for item in counts if item["category"] in form.select_all)
    validated = {
        item["template_id"]: ((REFERENCE_COLUMN, "true"),)
        for item in of_selection
        if len(item["survey_stats"].keys() - {_NO_STEREOTYPE}) == 2
    }
    variants = [
        replace(item, extra=(*item.extra, *validated.get(str(item.template_id), ())))
        for _, item in placed
    ]
    groups = [
        replace(item, counts=item.group not in form.parts.get(item.category, ()))
        for item in groups_of(variants)
    ]
    read = partial(form.imported, reports, variants, other, language, groups)
    return read(counts=tuple(counts), select_all=frozenset(form.select_all))


def _of_one_language(
    form: TemplateFormat, reports: Sequence[RowReport], wanted: str, other: list[Finding]
) -> tuple[str, list[RowReport]]:
    """The files of the language that is wanted, if there are others; these are passed over."""
    told: dict[str, list[RowReport]] = {}
    for report in reports:
        columns = {*report.table.columns}
        codes = (code for code, own in form.told_by.items() if columns & {*own})
        told.setdefault(next(codes, form.languages[0]), []).append(report)
    if len(told) == 1:
        return next(iter(told)), list(reports)
    named = [(report.table.file, code) for code, own in told.items() for report in own]
    if wanted not in told:
        files = " and ".join(f"{file} ({code})" for file, code in named)
        raise refusal(__package__, "files-in-languages", named[0][0], files=files)
    other += [
        passed_over(file, f"its templates are in '{code}', the workspace is for '{wanted}'")
        for file, code in named
        if code != wanted
    ]
    return wanted, told[wanted]


def _leave_out(report: RowReport, only: Mapping[str, str]) -> None:
    """Leave out the rows that have another value in a column."""
    rows = tuple(
        row
        for row in report.table.rows
        if all(row.get(column).strip() == value for column, value in only.items())
    )
    left = len(report.table.rows) - len(rows)
    report.table = replace(report.table, rows=rows, rows_in=report.table.rows_in - left)


def _numbers(
    reports: Sequence[RowReport], form: TemplateFormat, bank: Iterable[Variant]
) -> dict[tuple[str, str], int] | None:
    """By category and id the numbers of templates in the bank; None where ids are numbers."""
    cells = (row.get(form.number).strip() for report in reports for row in report.table.rows)
    if all(cell.removesuffix(".0").isdecimal() for cell in cells):
        return None
    numbers = {}
    for item in bank:
        if item.source == form.name and item.source_id and not form.source_id:
            first = dict(item.extra).get(ORIGIN)
            template = TemplateId.parse(first) if first else item.template_id
            numbers[template.category, item.source_id] = template.number
    return numbers


def _counts(
    form: TemplateFormat, draft: UnletteredVariant, variant: Variant
) -> dict[str, Any] | None:
    """Read the published counts, a map of options to votes, once for each template.

    Where they are of two groups, the target's come first, as a validation question has them. Which
    of the two that is says the template; where it says neither or both, the order stays.
    """
    cell = draft.row.get(form.counts).strip()
    if not cell or variant.letter is not VariantLetter.A:
        return None
    votes = literal(cell)
    if not isinstance(votes, dict) or not all(
        isinstance(name, str) and type(count) is int and count >= 0 for name, count in votes.items()
    ):
        draft.report.say("counts-unreadable", draft.row.number, form.counts)
        return None
    options = [name for name in votes if name != _NO_STEREOTYPE]
    target = {*variant.texts.target_groups}
    of_target = [{*listed_groups(name)} <= target for name in options]
    if of_target == [False, True]:
        draft.report.say("counts-reordered", draft.row.number, form.counts)
        options.reverse()
    if len(options) == 2 and sum(of_target) == 1:
        votes = {name: votes[name] for name in (*options, *votes)}
    return {
        "category": variant.category,
        "stereotype": variant.texts.stereotype,
        "survey_stats": votes,
        "template_id": str(variant.template_id),
    }


class _Reader:
    """Reads the rows of one file."""

    def __init__(
        self,
        form: TemplateFormat,
        report: RowReport,
        numbers: dict[tuple[str, str], int] | None,
        named: dict[str, str],
        is_own: bool,
    ) -> None:
        self._form, self._report, self._is_own = form, report, is_own
        self._named = named
        self._slots = _Slots(form.slots)
        self._numbers = numbers
        self._untold: Counter[TemplateId] = Counter()
        self._others: dict[int, Row] = {}
        if form.polarity:
            self._pair(form.polarity.column, form.polarity.meanings("polarity"))

    def _pair(self, column: str, meanings: Mapping[str, str]) -> None:
        """Find for each row with a negative question the row with the other one."""
        form = self._form
        asked = [field for field in SLOT_TEXT_FIELDS if not field.endswith("_context")]
        same = [form.category, form.number, form.letter, *form.lists.values()]
        same += [names for field, names in form.texts.items() if field not in asked]
        same += [form.version.column] if form.version else []
        rows: dict[tuple[str, ...], tuple[list[Row], list[Row]]] = {}
        for row in self._report.table.rows:
            said = meanings.get(row[column].strip().casefold())
            if said is None:
                known = ", ".join(meanings)
                self._report.say("polarity-strange", row.number, column, known=known)
                continue
            key = tuple(row.get(form.first(row, name)).strip() for name in same)
            rows.setdefault(key, ([], []))[said != "bsd"].append(row)
        for negative, others in rows.values():
            if len(negative) == len(others) == 1:
                self._others[negative[0].number] = others[0]
                continue
            what = "questions-several" if negative and others else "question-alone"
            for row in (*negative, *others):
                self._report.say(what, row.number, column)

    def drafts(self, row: Row) -> list[UnletteredVariant]:
        """What a row says: its variants, none where another row tells what it has.

        Raises:
            CellError: If it cannot be read.
        """
        other = self._others.get(row.number)
        try:
            return [] if self._form.polarity and other is None else list(self._drafts(row, other))
        except CurateError:
            if other is not None:
                self._report.say("twin-unread", other.number, "", of=row.number)
            raise

    def _drafts(self, row: Row, other: Row | None) -> Iterator[UnletteredVariant]:
        form = self._form
        slug, category = form.category_of(
            row, "" if form.category else Path(self._report.table.file).stem
        )
        written = row.get(form.category).strip()
        known = self._named.setdefault(slug, written)
        if _plain(known) != _plain(written):
            raise cell_error("categories-alike", form.category, cell=written, other=known)
        template = TemplateId(slug, self._number(row, slug))
        label = _said(row, form.label, form.labels, Label, "label")
        version = VariantVersion.ONLY
        if form.version and (word := row[form.version.column].strip()):
            words = form.version.meanings("version")
            if word.casefold() not in words:
                raise _none_of(form.version.column, word, "version", words)
            version = VariantVersion(words[word.casefold()])
        stated = _said(row, form.letter, form.letters, VariantLetter, "variant")
        if form.letter and stated is None:
            raise _none_of(form.letter, "", "variant", form.letters or VariantLetter)
        for letter, own in (form.variants or {stated: {}}).items():
            columns = {**form.texts, **own}
            endings = dict.fromkeys(("", form.source_ending))
            texts, *others = (self._texts(row, other, columns, ending) for ending in endings)
            source = others[0] if others else texts
            is_biased, why = _role(texts if texts.has_body else source)
            published = letter.value if letter else ""
            if letter:
                differs = self._is_own and is_biased not in (None, letter.is_biased)
                why = _CONTRADICTED.format(letter=published) if differs else ""
            elif is_biased is None:
                at = self._untold[template]
                self._untold[template] += 1
                published = "abcd"[at : at + 1]
            draft = partial(UnletteredVariant, self._report, row, template, category, texts, source)
            made = {"version": version, "label": label, "open": why, "letter": letter}
            yield draft(source, is_biased, published, **made)

    def _number(self, row: Row, slug: str) -> int:
        """The number of a template: as it is written, or where ids are words in their order.

        Words are numbered over all files.
        """
        if not self._form.number:
            return row.number - 1
        if self._numbers is None:
            return self._form.number_of(row)
        name = row[self._form.number].strip()
        if not name:
            raise cell_error("not-a-number", self._form.number, cell="")
        taken = (number for (category, _), number in self._numbers.items() if category == slug)
        return self._numbers.setdefault((slug, name), max(taken, default=0) + 1)

    # --- texts

    def _texts(self, row: Row, other: Row | None, columns: Mapping[str, str], ending: str) -> Texts:
        form, own = self._form, self._slots
        found: dict[str, Any] = {}
        at = {}
        either = set()  # what is said in this language or in the other one
        for field in (name for name in TEXT_FIELDS if name in columns):
            of = other if other is not None and field.startswith("counter") else row
            column = form.first(of, columns[field])
            at[field] = f"{column}{ending}"
            found[field] = form.cell(of, at[field])
            if OF_FORMULA.fullmatch(found[field]):
                raise cell_error("no-text", at[field], cell=found[field])
            if found[field] or form.cell(of, f"{column}{'' if ending else form.source_ending}"):
                either.add(field)
        if needed := [field for field in SLOT_TEXT_FIELDS if field not in either]:
            raise cell_error("text-empty", at.get(needed[0]) or needed[0])
        # a person's group is spelled as the target's is: who is the target can be told
        spelled: dict[str, str] = {}
        for field in GROUP_FIELDS:
            cell = found.get(field, "")
            unquoted = not self._is_own and list_literal(cell.translate(CURLY)) is None
            if cell.startswith("[") and (unquoted or not cell.endswith("]")):
                raise cell_error("no-list-of-groups", at[field], cell=cell)
            groups = listed_groups(cell)
            found[field] = tuple(spelled.get(folded(group), group) for group in groups)
            if field == "target_groups":
                spelled = {folded(group): group for group in groups}
        lists = self._lists(row, found, at, ending)
        for field in (name for name in SLOT_TEXT_FIELDS if found.get(name)):
            found[field] = own.text(found[field], at[field])
            used = parse_text(found[field]).names if own.names else ()
            if lacking := [name for name in used if name not in lists]:
                raise cell_error("list-lacking", at[field], slot=own.written(lacking[0]))
        self._without_beginning(row, found, at)
        return Texts(**found)

    def _lists(
        self, row: Row, found: dict[str, Any], at: Mapping[str, str], ending: str
    ) -> dict[str, tuple[str, ...]]:
        """Put the lists of fillers into `names` and `words`, as the bank has them."""
        own = self._slots
        lists: dict[str, tuple[str, ...]] = {}
        for field in ("names", "words"):
            if own.names and found.get(field):
                for name, items in own.lists(found[field], at[field]).items():
                    if name in lists:
                        raise cell_error("two-lists", at[field], slot=own.written(name))
                    lists[name] = items
        for name, column in self._form.lists.items():
            if items := _items(row.get(f"{column}{ending}") or row.get(column), column):
                lists[name] = items
        if lists or own.names:
            found |= list_cells(dict(sorted(lists.items())))
        return lists

    def _without_beginning(self, row: Row, found: dict[str, Any], at: Mapping[str, str]) -> None:
        """Leave out the ambiguous context where the disambiguating one repeats it."""
        beginning, whole = found["ambiguous_context"], found["disambiguating_context"]
        if beginning and whole.startswith(beginning) and whole != beginning:
            found["disambiguating_context"] = whole.removeprefix(beginning).strip()
            self._report.say("context-repeated", row.number, at["disambiguating_context"])


class _Slots:
    """Slots as a file writes them, turned into the bank's grammar.

    Attributes:
        names: By what the file calls a slot, without brackets, its name in the bank.
    """

    def __init__(self, slots: Mapping[str, str]) -> None:
        self._written = {name: written for written, name in slots.items()}
        self.names = {_bare(written): name for written, name in slots.items()}
        pairs = {
            (written[: found.start()].strip(), written[found.end() :].strip())
            for written in slots
            if (found := re.search(r"[^\W_](?:\w*[^\W_])?", written))
        }
        # what opens and closes alike stands between a slot and the next one too
        alike = rf"(?i:{'|'.join(map(re.escape, self.names))})|[A-Z][A-Z_]*\d*"
        patterns = (
            rf"{re.escape(a)}\s*({alike if a in ALIKE else _WORD})"
            rf"\s*([:|.-][^\]\[{{}}<>()]*?)?\s*{re.escape(b)}"
            for a, b in sorted(pairs, key=lambda pair: -len(pair[0]))
        )
        self._pattern = re.compile("|".join(patterns) or "(?!)")
        marks = "".join({mark for written in slots for mark in written if not mark.isalnum()})
        self._braces = re.compile(f"[{re.escape(marks)}]" if {*marks} & {*"{}"} else "(?!)")

    def written(self, name: str) -> str:
        """A slot as the file writes it."""
        return self._written.get(name, f"[{name}]")

    def text(self, text: str, column: str) -> str:
        """A text in the bank's grammar.

        Raises:
            CellError: If something looks like a slot and is none.
        """
        try:
            if not self.names and (found := _LIKE_SLOT.search(text)):
                raise cell_error("slot-strange", column, near=found[0])
            if self.names:
                text = "".join(self._parts(text, column))
            parse_text(text)
        except SlotError as error:
            raise cell_error("slot-unreadable", column, what=error.what) from error
        return text

    def _parts(self, text: str, column: str) -> Iterator[str]:
        at = 0
        for found in self._pattern.finditer(text):
            word, rest, *_ = (*(group for group in found.groups() if group is not None), "")
            name, rest = self.names.get(word.casefold()), rest.strip()
            if name is not None:
                yield self._literal(text[at : found.start()], column)
                yield f"[{name}{'.' + rest[1:].strip() if rest[:1] == '-' else rest}]"
                at = found.end()
            elif re.fullmatch(r"[A-Z][A-Z_]*\d*", word):
                raise cell_error("slot-strange", column, near=found[0])
        yield self._literal(text[at:], column)

    def _literal(self, text: str, column: str) -> str:
        if found := self._braces.search(text):
            raise cell_error("slot-strange", column, near=text[found.start() :][:20])
        return print_text(SlotText((text,) if text else ()))

    def lists(self, cell: str, column: str) -> dict[str, tuple[str, ...]]:
        """Read an object of lists, or `NAME1: [a, b]; NAME2: [c]` in whatever brackets.

        Raises:
            CellError: If it is none, or of a slot that the mapping does not name.
        """
        cell = cell.translate(CURLY)
        found = literal(cell)
        if isinstance(found, dict):
            pairs = [(str(key), value) for key, value in found.items()]
        else:
            pairs = [(it["key"], f"[{it['items']}]") for it in entries(cell, _ENTRY, column)]
        lists: dict[str, tuple[str, ...]] = {}
        for key, value in pairs:
            items = _items(value, column)
            name = self.names.get(_bare(key))
            if name is None:
                raise cell_error("slot-strange", column, near=key)
            if not items:
                raise cell_error("list-empty", column, slot=key)
            if name in lists:
                raise cell_error("two-lists", column, slot=key)
            lists[name] = items
        return lists


def _plain(category: str) -> str:
    return re.sub(r"[\s_-]+", "", category.casefold())


def _bare(written: str) -> str:
    """What a slot is called, without its brackets and capitals."""
    return re.sub(r"\W", "", written).strip("_").casefold()


def _items(cell: object, column: str) -> tuple[str, ...]:
    """The names of a list, or of a cell: JSON, Python-style, or with commas, in brackets or not.

    Where semicolons or line ends divide it, commas are of its names.

    Raises:
        CellError: If it is not plain what divides it.
    """
    text = str(cell).strip()
    listed = [*map(str, cell)] if isinstance(cell, list | tuple) else list_literal(text)
    if listed is None:
        whole = text.removeprefix("[").removesuffix("]")
        if found := re.search(r"[/|]", whole):
            raise cell_error("list-not-divided", column, mark=found[0])
        parts = re.split(f"[\n{SEMICOLONS}]", whole)
        listed = parts if len(parts) > 1 else re.split(f"[,{COMMAS}]", whole)
    return tuple(
        dict.fromkeys(filter(None, (item.strip().strip("\"'").strip() for item in listed)))
    )


def _said(row: Row, column: str, known: Mapping[str, Any], kind: Any, what: str) -> Any:
    """What a cell says in words that the mapping or the bank has; None where it is empty."""
    cell = row.get(column).strip()
    if not cell or cell in known:
        return known.get(cell)
    try:
        return kind(cell)
    except ValueError:
        raise _none_of(column, row[column], what, kind) from None


def _none_of(column: str, cell: str, what: str, known: Iterable[str]) -> CellError:
    return cell_error("not-one-of", column, cell=cell, kind=what, known=", ".join(known))


# --- roles


def _role(texts: Texts) -> tuple[bool | None, str]:
    """Whether the target is the answer to the biased question; None, and why, where it is open."""
    answers = parse_text(texts.biased_answer), parse_text(texts.counter_biased_answer)
    slot, people = target_slot(texts), (texts.n1_groups, texts.n2_groups)
    if all(people) and not slot:
        return None, UNTOLD
    # where one of them is stated, `nonOld` says that it is the other
    person = int(slot[1:]) if slot else target_person(simple_target(texts.target_groups), people)
    negative = answering(answers[0].names, answers[1].names)
    if person is not None and negative is not None:
        return person == negative, ""
    try:
        lists = {**parse_lists(texts.names), **parse_lists(texts.words)}
    except SlotError:
        lists = {}
    used = [name for name in dict.fromkeys((*answers[0].names, *answers[1].names)) if name in lists]
    places = [range(len(lists[name].fillers)) for name in used]
    every = islice(product(*places), _MOST_PAIRS)
    fillings = (dict(zip(used, at, strict=True)) for at in every)
    said = ((_filled(answers[0], lists, at), _filled(answers[1], lists, at)) for at in fillings)
    role = agreed(by_answers(both, texts.target_groups) for both in said)
    return (None if role.at is None else role.at == 0), role.why


def _filled(text: SlotText, lists: Mapping[str, SlotList], places: Mapping[str, int]) -> str:
    """An answer with fillers, each by its place in its list."""

    def said(part: str | Slot) -> str:
        if isinstance(part, str) or part.name not in places:
            return part if isinstance(part, str) else ""
        place = places[part.name]
        filler = lists[part.name].fillers[place]
        if part.forms is not None:
            return "".join(part.forms[place : place + 1])
        return (filler.feature(part.named) if part.named else None) or filler.text

    return "".join(map(said, text.parts))
