"""Slots in texts, the forms that they list, and whether each has a list of fillers."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from itertools import pairwise

from curation.checks.subject import ParsedVariant, Remark, Subject, in_settings, rule
from curation.languages import LanguageOrCode, available
from curation.records.bank import ANSWER_FIELDS, Label
from curation.records.messages import and_more, shortened
from curation.records.survey import COMMAS
from curation.slots import grammar
from curation.slots.agreement import FeatureAgreement, agreement_for, joining_of
from curation.slots.fill import FillError, form_of
from curation.slots.protection import Article, article_before

_OPEN, _EQUALS = "(\uff08\uff5b", ":=\uff1a\uff1d"  # full-width parenthesis, brace and signs too
IN_PARENTHESES = re.compile(rf"[{_OPEN}]\s*[a-z\uff41-\uff5a][a-z0-9_\uff41-\uff5a]*\s*[{_EQUALS}]")

_NAMED = 3  # names of the source that a remark shows
_COMMAS = re.compile(f"[{COMMAS}]")
"""Commas of Arabic, N'Ko, Burmese, Ethiopic, Mongolian, Chinese and Japanese; a full-width one."""


@rule
def filler_empty(subject: Subject) -> Iterator[Remark]:
    """Mostly a comma too many; the first of a list is named."""
    for one in subject.filler_lists:
        if at := next((at for at, item in enumerate(one.fillers, start=1) if not item.text), 0):
            yield one.remark(f"filler {at} of {one.whose} is empty")


@rule
def filler_parentheses(subject: Subject) -> Iterator[Remark]:
    """They are read as part of the name, which every sample would say."""
    yield from _with(subject, IN_PARENTHESES, "attributes in parentheses")


@rule
def filler_comma(subject: Subject) -> Iterator[Remark]:
    """It separates nothing: what looks like a list is one long name."""
    yield from _with(subject, _COMMAS, "the comma of another script in a filler")


def _with(subject: Subject, pattern: re.Pattern[str], what: str) -> Iterator[Remark]:
    """Name the lists of slots and groups that have fillers with something in their text."""
    for one in subject.filler_lists:
        if found := [f"'{item.text}'" for item in one.fillers if pattern.search(item.text)]:
            yield one.remark(f"{one.whose} has {what}: {shortened(found)}")


@rule
def filler_duplicate(subject: Subject) -> Iterator[Remark]:
    """The second one makes the same samples once more.

    Fillers of one name that differ in an attribute are two.
    """
    for one in subject.filler_lists:
        told = ((item.text, frozenset(item.features)) for item in one.fillers if item.text)
        counts = Counter(told)
        for text in dict.fromkeys(text for (text, _), count in counts.items() if count > 1):
            yield one.remark(f"'{text}' occurs twice in the list of {one.whose}")


@rule
def group_fillers_syntax(subject: Subject) -> Iterator[Remark]:
    """The message says line and column within the cell."""
    for group in subject.groups:
        try:
            grammar.parse_fillers(group.fillers)
        except grammar.SlotError as error:
            yield subject.in_groups(group, "fillers", error.what)


@rule
def group_fillers_missing(subject: Subject) -> Iterator[Remark]:
    """A list that the survey fills takes them from its groups.

    Groups that others are a part of need none.
    """
    parents = {(group.category, group.parent) for group in subject.groups}
    for group, fillers in subject.group_fillers:
        if not fillers and (group.category, group.group) not in parents:
            yield subject.in_groups(group, "fillers", f"'{group.group}' has no fillers")


@rule
def group_fillers_source(subject: Subject) -> Iterator[Remark]:
    """A list that the survey fills takes them from its groups, and not from the translated lists.

    Asked of categories with a translated template labelled TM. A name that a translator kept
    stands in a list of that language too, and is none of the source alone.
    """
    if subject.culture.language == subject.culture.source_language:
        return
    own: dict[str, set[str]] = {}
    theirs: dict[str, set[str]] = {}
    modified: set[str] = set()
    for variant in subject.bank.variants:
        own.setdefault(variant.category, set()).update(_names(variant.texts.names))
        theirs.setdefault(variant.category, set()).update(_names(variant.source_texts.names))
        if variant.label is Label.TARGET_MODIFIED and variant.texts.ambiguous_context:
            modified.add(variant.category)
    for group, fillers in subject.group_fillers:
        if group.category not in modified:
            continue
        names = {filler.text for filler in fillers}
        left = names & theirs[group.category] - own[group.category]
        if left and left == names:
            told = {"group": group.group, "names": shortened(sorted(left), _NAMED)}
            yield subject.in_groups(group, "fillers", **told)


