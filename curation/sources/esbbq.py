"""EsBBQ's and CaBBQ's template workbooks (Ruiz-Fern\u00e1ndez et al. 2025): Spanish and Catalan.

One workbook a category holds both languages, in columns that end in `_es` and `_ca`; two more hold
the vocabulary and the proper names. The workspace's language chooses the columns.

Role and order of mention vary apart, so the bank has four variants of each row. `a` and `b` are as
in KoBBQ: the same texts with the lists of the two people exchanged, so that role and order change
together. `c` and `d` are the same with the slots of the ambiguous context exchanged: the role of
`a`, in the order of `b`, is `c`. The publishers call the row as it is written `original`, and the
others `all`, `ambig` and `disambig` by the contexts in which the people are exchanged; the column
`esbbq_flipped` keeps that.

Two orders of mention give two ambiguous contexts for four variants, and words that stand in one
context only repeat the other. So each template is marked to give no sample twice
(`samples_once`, in the publishers' order): twelve samples of each pair of names, as published.

A row's version becomes that of its variants: `a` masculine, `b` feminine, `p` proper names, `p-a`
and `p-b` proper names of one gender. `{{NAME1-def}}` becomes the named form `[N1.def]`.

The repository is under Apache-2.0; the instances are published under CC BY 4.0.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from curation.files.tables import Row, Table
from curation.languages import load
from curation.records.bank import (
    ANSWER_FIELDS,
    ONCE_COLUMN,
    TemplateId,
    Texts,
    Variant,
    VariantLetter,
    VariantVersion,
)
from curation.slots.agreement import joining_of
from curation.slots.fill import compile_text
from curation.slots.grammar import (
    BASE,
    Filler,
    Slot,
    SlotList,
    SlotText,
    parse_lists,
    print_fillers,
    print_text,
)
from curation.sources import imported
from curation.sources.esbbq_people import Cast, Fillers, as_written, cast_of, read_lists, slot_of
from curation.sources.vocabulary import WITH_ARTICLE, Vocabulary

FORMAT = imported.template_format("esbbq")
FLIPPED = "esbbq_flipped"
"""The bank's column of what the publishers call the instances of a variant."""

_VERSIONS = {
    "": VariantVersion.ONLY,
    "a": VariantVersion.MASCULINE,
    "b": VariantVersion.FEMININE,
    "p": VariantVersion.PROPER_NAMES,
    "p-a": VariantVersion.MASCULINE_NAMES,
    "p-b": VariantVersion.FEMININE_NAMES,
}
_IN_TEXT = re.compile(
    r"\{\{\s*(?P<kind>NAME|WORD)(?P<number>[1-9])\s*(?:-(?P<form>[\w-]+))?\s*\}\}"
)
_LEFT_OVER = re.compile(r"[{}]")
_OTHER_PERSON = {"N1": "N2", "N2": "N1"}
_BETWEEN_SENTENCES = re.compile(r"([.?!\u2026][\"'\u201d\u2019\u00bb)\]]*)\s+")


def read(paths: Sequence[Path], language: str) -> imported.Imported:
    """Read templates; vocabularies are taken from `paths`, or from beside each file.

    A workbook of something else is passed over, with a finding.

    Args:
        paths: The workbooks.
        language: One of those that they hold.

    Raises:
        CurateError: If a file as a whole cannot be read, or none holds templates.
    """
    tables = [imported.table_of(path, path.name) for path in paths]
    plain = [_in_language(table, language) for table in tables]
    files = {id(own): table for own, table in zip(plain, tables, strict=True)}
    vocabulary = Vocabulary(FORMAT, plain)
    reports, more = FORMAT.sorted(vocabulary.templates)
    for report in reports:
        file = files[id(report.table)]
        report.shown = {_plain(name, (language,)): name for name in file.columns}
        known = (name for name in file.columns if _plain(name, FORMAT.languages) in FORMAT.columns)
        imported.RowReport(file, report.findings).unknown_columns(known)
    rows = imported.read_rows(
        reports, lambda row, report: _drafts(row, report, language, vocabulary)
    )
    members: dict[tuple[str, str], list[Filler]] = {}
    flipped: dict[int, str] = {}
    drafts = []
    for (cast, own), _, _ in rows:
        for draft, name in own:
            drafts.append(draft)
            flipped[id(draft)] = name
        for group, filler in cast.members:
            members.setdefault((own[0][0].category, group), []).append(filler)
    placed, _ = imported.settled(FORMAT, drafts)
    order = {id(draft.row): at for at, (draft, _) in enumerate(placed)}
    made: Counter[TemplateId] = Counter()
    numbered = []
    for draft, variant in placed:
        made[variant.template_id] += 1
        once = (ONCE_COLUMN, str(made[variant.template_id])), (FLIPPED, flipped[id(draft)])
        reference = "; ".join(imported.read_groups(draft.row.get("esbbq_source")))
        changed = replace(variant, extra=(*once, *variant.extra), reference=reference)
        numbered.append((order[id(draft.row)], changed))
    numbered.sort(key=lambda item: (item[0], item[1].letter))
    variants = [variant for _, variant in numbered]
    groups = imported.groups_of(
        variants, _tells, members, lambda fillers: print_fillers(_distinct(fillers))
    )
    return FORMAT.imported(reports, variants, more, language, groups)


