"""The files of a survey, of every known shape, read and joined."""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from curation.files.bank import GroupBook
from curation.files.manifest import MANIFEST, read_manifest
from curation.files.tables import INCOMPLETE_HEADER, refuse_absent, sha256
from curation.files.workspace import Workspace
from curation.records.culture import SurveySettings
from curation.records.messages import CurateError, Finding
from curation.records.survey import Question, QuestionKind, Tally
from survey.answers import (
    Answers,
    Exclusion,
    is_normal,
    join_answers,
    only_questions,
    without_people,
)
from survey.attributes import (
    RESPONDENTS,
    PeopleList,
    check_people,
    people_part,
)
from survey.bank import FILTERED
from survey.counts import read_counts
from survey.mapping import Mapping, ReadPart, RespondentsPart, load_mapping, to_do
from survey.quality import Respondents, checked
from survey.questionnaire import read_questionnaire
from survey.readers.frames import refusal, tell
from survey.readers.normalise import Received, read_answers, read_survey, unread_finding
from survey.readers.opening import Opened, open_file
from survey.readers.options import QuestionNames, words_of
from survey.readers.orders import (
    completed,
    form_findings,
    form_orders,
    in_forms,
    order_findings,
)
from survey.readers.people import shared_ids
from survey.readers.placing import About, holds_counts, question_texts

if TYPE_CHECKING:
    from survey.readers.inspection import Inspection

PEOPLE_DIGEST = "respondents_sha256"
"""The key of the filter's manifest that holds the hash of the respondents that it wrote."""


class SurveyInput:
    """The files that a run reads, as a user names them.

    Attributes:
        surveys: Answers or counts.
        comprehension: Files of which only the comprehension questions are taken.
        mappings: How received files are read: one for all, or one for each file of answers.
        questionnaire: The questions asked; the workspace's by default.
    """

    def __init__(
        self,
        surveys: Sequence[Path | str],
        comprehension: Sequence[Path | str] = (),
        mappings: Sequence[Path | str] = (),
        questionnaire: Path | str | None = None,
    ) -> None:
        self.surveys = tuple(map(Path, surveys))
        self.comprehension = tuple(map(Path, comprehension))
        self.mappings = tuple(map(Path, mappings))
        self.questionnaire = None if questionnaire is None else Path(questionnaire)

    @property
    def files(self) -> list[Path]:
        """All that the decisions come from, except for the questionnaire.

        Beside answers stands what is known of the respondents.
        """
        answers = [*self.surveys, *self.comprehension]
        known = [path.with_name(RESPONDENTS) for path in answers if path.suffix != ".json"]
        return [*answers, *self.mappings, *dict.fromkeys(known)]