def _names(lists: str) -> Iterator[str]:
    """The names in lists of slots; none where they cannot be read, which is another finding."""
    try:
        found = grammar.parse_lists(lists)
    except grammar.SlotError:
        return
    for item in found.values():
        yield from (filler.text for filler in item.fillers)


@rule
def filler_ambiguous(subject: Subject) -> Iterator[Remark]:
    """The name must show the group of a person.

    Said once for each two groups that share fillers, at the later one.
    """
    first: dict[tuple[str, str], str] = {}
    for group, fillers in subject.group_fillers:
        shared: dict[str, dict[str, None]] = {}
        for text in (item.text for item in fillers if item.text):
            known = first.setdefault((group.category, text), group.group)
            if known != group.group:
                shared.setdefault(known, {})[text] = None
        for other, texts in shared.items():
            names = shortened([f"'{text}'" for text in texts])
            told = {"group": group.group, "count": len(texts), "other": other, "names": names}
            yield subject.in_groups(group, "fillers", **told)


@rule
def slot_syntax(subject: Subject) -> Iterator[Remark]:
    """The message says line and column within the cell."""
    for item in subject.started:
        for name, error in item.unparsed:
            yield subject.in_wording(item, name, error.what, error.hint)


@rule
def slot_declared_twice(subject: Subject) -> Iterator[Remark]:
    """Two lists inside one cell are a matter of syntax; this is about the two cells."""
    for item in subject.started:
        counts = Counter(declared.name for _, declared in item.listed)
        for slot in (name for name, count in counts.items() if count > 1):
            yield subject.in_wording(item, "words", slot=slot)


@rule
def slot_undeclared(subject: Subject) -> Iterator[Remark]:
    """A slot without list cannot be filled."""
    for item, name, text in subject.slot_texts():
        for slot in text.names:
            if item.lists is not None and slot not in item.lists:
                hint = f"write its list into {'names' if slot in ('N1', 'N2') else 'words'}: "
                hint += f"{slot}: [a, b]"
                if listed := [known for known in item.lists if known[0] == slot[0]]:
                    hint += f"; or write a slot that has one: {shortened(listed)}"
                what = f"slot {slot} has no list of fillers"
                yield subject.in_wording(item, name, what, hint)


@rule
def slot_unused(subject: Subject) -> Iterator[Remark]:
    """Each filler of such a list makes the same samples once more."""
    for item in subject.wordings:
        for name, declared in item.listed if not item.unparsed else ():
            if declared.name not in item.used:
                yield subject.in_wording(item, name, slot=declared.name)


@rule
def list_empty(subject: Subject) -> Iterator[Remark]:
    """`N1: []` makes no samples at all, and stops an export."""
    for item, name, declared in subject.slot_lists():
        if not declared.fillers and not declared.open:
            yield subject.in_wording(item, name, slot=declared.name)


def _listing(
    subject: Subject, *, is_open: bool
) -> Iterator[tuple[ParsedVariant, str, grammar.Slot, int]]:
    """Yield each slot that lists forms, and how many, where its list is open, or is not."""
    for item, name, slot in subject.slots():
        declared = (item.lists or {}).get(slot.name)
        if slot.forms is not None and declared is not None and declared.open is is_open:
            yield item, name, slot, len(slot.forms)


@rule
def form_count(subject: Subject) -> Iterator[Remark]:
    """Forms go with fillers by position, so a missing one shifts all that follow."""
    for item, name, slot, forms in _listing(subject, is_open=False):
        texts = [filler.text for filler in item.fillers_of(slot)]
        if forms != len(texts):
            told = {"slot": slot.name, "forms": forms, "fillers": len(texts)}
            names = shortened(texts)
            yield subject.in_wording(item, name, **told, names=names and f": {names}")