def _plain(column: str, languages: Iterable[str]) -> str:
    """The name of a column without its language."""
    name, _, ending = column.rpartition("_")
    return name if name and ending in languages else column


def _in_language(table: Table, language: str) -> Table:
    """A table with the columns of a language alone, under their names without it."""
    names = {column: _plain(column, (language,)) for column in table.columns}
    rows = []
    for row in table.rows:
        cells = dict(row.cells)
        own = ((column, name) for column, name in names.items() if name != column)
        cells |= {name: row[column] for column, name in own if row[column]}
        rows.append(Row(row.number, {name: cells.get(name, "") for name in names.values()}))
    return replace(table, columns=tuple(dict.fromkeys(names.values())), rows=tuple(rows))


def _tells(variant: Variant) -> bool:
    """Whether names stand for groups: one that both people draw is of neither's."""
    lists = parse_lists(variant.texts.names)
    return lists["N1"].fillers != lists["N2"].fillers


def _distinct(fillers: Iterable[Filler]) -> Iterable[Filler]:
    """The fillers of a group, each name once, with the kinds of forms that all of them have."""
    found: dict[str, dict[str, str]] = {}
    for filler in fillers:
        forms = found.setdefault(filler.text, {})
        for key, form in filler.features:
            forms.setdefault(key, form)
    kinds = set.intersection(*(set(forms) for forms in found.values())) if found else set()
    return [
        Filler(text, features=tuple(item for item in forms.items() if item[0] in kinds))
        for text, forms in found.items()
    ]


# --- a row


def _drafts(
    row: Row, report: imported.RowReport, language: str, vocabulary: Vocabulary
) -> tuple[Cast, list[tuple[imported.UnletteredVariant, str]]]:
    """The people of a row, and its variants with what the publishers call its instances."""
    slug, category = FORMAT.category_of(row)
    template = TemplateId(slug, FORMAT.number_of(row))
    words = load(language).samples
    cast = cast_of(row, vocabulary, words.instead if words else {})
    label, known = row.get(FORMAT.label).strip(), FORMAT.labels
    if label and label.casefold() not in known:
        report.say("no-label", row.number, FORMAT.label, label=label, known=", ".join(known))
    version = _VERSIONS.get(row.get("version").strip().casefold())
    if version is None:
        told = {"cell": row["version"], "kind": "version", "known": ", ".join(_VERSIONS)}
        raise imported.cell_error("not-one-of", "version", **told)
    drafts = []
    for letter, flipped, texts in _variants(_Body(row, language, cast)):
        draft = imported.UnletteredVariant(
            report,
            row,
            template,
            category,
            texts,
            texts,
            texts,
            letter.is_biased,
            "",
            version=version,
            label=known.get(label.casefold()),
            letter=letter,
        )
        drafts.append((draft, flipped))
    return cast, drafts


class _Body:
    """What a row says: its texts, its people and its words."""

    def __init__(self, row: Row, language: str, cast: Cast) -> None:
        self.language, self.cast = language, cast
        self.parts = {
            field: _read_text(imported.text_of(row, column), column, language)
            for field, column in FORMAT.texts.items()
        }
        self.words = read_lists(row.get("lexical_diversity"), "lexical_diversity")
        people = next((name for name in self.words if name[0] == "N"), None)
        if people is not None:
            raise imported.cell_error("no-word", "lexical_diversity", people=as_written(people))
        self.stereotype = row.get("relevant_social_values").strip()
        self.targets = imported.read_groups(row["stereotyped_groups"])

    @property
    def negative(self) -> int:
        """Who is the answer to the negative question, 1 or 2.

        Raises:
            CellError: If the two answers do not name one person each.
        """
        answers = (SlotText(tuple(self.parts[field])) for field in ANSWER_FIELDS)
        one, two = ({name for name in answer.names if name[0] == "N"} for answer in answers)
        if len(one) == len(two) == 1 and one != two:
            return int(one.pop()[1])
        raise imported.cell_error("answers-not-apart", "answer_negative")