class SurveyReader:
    """Reads survey files of every known shape.

    Attributes:
        recognised: What files without a mapping were taken for, a line a column.
    """

    def __init__(
        self, workspace: Workspace, book: GroupBook, given: SurveyInput, settings: SurveySettings
    ) -> None:
        self._culture = workspace.culture.model_copy(update={"survey": settings})
        self._language = workspace.language
        self._book = book
        self._given = given
        self._settings = settings
        self._forms = workspace.responses_folder / "forms"
        self._normal_people = workspace.responses_folder / RESPONDENTS
        self._filtered = workspace.exports_folder / FILTERED
        self.recognised: list[str] = []
        self._questionnaire = given.questionnaire or workspace.questionnaire_file
        self._mappings = [load_mapping(path) for path in given.mappings]
        self._files: dict[tuple[Path, str | None], Opened] = {}
        self._shared: Set[str] | None = None
        self._listed: dict[Path, tuple[RespondentsPart | None, list[str]]] = {}
        self._unread: dict[tuple[Path, str | None], list[tuple[str, ...]]] = {}
        self._found = [finding for path in given.mappings for finding in _left_to_do(path)]

    @property
    def findings(self) -> list[Finding]:
        """What a person should know of the files that were read."""
        unread = []
        for (path, _), readings in self._unread.items():
            # Where each form of a file has a mapping, one may read what another does not.
            left = set(readings[0]).intersection(*readings)
            columns = [column for column in readings[0] if column in left]
            unread += unread_finding(str(path), columns, mapped=bool(self._mappings))
        return [*self._found, *unread]

    def counted(self) -> list[Tally]:
        """Read the files that hold counts alone; what a file says twice is said once more."""
        return [tally for path in self._of_counts for tally in self._counts(path)]

    def _open(self, path: Path, read: ReadPart | None = None) -> Opened:
        """Open a file once, however often it is asked what it is."""
        key = path, None if read is None else read.model_dump_json()
        if key not in self._files:
            files, language = self._settings.files, self._culture.language
            self._files[key] = open_file(path, read, language, files, words=self._words)
        return self._files[key]

    def _words(self) -> Iterator[str]:
        return words_of(self._questions() if self._questionnaire.exists() else ())

    @cached_property
    def _of_counts(self) -> list[Path]:
        return [path for path in self._given.surveys if self._holds_counts(path)]

    def _holds_counts(self, path: Path) -> bool:
        """Say whether a file holds counts; one that is read by a mapping holds answers."""
        from survey.readers.structured import holds_answers

        if path.suffix.lower() == ".json":
            return not holds_answers(path)
        return not self._mappings and not is_normal(path) and holds_counts(self._open(path))

    def _counts(self, path: Path) -> Sequence[Tally]:
        if path.suffix.lower() != ".json":
            from survey.readers.tallies import read_counts as read_table

            names = QuestionNames(self._questions(), self._texts)
            counted, findings, lines = read_table(self._open(path), names, self._about)
            self._found += findings
            self.recognised += lines
            return counted
        tallies = read_counts(path, self._culture, self._book)
        self._found += _doubled(str(path), tallies)
        return tallies

    def respondents(self) -> Respondents | None:
        """Read the files that hold the answers of respondents, and join them.

        Raises:
            CurateError: If one cannot be read, or somebody's own list of people is where the normal
                form is written to.
        """
        surveys = [path for path in self._given.surveys if path not in self._of_counts]
        only = [path for path in self._given.comprehension if path not in surveys]
        files = self._paired([*dict.fromkeys(surveys), *dict.fromkeys(only)], [*surveys, *only])
        if not files:
            return None
        for path, _ in files:
            refuse_absent(path)
        if self._mappings and self._has_own_people():  # the normal form is written there
            raise refusal("people-in-the-way", str(self._normal_people))
        if not self._mappings and len(files) > 1:
            tables = [self._open(path) for path, _ in files if path.suffix.lower() != ".json"]
            self._shared = shared_ids(cells for table in tables for _, cells in table.head(1))
        beside = [path.with_name(RESPONDENTS).resolve() for path, _ in files]
        if self._normal_people.resolve() not in beside and self._has_own_people():
            self._found.append(tell("survey-respondents-elsewhere", str(self._normal_people)))
        questions = self._questions()
        parts: list[Answers] = []
        excluded: list[Exclusion] = []
        for path, mapping in files:
            answers, left_out = self._read(path, mapping, questions)
            if len(files) > 1:  # a row is one of a file
                left_out = [x._replace(detail=f"{path.name}, {x.detail}") for x in left_out]
            excluded.extend(left_out)
            if path in only:
                asked = [item.kind is QuestionKind.COMPREHENSION for item in answers.questions]
                answers = only_questions(answers, np.array(asked, dtype=bool))
            parts.append(answers)
        for path, (part, people) in self._listed.items():
            self._found += PeopleList(path, people, part).findings(self._culture)
        answers = join_answers(parts)
        self._found += check_people(answers)
        return checked(answers, self._settings, excluded)

    def _paired(
        self, files: Sequence[Path], as_given: Sequence[Path]
    ) -> list[tuple[Path, Mapping | None]]:
        """Each file its mapping; a workbook of several forms is read by one for each."""
        mappings = self._mappings
        if len(mappings) <= 1:
            return [(path, mappings[0] if mappings else None) for path in files]
        if len(files) == 1:
            return [(files[0], mapping) for mapping in mappings]
        if len(mappings) == len(as_given):
            return list(zip(as_given, mappings, strict=True))
        raise refusal("mappings-count", "", mappings=len(mappings), files=len(as_given))

    def _questions(self) -> list[Question]:
        if not self._questionnaire.exists():
            raise refusal("no-questionnaire", str(self._questionnaire))
        return read_questionnaire(self._questionnaire, self._book)

    def _without_mapping(
        self, path: Path, questions: Sequence[Question]
    ) -> tuple[Answers, Sequence[Exclusion]]:
        """Read answers in normal form, or what a mapping reads that the file itself makes.

        Raises:
            CurateError: If the file is none of these, or its draft leaves something to a person.
        """
        if is_normal(path):
            answers = read_answers(path, questions)
            self._listed[path] = None, list(answers.respondents)
            return answers, ()
        from survey.readers.inspection import inspect_file

        opened = self._open(path)
        found = inspect_file(opened, questions, self._forms, self._about, self._shared, keep=True)
        received = found.trial
        if received is None or not found.is_settled:
            raise self._unsettled(path, found)
        self.recognised += found.lines
        return self._taken(path, found.draft.mapping, received)

    def _unsettled(self, path: Path, found: "Inspection") -> CurateError:
        """Why a file without a mapping is not read: what a person has to say, or to correct."""
        from survey.readers.inspection import MADE_BY_HAND

        preset, problem = found.recognised.preset, found.problem
        if found.refused is not None and preset in MADE_BY_HAND:
            return found.refused
        named = found.draft.mapping.questions or any(item.question_id for item in found.columns)
        if not named and (preset == "generic" or not found.to_do):
            where = f"{path}, row 1"
            return refusal("file-unlike-all", where, code=INCOMPLETE_HEADER, name=path.name)
        first = next(iter(found.to_do), problem.what if problem is not None else "")
        told = {"name": path.name, "preset": preset, "first": first}
        return refusal("file-unsettled", str(path), code=INCOMPLETE_HEADER, **told)

    def _taken(
        self, path: Path, mapping: Mapping, received: Received
    ) -> tuple[Answers, Sequence[Exclusion]]:
        """What was read of a file, with the list of people beside it."""
        self._found.extend(received.findings)
        self._unread.setdefault((path, mapping.read.sheet), []).append(received.unread)
        answers = received.answers
        if not self._mappings or path.with_name(RESPONDENTS) != self._normal_people:
            answers, left = self._with_people(path, answers, mapping.respondents)
            return answers, (*received.excluded, *left)
        return answers, received.excluded

    def _with_people(
        self, path: Path, answers: Answers, part: RespondentsPart | None = None
    ) -> tuple[Answers, Sequence[Exclusion]]:
        """Answers with what the list of respondents beside them says; some it may leave out."""
        part = part or people_part(path, answers.respondents, self._settings)
        self._listed.setdefault(path, (part, []))[1].extend(answers.respondents)
        people = PeopleList(path, answers.respondents, part)
        out = people.left_out()
        if out:
            answers = without_people(answers, out)
            reasons = Counter(why.partition(": ")[2] for why in out.values())
            said = [f"{reason} ({count})" for reason, count in reasons.items()]
            told = {"count": len(out), "reasons": said}
            self._found.append(tell("survey-respondents-left-out", str(people.path), **told))
        known = people.joined(answers.respondents, answers.attributes, self._settings)
        left = [Exclusion("respondents", who, "", why) for who, why in out.items()]
        return replace(answers, attributes=known), left

    @property
    def _texts(self) -> dict[str, str]:
        """By question the text that was asked, where it is known."""
        return question_texts(self._forms / "texts.csv")

    @property
    def _about(self) -> About:
        """What is known of respondents."""
        return About.of(self._culture, self._language)

    def _with_positions(self, answers: Answers) -> Answers:
        """Answers with where options were shown, as far as positions or forms tell it."""
        answers = completed(answers)
        if answers.position.any() or not any(answers.attributes.get("form", ())):
            return answers
        forms = form_orders(self._codes, answers.questions)
        if forms is None:
            return answers
        self._found += form_findings(answers, forms)
        return in_forms(answers, forms[0])

    def order_findings(self, answers: Answers) -> list[Finding]:
        """Say what to do where nothing tells where options were shown."""
        if answers.position.any():
            return []
        return order_findings(answers, form_orders(self._codes, answers.questions))

    @property
    def _codes(self) -> Path:
        return self._forms / "codes.csv"

    def _read(
        self, path: Path, mapping: Mapping | None, questions: Sequence[Question]
    ) -> tuple[Answers, Sequence[Exclusion]]:
        if mapping is not None:
            opened = self._open(path, mapping.read)
            return self._taken(path, mapping, read_survey(opened, mapping, questions, self._texts))
        answers, excluded = self._without_mapping(path, questions)
        return self._with_positions(answers), excluded

    def _has_own_people(self) -> bool:
        """Say whether `responses/respondents.csv` is there, and no filter wrote it."""
        path = self._normal_people
        manifest = self._filtered / MANIFEST
        known = read_manifest(self._filtered).settings if manifest.exists() else {}
        return path.exists() and known.get(PEOPLE_DIGEST) != sha256(path)


def _left_to_do(path: Path) -> list[Finding]:
    """Say that a draft still says what a person has to see to."""
    left = to_do(path)
    if not left:
        return []
    row, first = left[0]
    told = {"first": first, "more": len(left) - 1}
    return [tell("survey-draft", str(path), row, way="several" if left[1:] else "one", **told)]


def _doubled(path: str, tallies: Sequence[Tally]) -> Iterator[Finding]:
    """Find entries of a file that repeat another one, of no other template."""
    first: dict[tuple[str, tuple[str, ...]], Tally] = {}
    for tally in tallies:
        question = tally.question
        known = first.setdefault((question.id, question.templates), tally)
        if known is not tally:
            told = {"text": question.stereotype, "category": question.category}
            rows = {"row": str(tally.row), "other": str(known.row)}
            yield tell("survey-doubled-entry", path, **rows, **told)