@rule
def form_open(subject: Subject) -> Iterator[Remark]:
    """Forms go with fillers by position, and which fillers there will be is not known yet."""
    for item, name, slot, forms in _listing(subject, is_open=True):
        yield subject.in_wording(item, name, slot=slot.name, count=forms)


@rule
def form_empty(subject: Subject) -> Iterator[Remark]:
    """Mostly a comma too many; written on purpose it leaves two spaces in the text."""
    for item, name, slot in subject.slots():
        if slot.forms is not None and "" in slot.forms:
            message = f"form {slot.forms.index('') + 1} of slot {slot.name} is empty"
            yield subject.in_wording(item, name, message)
        for filler in item.fillers_of(slot) if slot.named is not None else ():
            if filler.text and filler.feature(str(slot.named)) == "":
                message = f"form '{slot.named}' of '{filler.text}' is empty"
                yield subject.in_wording(item, name, message)


@rule
def agreement_unknown(subject: Subject) -> Iterator[Remark]:
    """A slot that asks for agreement needs fillers whose spelling or reading shows it.

    Where a language has no agreement at all, that is said once, of the language.
    """
    asked: dict[LanguageOrCode, list[tuple[ParsedVariant, grammar.Slot]]] = {}
    for item, _, slot in subject.slots():
        if slot.agreement is not None and agreement_for(item.language) is None:
            asked.setdefault(item.language, []).append((item, slot))
    for language, found in asked.items():
        first = found[0][0]
        fits = _fitting({slot.agreement or "" for _, slot in found})
        hint = f"did you mean {' or '.join(fits)}?" if fits else _WITHOUT_AGREEMENT
        told = {"language": language, "count": len(found), "first": first.variant.row}
        yield in_settings("source_language" if first.suffix else "language", "", hint, **told)
    yield from _without_forms(
        subject, lambda item, slot: slot.agreement is not None and item.language not in asked
    )


_WITHOUT_AGREEMENT = (
    "list the forms, [N1: form1, form2], or write a form with each filler, name {def: ...}, and "
    "[N1.def] in the text"
)


def _fitting(alternatives: Collection[str]) -> list[str]:
    """The languages whose usual alternatives these are."""
    found = ((code, agreement_for(code)) for code in available())
    return [
        code for code, agreement in found if agreement and {*agreement.common} >= {*alternatives}
    ]


@rule
def form_missing(subject: Subject) -> Iterator[Remark]:
    """A named form goes with its filler, and nothing else is taken for it."""
    return _without_forms(subject, lambda _, slot: slot.named is not None)


def _without_forms(
    subject: Subject, asks: Callable[[ParsedVariant, grammar.Slot], bool]
) -> Iterator[Remark]:
    """Yield each slot of a kind with the first filler that has no form for it."""
    for item, name, slot in subject.slots():
        errors = list(_without_form(item, slot)) if asks(item, slot) else ()
        if errors:
            yield subject.in_wording(
                item, name, errors[0].what + and_more(len(errors), "more filler"), errors[0].hint
            )


@rule
def article_fixed(subject: Subject) -> Iterator[Remark]:
    """A machine writes one article for all; fillers whose features nobody has stated are passed."""
    for item, name, slot, before, _ in subject.bare_slots():
        article = article_before(before, item.language)
        if article is None or next(_unchanged(item, before, slot), None):
            continue  # another article would not do
        if wrong := _unlike(item, slot, article):
            told = {"written": article["written"], "slot": slot.name, "names": shortened(wrong)}
            hint = f"let the article agree with the name: [{slot.name}|{article['alternatives']}]"
            yield subject.in_wording(item, name, "", hint, **told)