def _read_text(text: str, column: str, language: str) -> list[str | Slot]:
    """Read a text with slots; it begins with a capital, and one blank is between sentences.

    So the publishers fill it.
    """
    parts: list[str | Slot] = []
    for piece in imported.pieces(
        _BETWEEN_SENTENCES.sub(r"\1 ", text), _IN_TEXT, column, _LEFT_OVER
    ):
        if isinstance(piece, str):
            parts.append(piece)
            continue
        name, form = slot_of(piece)
        if name[0] == "N" and name not in _OTHER_PERSON:
            raise imported.cell_error("two-people-only", column, slot=piece[0])
        parts.append(Slot(name, named=form or None))
    if isinstance(parts[0], str):
        parts[0] = joining_of(language).capital(parts[0])
    return parts


def _variants(body: _Body) -> Iterable[tuple[VariantLetter, str, Texts]]:
    """The variants of a row, each role in each order of mention, in the publishers' order.

    With the lists exchanged, as between KoBBQ's `a` and `b`, the same texts mention the people in
    the other order and in the other role. Where the ambiguous context has their slots exchanged
    too, the role alone is another one. People who draw from one list have no lists to exchange,
    and no second order either: every two of them come in both.
    """
    letter = VariantLetter.B if body.cast.target == body.negative else VariantLetter.A
    if body.cast.exchangeable:
        after = ("disambiguating_context", "biased_answer", "counter_biased_answer")
        yield letter, "original", _texts(body, letter, ())
        yield letter.twin, "disambig", _texts(body, letter.twin, after)
        return
    other = VariantLetter.D if letter.is_biased else VariantLetter.C
    ambiguous = ("ambiguous_context",)
    exchanged = letter.twin, "all", _texts(body, letter.twin, (), lists_exchanged=True)
    yield letter, "original", _texts(body, letter, ())
    if body.cast.both_ways:  # then the publishers have it as another original
        yield exchanged
    yield other, "ambig", _texts(body, other, ambiguous)
    yield other.twin, "disambig", _texts(body, other.twin, ambiguous, lists_exchanged=True)
    if not body.cast.both_ways:
        yield exchanged


def _texts(
    body: _Body, letter: VariantLetter, exchanged: Sequence[str], lists_exchanged: bool = False
) -> Texts:
    """The wording of one variant.

    Args:
        body: The row.
        letter: Its letter.
        exchanged: The fields whose two people are exchanged.
        lists_exchanged: Whether their lists are.
    """
    cast, step = body.cast, -1 if lists_exchanged else 1
    people = [*zip(_OTHER_PERSON, cast.people[::step], strict=True)]
    if cast.exchangeable and letter.is_biased:
        people.reverse()  # the product takes the second person first in b, which is the same here
    n1_groups, n2_groups = cast.groups[::step]
    return Texts(
        stereotype=body.stereotype,
        target_groups=body.targets,
        n1_groups=n1_groups,
        n2_groups=n2_groups,
        **imported.list_cells({**dict(people), **body.words}, cast.conditions),
        **{field: _wording(body, field, field in exchanged) for field in body.parts},
    )


def _wording(body: _Body, field: str, exchanged: bool) -> str:
    """Write a text in the bank's grammar.

    A plain slot becomes `[N1.base]` where its filler begins a sentence or melts into the word
    before it, as a named form does.
    """
    parts: list[str | Slot] = []
    column = FORMAT.texts[field]
    for part in body.parts[field]:
        if isinstance(part, str):
            parts.append(part)
            continue
        # All that can stand there; people change places, so those of both.
        both = (*body.cast.people[0], *body.cast.people[1])
        is_person, form = part.name[0] == "N", part.named
        fillers = both if is_person else body.words.get(part.name)
        if fillers is None:
            raise imported.cell_error("word-unlisted", column, word=as_written(part.name))
        if is_person and body.cast.article and not form:
            form = WITH_ARTICLE if all(item.feature(WITH_ARTICLE) for item in fillers) else None
        lacking = next((item for item in fillers if form and item.feature(form) is None), None)
        name = _OTHER_PERSON.get(part.name, part.name) if exchanged else part.name
        if lacking is not None:
            asked = {"slot": as_written(name), "form": form}
            raise imported.cell_error("form-missing", column, text=lacking.text, **asked)
        if not form and _is_changed(parts, name, fillers, body.language):
            form = BASE
        parts.append(Slot(name, named=form))
    return print_text(SlotText(tuple(parts)))


def _is_changed(parts: Sequence[str | Slot], name: str, fillers: Fillers, language: str) -> bool:
    """Whether a filler is written in another way after what precedes it."""
    before = "".join(part if isinstance(part, str) else "x" for part in parts)
    lists = {name: SlotList(name, fillers)}
    head = (before,) if before else ()
    plain, named = (
        compile_text(SlotText((*head, Slot(name, named=form))), lists, (name,), language)
        for form in (None, BASE)
    )
    return plain != named
