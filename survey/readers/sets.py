"""What the columns of a question are, for a draft of a mapping: one rule for the files of any tool.

One column holds an option, or several that characters join. Columns of which each is tied to an
option, by its text or code above them, say whether it was chosen; a column beside them may say the
same again, joined or as a number, and others may hold what people typed. Columns that nothing ties
to an option hold the first, the second, ... option that somebody named.
"""

import difflib
import re
from collections.abc import Iterable, Sequence
from collections.abc import Mapping as Map
from functools import partial
from itertools import chain

import numpy as np

from curation.languages import received_words
from curation.records.letters import in_word
from curation.records.messages import Finding
from curation.records.survey import Option, Question, QuestionKind
from survey.mapping import CODE, LABEL, UNPLACED, QuestionPart
from survey.platforms import Start
from survey.readers.frames import (
    Frame,
    filled,
    plain,
    tell,
    to_do,
    typed,
    unaccented,
)
from survey.readers.options import (
    IN_LIST,
    NOTHING,
    WORD,
    OptionTable,
    QuestionNames,
    Spelling,
    are_called,
    labels_in,
    labels_of,
    listed_texts,
    names_in,
    namings,
    option_text,
)
from survey.readers.placing import NUMBERED, About, Hints, Placed, begins, ends_in, is_missing, slug

_NEAR = 0.75
"""From this likeness to an option on, a typed text may be meant for it."""
_RARE = 2
"""A text in more rows is nobody's own: it may be an option that the questionnaire lacks."""
_NUMBER = re.compile(r"\d+(\.0+)?")
_PLACE = re.compile(r"([A-Za-z]{0,3})(\d+)(?:\.0+)?")
_SIGNS_OF_YES = ("1", "x", "true", "on", *"\u2713\u2714\u2611\u2612\u25cf\u25a0")
_SIGNS_OF_NO = ("0", "false", "off", *"\u2610\u25cb\u25a1")
YES = {*map(typed, (*_SIGNS_OF_YES, *received_words("limesurvey_yes"), *received_words("ticked")))}
NO = {*map(typed, (*_SIGNS_OF_NO, *received_words("limesurvey_no"), *received_words("unticked")))}
"""What says of an option that it was chosen, and that it was not, as a plain keyboard types it."""