@rule
def sentence_lower_case(subject: Subject) -> Iterator[Remark]:
    """A bare slot writes its fillers as they are, and some languages have no article before it.

    Answers are not sentences. Texts of the source are as published.
    """
    said: tuple[ParsedVariant, str] | None = None
    for item, name, slot, before, is_first in subject.bare_slots():
        joining = joining_of(item.language)
        if name in ANSWER_FIELDS or item.suffix or said == (item, name):
            continue
        if not joining.opens_sentence(before, first=is_first):
            continue
        fillers = [filler.text for filler in item.fillers_of(slot)]
        lower = [text for text in fillers if joining.capital(text) != text]
        if lower:
            said = item, name
            yield subject.in_wording(
                item,
                name,
                f"a sentence begins with [{slot.name}], and {shortened(lower)} "
                f"{'is' if len(lower) == 1 else 'are'} in lower case there",
                f"give the fillers a named form, {lower[0]} {{nom: {lower[0]}}}, and write "
                f"[{slot.name}.nom] there: it gets a capital letter",
            )


@rule
def name_unchanged(subject: Subject) -> Iterator[Remark]:
    """Agreement changes what stands before a name, and never the name: `des Vater`.

    Found by the words after which a language changes its names, and by a form of the filler itself
    that begins with the same word.
    """
    for item, name, text in subject.slot_texts():
        said: set[grammar.Slot] = set()
        for before, slot in pairwise(("", *text.parts)):
            if not isinstance(slot, grammar.Slot) or slot in said:
                continue
            found = list(_unchanged(item, before, slot))
            if found:
                said.add(slot)
                what, hint = found[0]
                yield subject.in_wording(
                    item, name, what + and_more(len(found), "more filler"), hint
                )


def _unchanged(
    item: ParsedVariant, before: str | grammar.Slot, slot: grammar.Slot
) -> Iterator[tuple[str, str]]:
    """What a slot writes with each filler that changes there, and what to do about it."""
    agreement = agreement_for(item.language)
    if not isinstance(agreement, FeatureAgreement) or not agreement.inflects:
        return
    is_agreed = slot.agreement is not None and not slot.is_word
    if not is_agreed and not (slot.is_bare and isinstance(before, str) and before[-1:] == " "):
        return
    for filler in item.fillers_of(slot):
        try:
            written = agreement.form(filler, slot.agreement) if slot.agreement else None
        except ValueError:
            return
        if slot.is_bare and isinstance(before, str):
            written = " ".join((*before.split()[-1:], filler.text))
        if written and (form := _form_instead(agreement, filler, written)):
            key, value = form
            shown = grammar.print_text(grammar.SlotText((slot,)))
            place = f"'{written.split()[0]} {shown}'" if slot.is_bare else shown
            yield (
                f"{place} writes '{written}', and the name changes there",
                f"write [{slot.name}.{key}] in its place, and the form with its article in the "
                f"list of fillers: {filler.text} {{{key}: {value}}}",
            )


def _form_instead(
    agreement: FeatureAgreement, filler: grammar.Filler, written: str
) -> tuple[str, str] | None:
    """The named form that belongs there instead, with the text that a filler has or should have."""
    words = written.lower().split()
    for key, value in filler.features:
        own = value.lower().split()
        if own[:1] == words[:1] and len(own) == len(words) and own != words:
            return key, value
    name = agreement.changed(filler, words[0]) if words[1:] else None
    if name is None or filler.feature(name) == written:
        return None
    article, form = written.split()[0], filler.feature(name) or ""
    return name, form if " " in form else f"{article} {form or '...'}"


def _unlike(item: ParsedVariant, slot: grammar.Slot, article: Article) -> list[str]:
    """The fillers of a slot that want another article, with it."""
    agreement = agreement_for(item.language)
    if agreement is None:
        return []
    forms = (agreement.form(filler, article["alternatives"]) for filler in item.fillers_of(slot))
    return [
        f"'{form}'"
        for form in dict.fromkeys(forms)
        if form and form.split()[0].casefold() != article["word"].casefold()
    ]


def _without_form(item: ParsedVariant, slot: grammar.Slot) -> Iterator[FillError]:
    for index, filler in enumerate(item.fillers_of(slot)):
        try:
            form_of(slot, filler, index, item.language)
        except FillError as error:
            yield error