class Sets:
    """Drafts the parts of questions.

    Attributes:
        described: The columns.
        start: What the platform tells of its own columns.
        names: The questionnaire.
        questions: Its questions.
        about: What is known of respondents.
        hints: What is known of codes.
        problems: What is left to a person.
        told: What a person should know.
        renumbered: Questions whose numbers a codebook explains otherwise than the questionnaire.
        own_ids: Whether who named columns by the questionnaire's ids wrote its codes too.
    """

    def __init__(
        self,
        described: Frame,
        start: Start,
        names: QuestionNames,
        about: About,
        hints: Hints | None = None,
        *,
        own_ids: bool = False,
    ) -> None:
        self.described, self.start, self.hints = described, start, hints or Hints()
        self.names, self.questions, self.about = names, names.questions, about
        self.own_ids = own_ids
        self.problems: list[str] = []
        self.told: list[Finding] = []
        self.renumbered: list[str] = []

    def part(
        self,
        question: Question,
        answers: Sequence[Placed],
        texts: Sequence[Placed] = (),
        orders: Sequence[Placed] = (),
    ) -> QuestionPart | None:
        """Draft where a question stands.

        Args:
            question: The question.
            answers: The columns of its answers.
            texts: Columns of its answers in somebody's own words.
            orders: Columns of where its options were shown.

        Returns:
            The part; None where a person has to write it.
        """
        if not answers:
            self.ask("draft-no-column", id=question.id)
            return None
        answers, beside = self._set_apart(question, answers)
        if self._is_split(question, answers):
            names = [item.title for item in answers]
            self.ask("draft-one-of-two", id=question.id, names=names)
            return None
        if len(answers) == 1:
            told = self._told_by_order(question, orders)
            return self._single(question, answers[0], (*texts, *beside), told)
        part = self._each(question, answers, texts)
        return part or self._mentions(question, answers)

    def _set_apart(
        self, question: Question, answers: Sequence[Placed]
    ) -> tuple[Sequence[Placed], Sequence[Placed]]:
        """Set apart what stands beside the one column that holds options by their texts.

        It is own words, as its name says, or something about answers, such as points or comments:
        it is nowhere without an answer, or is not called as the question, as the other is. Any
        other column may hold answers too, as one does that holds the same codes.
        """
        columns = self.described.columns
        holding = [item for item in answers if self._holds_options(question, item)]
        if len(holding) != 1 or any(item.option is not None for item in answers):
            return answers, ()
        held, beside = columns[holding[0].column], [i for i in answers if i is not holding[0]]
        names, codes = names_in([question]), {plain(option.code) for option in question.options}
        coded = not codes.isdisjoint(held.distinct)
        for item in beside:
            column = columns[item.column]
            named = any(ends_in(item.title, word) for word in received_words("other"))
            named = named or bool(holding[0].exact and not item.exact)
            like = coded and names.issuperset(filter(None, (*held.distinct, *column.distinct)))
            alone = any(column.text(at) > held.text(at) == "" for at in range(len(held)))
            if not named and (like or alone):
                return answers, ()
        return holding, beside

    def _is_split(self, question: Question, answers: Sequence[Placed]) -> bool:
        """Whether the answers to a question stand now in one column, now in another."""
        columns = [self.described.columns[item.column] for item in answers]
        there = np.array([filled(column) for column in columns])
        return bool(
            there.any(axis=1).sum() > 1
            and there.sum(axis=0).max() == 1
            and all(item.option is None for item in answers)
            and all(self._holds_options(question, item) for item in answers)
        )

    def _holds_options(self, question: Question, item: Placed) -> bool:
        """Whether a column has an option's text, alone or joined to others."""
        joined = self.start.joined if question.kind is QuestionKind.SELECT_ALL else ()
        own, cells = OptionTable(question), self.described.values(item.title)
        return any(
            _is_text(question, cell) or any(own.readings(cell, sign) for sign in joined)
            for cell in filter(WORD.search, cells)
        )

    def ask(self, key: str, **words: object) -> None:
        """Note what is left to a person, in the words of `findings.yaml`."""
        self.problems.append(to_do(key, **words))

    def tell(self, key: str, **words: object) -> None:
        """Note what a person should know, in the words of `findings.yaml`."""
        self.told.append(tell(key, self.described.file, **words))

    def _missing(self, question: Question, items: Iterable[Placed]) -> tuple[str, ...]:
        """What says in some columns that a question was not answered."""
        found = dict.fromkeys(self.start.missing)
        for item in items:
            title = item.title
            labels = self.hints.values.get(title, {})
            found |= dict.fromkeys(self.hints.missing.get(title, ()))
            every = (*self.described.values(title), *labels)
            found |= {
                cell: None for cell in every if is_missing(cell, question, labels.get(cell, ""))
            }
        return tuple(found)

    def _each(
        self, question: Question, answers: Sequence[Placed], texts: Sequence[Placed]
    ) -> QuestionPart | None:
        """Draft a question whose options have a column each; None where none is tied to one."""
        stems = [item for item in answers if _is_stem(item, answers)]
        members = [item for item in answers if item not in stems]
        titles = [item.title for item in (*members, *texts)]
        pattern, keys = common_pattern(titles) or ("{code}", {title: title for title in titles})
        untied = [keys[item.title] for item in members if item.option is None]
        places = by_names(question, untied)
        if len(untied) == len(question.options):
            places |= _by_number(question, places)
        options: dict[str, str] = {}
        for item in members:
            key = keys[item.title]
            tied = item.option if item.option is not None else places[key]
            options[key] = question.options[tied].code if tied >= 0 else UNPLACED
        by_code = [key for key in untied if places[key] >= 0 and not _is_text(question, key)]
        tied_to = [code for code in options.values() if code != UNPLACED]
        if not tied_to or (len(by_code) == len(tied_to) and self._hold_several(question, members)):
            return None
        other = [keys[item.title] for item in texts]
        if len(tied_to) == len(question.options):
            # All options have their column: what a column beside them holds is none of these.
            other = [key for key, code in options.items() if code == UNPLACED] + other
            options = {key: code for key, code in options.items() if code != UNPLACED}
        self.ask_about_codes(question, places, by_id=members[0].how == "question id")
        self._ask_about_unplaced(question, options)
        missing = self._missing(question, members)
        columns = {item.title: keys[item.title] for item in members}
        selected, not_selected = self._marks(question, columns, options, missing)
        return QuestionPart(
            id=question.id,
            kind=question.kind,
            columns=pattern,
            other=tuple(other),
            sum=stems[0].title if stems else None,
            selected=selected,
            not_selected=not_selected,
            missing=missing,
            options=options,
        )

    def _hold_several(self, question: Question, members: Sequence[Placed]) -> bool:
        """Whether a column has the texts of two options: its number is a place, not an option."""
        cells = (self.described.values(item.title) for item in members)
        texts = ([cell for cell in every if _is_text(question, cell)] for every in cells)
        return any(len({*by_names(question, found).values()} - {-1}) > 1 for found in texts)

    def _marks(
        self,
        question: Question,
        columns: Map[str, str],
        options: Map[str, str],
        missing: Sequence[str],
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What says in the columns of a question that an option was chosen, and that it was not."""
        start, by_code = self.start, {option.code: option for option in question.options}
        tied = [(title, by_code.get(options.get(key, ""))) for title, key in columns.items()]
        called = self._called_marks(tied, missing)
        if called is not None:
            return called
        found: dict[str, None] = {}
        empty = {"", *missing, *start.not_selected}
        by_key, seen = True, set[str]()
        named = not any(map(str.isdecimal, options))
        for number, (title, option) in enumerate(tied, start=1):
            cells = self.described.values(title) if option else []
            own = are_called(option, cells) if option and LABEL in start.selected else set()
            found |= dict.fromkeys(cell for cell in cells if cell not in own)
            seen.update(cells)
            mine = {columns[title], *([str(number)] if named else ())}
            by_key = by_key and empty.issuperset({*cells} - mine)
        declared = {*start.selected, *start.not_selected, *missing, ""}
        strange = [cell for cell in found if cell not in declared]
        if not strange:
            return start.selected, start.not_selected
        if by_key and not empty.isdisjoint(seen):  # else they may be places in an order
            return (CODE,), start.not_selected
        marks = [cell for cell in found if cell not in ("", *missing)]
        told = _told_marks(marks)
        if told is None:
            self.ask("draft-marks", id=question.id, marks=sorted(strange))
            return start.selected, start.not_selected
        kept = tuple(cell for cell in start.not_selected if not cell)
        return (*told[0], LABEL), (*told[1], *kept)

    def _called_marks(
        self, tied: Sequence[tuple[str, Option | None]], missing: Sequence[str]
    ) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """The same by what a codebook calls the marks of all columns; None where it does not.

        It may call a mark by the column's option, and the other by 'not' and the option.
        """
        called: dict[str, set[str]] = {}
        for title, option in tied:
            labels = self.hints.values.get(title, {})
            for cell in {*self.described.values(title)} - {"", *missing}:
                label = typed(labels.get(cell, ""))
                own = map(typed, labels_of(option) if option else ())
                text = next(filter(label.endswith, own), "")
                called.setdefault(cell, set()).add(label.removesuffix(text) if label else UNPLACED)
        words = {cell: found.pop() for cell, found in called.items() if len(found) == 1}
        told = _told_marks(list(dict.fromkeys(words.values())))
        if told is None or not told[0] or len(words) < len(called):
            return None
        chosen, left = (tuple(cell for cell in words if words[cell] in each) for each in told)
        return (*chosen, LABEL), (*left, *(cell for cell in self.start.not_selected if not cell))

    def _mentions(self, question: Question, answers: Sequence[Placed]) -> QuestionPart | None:
        """Draft a question whose columns hold the first, the second, ... option that was named.

        That is so where the codebook calls the values of its columns by the options, or where
        columns that nothing ties to an option hold three options or more.
        """
        titles = [item.title for item in answers]
        missing = self._missing(question, answers)
        every = list(dict.fromkeys(chain.from_iterable(map(self.described.values, titles))))
        if "0" in every and "0" not in _by_labels(question, self.hints.values.get(titles[0], {})):
            missing = (*missing, "0")  # no further option was named
        cells = [cell for cell in every if cell not in ("", *missing)]
        options: dict[str, str] = {}
        if question.kind is QuestionKind.SELECT_ALL and cells:
            labelled = [_by_labels(question, self.hints.values.get(title, {})) for title in titles]
            options = labelled[0] if all(found == labelled[0] for found in labelled) else {}
            places = by_names(question, cells)
            named = any(self.hints.values.get(title) for title in titles)
            if not (options or named) and len(cells) > 2 and min(places.values()) >= 0:
                options = {cell: question.options[places[cell]].code for cell in sorted(cells)}
                _add_unseen(question, options, sorted(cells))
                self.ask_about_codes(question, places, by_id=answers[0].how == "question id")
        if not options or not set(cells) <= options.keys():
            self.ask("draft-untold", id=question.id, names=titles)
            return None
        return QuestionPart(
            id=question.id,
            kind=question.kind,
            mentions=tuple(titles),
            missing=missing,
            options=options,
        )

    def _single(
        self,
        question: Question,
        item: Placed,
        texts: Sequence[Placed],
        told: Map[str, str],
    ) -> QuestionPart:
        """Draft a question whose answer stands in one column."""
        title, missing = item.title, self._missing(question, [item])
        cells = [cell for cell in self.described.values(title) if cell and cell not in missing]
        coded = {plain(row["code"]): row["option"] for row in self.hints.codes.get(title, ())}
        labels, codes = self.hints.values.get(title, {}), {each.code for each in question.options}
        by_labels = _by_labels(question, labels)
        if other := sorted(key for key, code in by_labels.items() if key in codes - {code}):
            self.renumbered.append(f"{other[0]} is {by_labels[other[0]]} in question {question.id}")
        options = {**by_labels, **(coded or told)}
        several, own = question.kind is QuestionKind.SELECT_ALL, OptionTable(question)
        known = OptionTable(question, options) if {*options.values()} == codes else own
        read = [cell for cell in cells if own.listed(cell) is not None]
        left = [cell for cell in cells if cell not in options and cell not in read]
        joined = joiner_of(left, self.start.joined, known) if several else None
        if joined is not None:
            read += [cell for cell in left if known.readings(cell, joined)]
            left = [cell for cell in left if cell not in read]
        elif several:
            joined = next(iter(self.start.joined), None)
        alone, typed_in = self._apart(question, left, joined)
        places = by_names(question, alone)
        places |= _by_number(question, places)
        # What a codebook calls otherwise is no option, whatever its number is elsewhere.
        places |= {cell: -1 for cell in alone if labels.get(cell, cell) != cell}
        parts = (part for cell in read for part in parts_of(question, cell, joined or "|"))
        named = by_names(question, [part for part in parts if part not in options]) | places
        self.ask_about_codes(question, named, by_id=item.how == "question id")
        strange = [cell for cell, at in places.items() if at < 0]
        ways = [way for cell in cells for way in known.readings(cell, joined or "|")]
        ways += filter(None, map(own.listed, cells))
        there = {*places.values(), *(at for way in ways for at in way)} - {-1}
        complete = codes == {*options.values(), *(question.options[at].code for at in there)}
        other = self._own_words(question, item, strange, typed_in, texts, complete=complete)
        exact = {cell for cell in places if own.place(cell) >= 0}
        for cell, at in places.items():
            if cell not in other and (at < 0 or cell not in exact or cell in alone):
                options[cell] = question.options[at].code if at >= 0 else UNPLACED
        _add_unseen(question, options, cells)
        self._ask_about_unplaced(question, options, title)
        return QuestionPart(
            id=question.id,
            kind=question.kind,
            column=title,
            joined=joined,
            other=tuple(other),
            missing=missing,
            options=options,
        )

    def _apart(
        self, question: Question, cells: Sequence[str], joined: str | None
    ) -> tuple[list[str], set[str]]:
        """What is named in cells: each whole, or the options and own words that are joined in it.

        Returns:
            The names, and which of them stand beside an option.
        """
        names: dict[str, None] = {}
        beside: set[str] = set()
        for cell in cells:
            split = parts_of(question, cell, joined) if joined else [cell]
            places = by_names(question, split)
            if len(split) == 1 or all(at < 0 for at in places.values()):
                names[cell] = None
                continue
            names |= dict.fromkeys(split)
            beside |= {name for name, at in places.items() if at < 0}
        return list(names), beside

    def _own_words(
        self,
        question: Question,
        item: Placed,
        strange: Sequence[str],
        beside: set[str],
        texts: Sequence[Placed],
        *,
        complete: bool,
    ) -> list[str]:
        """Which names of no option are what people typed.

        They are called 'other', stand wherever a column for texts is filled, or are rare texts that
        are like no option, in a column of texts that holds all options.
        """
        column = self.described.columns[item.column]
        counts = {n: sum(n in column.text(at) for at in range(len(column))) for n in strange}
        typed_in = (np.flatnonzero(filled(self.described.columns[each.column])) for each in texts)
        with_text = {column.text(at) for rows in typed_in for at in rows.tolist()} - {""}
        known = complete and any(_is_text(question, cell) for cell in column.distinct)
        return [
            name
            for name in strange
            if is_other(name)
            or with_text == {name}
            or (
                (known or (complete and name in beside))
                and counts[name] <= _RARE
                and WORD.search(name)
                and not _is_near(question, name)
            )
        ]

    def _told_by_order(self, question: Question, orders: Sequence[Placed]) -> dict[str, str]:
        """What numbers stand for by the columns of positions, which have an option each."""
        _, keys = common_pattern([item.title for item in orders]) or ("", {})
        tied = ((item.title, item.option) for item in orders if keys and item.option is not None)
        told = {keys[title]: question.options[option].code for title, option in tied}
        return told if len(told) == len(orders) else {}

    def ask_about_codes(self, question: Question, places: Map[str, int], *, by_id: bool) -> None:
        """Ask to check numbers that nothing but their likeness to the questionnaire's explains.

        Args:
            question: The question.
            places: What a file writes, with the option that each was taken for; -1 for none.
            by_id: Whether the file calls the question by its id.
        """
        named = [key for key, at in places.items() if at >= 0]
        keys = [key for key in named if not _is_text(question, key)]
        sure = self.start.writes_codes or (self.own_ids and by_id)
        # Who writes a code that is a word has it from the questionnaire.
        sure = sure or has_words(question, keys)
        codes, texts = (partial(way.alone, spelling=Spelling.NUMBER) for way in namings(question))
        # Beside codes a number may be one, though it is another option's text.
        unlike = (key for key in named if _NUMBER.fullmatch(key) and codes(key) != texts(key))
        keys = keys and sorted({*keys, *unlike})
        if not keys or (sure and all(map(codes, map(plain, keys)))):
            return
        told = [f"{key} ('{option_text(question, places[key])}')" for key in keys]
        self.ask("draft-codes", id=question.id, codes=told)

    def _ask_about_unplaced(
        self, question: Question, options: Map[str, str], title: str = ""
    ) -> None:
        strange = [key for key, option in options.items() if option == UNPLACED]
        labels = self.hints.values.get(title, {})
        left = [option.code for option in question.options if option.code not in options.values()]
        if strange:
            place, called = "", [labels.get(key, key) for key in strange]
            if title and strange[0] in (column := self.described.named(title)).texts:
                row = (column.codes == column.texts.index(strange[0])).argmax()
                place = f" (row {self.described.rows[row]})"
            self.ask("draft-unplaced", id=question.id, names=called, place=place)
        elif left:
            self.ask("draft-unnamed", id=question.id, options=left)


def is_other(text: str) -> bool:
    """Whether tools call an answer in somebody's own words so."""
    return typed(text) in map(typed, received_words("other"))


def _is_stem(item: Placed, answers: Sequence[Placed]) -> bool:
    """Whether the names of all other columns of a question go on after a column's own."""
    others = [other.title for other in answers if other is not item]
    return len(others) > 1 and all(begins(other, item.title) for other in others)


def by_names(question: Question, cells: Sequence[str]) -> dict[str, int]:
    """For each cell the option that it names by its code or text, however it is written; else -1.

    Cells that are all texts are no codes, whatever some of them may be, and the other way round.
    """
    ways = namings(question)
    for way in reversed(ways):
        exact = {cell: way.by(plain(cell), Spelling.EXACT) for cell in cells}
        if cells and all(len(places) == 1 for places in exact.values()):
            return {cell: min(places) for cell, places in exact.items()}
    found = {}
    for cell in cells:
        text = plain(cell)
        places = frozenset(at for way in ways for at in way.alone(text, Spelling.LISTED))
        places = places or _by_slug(question, text)
        if text == NOTHING and not any(text in way.exact for way in ways):
            places = frozenset()  # a person has to say which of the two it is
        found[cell] = min(places) if len(places) == 1 else -1
    return found


def _by_slug(question: Question, text: str) -> frozenset[int]:
    """The options whose text is a name, as platforms make names of texts."""
    name = slug(unaccented(text))
    return frozenset(
        at
        for at, option in enumerate(question.options)
        if name and any(slug(unaccented(label)) == name for label in labels_of(option))
    )


def has_words(question: Question, cells: Iterable[str]) -> bool:
    """Whether a cell is an option's code that is a word, which only the questionnaire tells."""
    words = {option.code for option in question.options if not _NUMBER.fullmatch(option.code)}
    return not words.isdisjoint(cells)


def _is_text(question: Question, cell: str) -> bool:
    """Whether a cell names an option by its text."""
    way = namings(question)[1]
    return bool(way.alone(plain(cell), Spelling.LISTED) or _by_slug(question, cell))


def _by_number(question: Question, places: Map[str, int]) -> dict[str, int]:
    """The option that a number is by its place, where the others are so by their codes.

    Files number all options from 1, some behind letters (`AO01`), and the questionnaire names the
    last one by a word.
    """
    found = {cell: _PLACE.fullmatch(cell) for cell in places}
    numbers = {cell: int(match[2]) for cell, match in found.items() if match}
    one_way = len({match[1] for match in found.values() if match}) == 1
    count = len(question.options)
    if None in found.values() or not one_way or not {*numbers.values()} <= {*range(1, count + 1)}:
        return {}
    fit = all(places[cell] in (-1, number - 1) for cell, number in numbers.items())
    return {cell: number - 1 for cell, number in numbers.items()} if fit else {}


def _by_labels(question: Question, labels: Map[str, str]) -> dict[str, str]:
    """The options of values whose labels a codebook tells."""
    places = by_names(question, list(labels.values()))
    return {
        value: question.options[places[label]].code
        for value, label in labels.items()
        if places[label] >= 0
    }


def joiner_of(cells: Sequence[str], joiners: Sequence[str], known: OptionTable) -> str | None:
    """The characters by which most cells can be read as options that they join."""
    alone = [cell for cell in cells if known.place(cell) < 0]
    counts = {sign: sum(bool(known.readings(cell, sign)) for cell in alone) for sign in joiners}
    if not any(counts.values()):  # each option may stand behind the letter of a list
        for sign in joiners:
            parts = (parts_of(known.question, cell, sign) for cell in alone)
            listed = (each for each in parts if sign.strip() or all(map(IN_LIST.match, each)))
            placed = (by_names(known.question, each).values() for each in listed if each[1:])
            counts[sign] = sum(min(places) >= 0 for places in placed)
    best = max(counts, key=counts.__getitem__, default=None)
    return best if best is not None and counts[best] else None


def parts_of(question: Question, cell: str, joiner: str) -> list[str]:
    """The options and own words that characters join in a cell, each as long as it can be."""
    listed = listed_texts(cell)
    if listed is not None:
        return listed
    sign = joiner.strip() or " "
    parts = [part.strip() for part in cell.split(sign)]
    parts = parts if parts[-1] else parts[:-1]
    between = f"{sign} " if joiner.endswith(" ") and sign != " " else sign
    found: list[str] = []
    own: list[str] = []
    at = 0
    while at < len(parts):
        for end in range(len(parts), at, -1):
            name = between.join(parts[at:end])
            if by_names(question, [name])[name] >= 0:
                found += [between.join(own), name] if own else [name]
                own, at = [], end
                break
        else:
            own.append(parts[at])
            at += 1
    return [*found, between.join(own)] if own else found


def _is_near(question: Question, text: str) -> bool:
    """Whether a text may be meant for an option: one has the other within, or they are alike."""
    small = unaccented(typed(text))
    return any(
        label in small
        or small in label
        or difflib.SequenceMatcher(None, small, label).ratio() >= _NEAR
        for label in map(unaccented, map(typed, labels_in(question)))
    )


def _told_marks(marks: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Which of the marks in columns of options says 'chosen', and which 'not chosen'.

    By words for yes and no, or because one is the other with a 'not' before it.
    """
    chosen = [mark for mark in marks if typed(mark.removesuffix(".0")) in YES]
    left = [mark for mark in marks if typed(mark.removesuffix(".0")) in NO]
    if len(chosen) <= 1 and len(left) <= 1 and len(chosen) + len(left) == len(marks):
        return tuple(chosen), tuple(left)
    if len(marks) == 2:  # one of each
        short, long = sorted(marks, key=len)
        if typed(long) != typed(short) and typed(long).endswith(typed(short)):
            return (short,), (long,)
    return None


def _add_unseen(question: Question, options: dict[str, str], cells: Iterable[str]) -> None:
    """Name the options that stand in no cell alone by what the others are named by."""
    labels = labels_in(question)
    by_label = any(label in cell for cell in cells for label in labels if not label.isdecimal())
    for option in question.options:
        if option.code in options.values() or UNPLACED in options.values():
            continue
        name = min(labels_of(option), default=option.code) if by_label else option.code
        options.setdefault(name, option.code)


def common_pattern(titles: Sequence[str]) -> tuple[str, dict[str, str]] | None:
    """What names have in common, with `{code}` where they differ, and what each has there."""
    if len(set(titles)) < len(titles) or len(titles) < 2:
        return None
    shortest, before = min(titles, key=len), _alike(titles)
    numbered = [
        found and found.start() for found in map(NUMBERED.search, map(str.casefold, titles))
    ]
    if numbered[0] is not None and set(numbered) == {numbered[0]}:
        before = numbered[0] + 1
    while before and in_word(shortest[before - 1]) and None in numbered:
        before -= 1  # Q1_10 and Q1_11 differ by 10 and 11, not by 0 and 1
    after = _alike([title[before:][::-1] for title in titles])
    while after and in_word(shortest[len(shortest) - after]):
        after -= 1
    keys = {title: title[before : len(title) - after] for title in titles}
    if not all(keys.values()) or len({*keys.values()}) < len(keys):
        return None
    return f"{shortest[:before]}{{code}}{shortest[len(shortest) - after :]}", keys


def _alike(texts: Sequence[str]) -> int:
    """With how many characters that they have in common texts begin."""
    unlike = (at for at, each in enumerate(zip(*texts, strict=False)) if len({*each}) > 1)
    return next(unlike, min(map(len, texts)))
