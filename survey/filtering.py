"""The filter: survey files and thresholds to decisions, and the bank with its surveyed groups."""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from curation import __version__
from curation.bank.planning import UNFILLABLE, refuse_faults
from curation.files.bank import GroupBook, write_bank
from curation.files.codec import DECISIONS, TARGETS, followed, now
from curation.files.lock import writing
from curation.files.manifest import MANIFEST, named_inputs, read_manifest, staged_results
from curation.files.questionnaire import read_questionnaire, write_tallies
from curation.files.tables import INCOMPLETE_HEADER, refuse_absent, sha256, write_csv
from curation.files.workspace import Workspace
from curation.records.culture import SurveySettings
from curation.records.messages import CurateError, Finding, warning
from curation.records.settings import overridden
from curation.records.survey import (
    NOT_USED,
    OUT_BEFORE,
    Additions,
    Decision,
    Outcome,
    Question,
    QuestionKind,
    Rule,
    Stage,
    Status,
    Tally,
    TargetRow,
    additions,
    current,
)
from survey.answers import (
    Answers,
    Exclusion,
    count_answers,
    is_normal,
    join_answers,
    only_rows,
    told_unlike,
    without_people,
    write_answers,
)
from survey.attributes import (
    RESPONDENTS,
    PeopleList,
    check_people,
    people_part,
    used_attributes,
    with_known_values,
)
from survey.bank import (
    BANK_DIGEST,
    COUNTED,
    EXCLUSION_COLUMNS,
    FILTERED,
    KEPT,
    RESPONSES,
    FinalBank,
    bank_digest,
    finalize,
    plain_settings,
    unasked_comprehension,
    undecided_hints,
)
from survey.counts import merge, read_counts
from survey.mapping import Mapping, ReadPart, RespondentsPart, load_mapping, to_do
from survey.order_effects import OrderEffects, order_effects
from survey.outcomes import NOT_APPLIED, STATUS_COLUMNS, rule_drops, status_rows
from survey.quality import Respondents, checked
from survey.readers.frames import refusal, tell
from survey.readers.normalise import (
    Received,
    completed,
    form_findings,
    form_orders,
    in_forms,
    order_findings,
    read_answers,
    read_survey,
    unread_finding,
)
from survey.readers.opening import Opened, open_file
from survey.readers.options import QuestionNames, words_of
from survey.readers.people import shared_ids
from survey.readers.placing import About, holds_counts, question_texts
from survey.rules import Row, decide, decide_survey

if TYPE_CHECKING:
    import pandas as pd

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
            if len(files) > 1:  # a row is one of a file, and what they say of a person is joined
                answers = with_known_values(answers, self._settings)
                left_out = [x._replace(detail=f"{path.name}, {x.detail}") for x in left_out]
            excluded.extend(left_out)
            if path in only:
                asked = [item.kind is QuestionKind.COMPREHENSION for item in answers.questions]
                answers = only_rows(answers, np.array(asked, dtype=bool)[answers.question])
            parts.append(answers)
        for path, (part, people) in self._listed.items():
            self._found += PeopleList(path, people, part).findings(self._culture)
        answers = join_answers(parts, used_attributes(self._culture))
        built = (self._forms / "codes.csv").exists()  # each form has an attention check
        said = check_people(answers, checked=built and "attention" in self._settings.exclude)
        self._found += [*told_unlike(parts, answers), *said]
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
        """What was read of a file, with what the list of people beside it says.

        Some of them it may leave out.
        """
        self._found.extend(received.findings)
        self._unread.setdefault((path, mapping.read.sheet), []).append(received.unread)
        answers = received.answers
        if self._mappings and path.with_name(RESPONDENTS) == self._normal_people:
            return answers, received.excluded
        part = mapping.respondents or people_part(path, answers.respondents, self._settings)
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
        return replace(answers, attributes=known), (*received.excluded, *left)

    @property
    def _texts(self) -> dict[str, str]:
        """By question the text that was asked, where it is known."""
        return question_texts(self._forms)

    @property
    def _about(self) -> About:
        """What is known of respondents."""
        return About.of(self._culture, self._language)

    def _with_positions(self, answers: Answers) -> Answers:
        """Answers with where options were shown, as far as positions or forms tell it."""
        answers = completed(answers)
        if answers.position.any() or not any(answers.attributes.get("form", ())):
            return answers
        forms = form_orders(self._forms / "codes.csv", answers.questions)
        if forms is None:
            return answers
        self._found += form_findings(answers, forms)
        return in_forms(answers, forms[0])

    def order_findings(self, answers: Answers) -> list[Finding]:
        """Say what to do where nothing tells where options were shown."""
        if answers.position.any():
            return []
        return order_findings(answers, form_orders(self._forms / "codes.csv", answers.questions))

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


@dataclass(frozen=True, slots=True)
class FilterRun:
    """The result of one run of the filter.

    Attributes:
        settings: The thresholds.
        tallies: The counts of every question, with the names that the survey used.
        respondents: Data about single respondents; None if only counts were given.
        order: The effect of the order of options; None if only counts were given.
        decisions: Every rule's decision on every question, in the questions' order.
        targets: The role of each group of each question: target, non-target or neither.
        added: The decisions that are added to the ledger.
        final: The status of every template, and the bank with its surveyed groups.
        findings: Findings that a person should check.
        recognised: How the columns of simple tables were understood, one line for each column.
    """

    settings: SurveySettings
    tallies: tuple[Tally, ...]
    respondents: Respondents | None
    order: OrderEffects | None
    decisions: tuple[Decision, ...]
    targets: tuple[TargetRow, ...]
    added: Additions
    final: FinalBank
    findings: tuple[Finding, ...]
    recognised: tuple[str, ...] = ()

    @property
    def rule_drops(self) -> list[Row]:
        """The part of the questions of each kind, and of their templates, that each rule drops."""
        tallies = self.final.tallies  # with the ids that templates have now
        decided = (decision for tally in tallies for decision in decide(tally, self.settings))
        return list(rule_drops(tallies, self.final.outcomes, current(decided)))

    @property
    def exclusions(self) -> list[tuple[str, ...]]:
        """Every exclusion and flag, in the order of `EXCLUSION_COLUMNS`."""
        people = self.respondents
        if people is None:
            return []
        out: dict[str, str] = dict.fromkeys(self.settings.exclude, "true")
        flagged = ((*item, out.get(item.rule, "false")) for item in people.flagged)
        return [*((*item, "true") for item in people.excluded), *flagged]

    def to_frame(self) -> "pd.DataFrame":
        """The status of each template: the columns of `templates.csv`.

        All are of dtype `object` and hold texts, except for `modified`, which is `bool`.
        """
        return self.final.to_frame()


def filter(
    workspace: Workspace,
    surveys: Sequence[Path | str],
    *,
    comprehension: Sequence[Path | str] = (),
    mappings: Sequence[Path | str] = (),
    questionnaire: Path | str | None = None,
    dry_run: bool = False,
    **thresholds: object,
) -> FilterRun:
    """Decide by the survey which templates are kept, and write the decisions and the final bank.

    Args:
        workspace: The workspace.
        surveys: Files of answers or of counts.
        comprehension: Files of which only the comprehension questions are taken.
        mappings: How received files are read: one for all, or one for each file of answers.
        questionnaire: The questions that were asked; the workspace's by default.
        dry_run: Whether to write nothing.
        **thresholds: Settings of `survey` in `culture.yaml` that hold for this run; None leaves
            one as it is set.

    Raises:
        CurateError: If a file cannot be read or written, two of them contradict each other, or a
            threshold is not possible (`SettingError`).
    """
    given = SurveyInput(surveys, comprehension, mappings, questionnaire)
    with writing(workspace, "curate filter", dry_run=dry_run):
        run = decide_by(workspace, given, overridden(workspace.culture.survey, thresholds))
        if not dry_run:
            _save(workspace, run, given)
    return run


def decide_by(workspace: Workspace, given: SurveyInput, settings: SurveySettings) -> FilterRun:
    """Read the survey and decide, writing nothing.

    Raises:
        CurateError: If a file cannot be read or two of them contradict each other.
    """
    book = workspace.book
    reader = SurveyReader(workspace, book, given, settings)
    counted = reader.counted()
    respondents = reader.respondents()
    findings = list(reader.findings)
    order = None
    if respondents is not None:
        rows = respondents.rows(settings)
        if not rows.any():
            where, count = ", ".join(map(str, given.surveys)), len(respondents.answers.respondents)
            raise refusal("nobody-left", where, count=count)
        tallies, contradictions = count_answers(respondents.answers, rows)
        counted = [*tallies, *counted]
        findings.extend(contradictions)
        order = order_effects(respondents.answers, rows, settings)
    counted = merge(counted)
    templates = list(workspace.bank.templates())
    decisions, targets, said = decide_survey(counted, templates, settings, book, workspace.renaming)
    added, final = _added(workspace, counted, decisions, targets)
    return FilterRun(
        settings=settings,
        tallies=tuple(counted),
        respondents=respondents,
        order=order,
        decisions=decisions,
        targets=targets,
        added=added,
        final=final,
        findings=(
            *findings,
            *said,
            *_unsurveyed(final, workspace),
            *_linked_by_id(final, workspace),
            *unasked_comprehension(workspace, final),
            *final.findings,
            *(reader.order_findings(respondents.answers) if respondents else ()),
        ),
        recognised=tuple(reader.recognised),
    )


def _added(
    workspace: Workspace,
    tallies: Sequence[Tally],
    decisions: Sequence[Decision],
    targets: Sequence[TargetRow],
) -> tuple[Additions, FinalBank]:
    """What the ledger gains, the decisions on templates that the survey modifies included."""
    by = f"curate {__version__}"
    before = followed(workspace.decisions, workspace.renamed)
    decisions = [*decisions, *_not_applied(before, followed(decisions, workspace.renamed))]
    first = additions(workspace.decisions, decisions, by, now())
    ledger = followed([*workspace.decisions, *first.decisions], workspace.renamed)
    final = finalize(workspace, tallies, ledger, targets)
    refuse_faults([item for item in final.findings if item.rule == UNFILLABLE])
    second = additions(ledger, _modifications(final, ledger), by, now())
    joined = Additions(
        (*first.decisions, *second.decisions),
        first.changes + second.changes,
        first.unchanged + second.unchanged,
    )
    return joined, final


def _not_applied(ledger: Sequence[Decision], decisions: Sequence[Decision]) -> list[Decision]:
    """Take back what an earlier run decided by what this one does not hold.

    That is a rule that is applied no more to a question, and comprehension that nobody was asked
    about. Questions that the survey does not hold decide nothing: no template is linked to them.

    Args:
        ledger: What was decided before, on the templates' ids of now.
        decisions: What this run decides, on these too.
    """
    surveyed = {item.subject for item in decisions if item.stage is Stage.SURVEY}
    decided = {(item.subject, item.rule) for item in decisions}
    found = []
    for item in current(ledger).values():
        unasked = item.stage is Stage.COMPREHENSION
        of_question = item.stage is Stage.SURVEY and item.subject in surveyed
        if (unasked or of_question) and (item.subject, item.rule) not in decided:
            reason = "not_asked" if unasked else NOT_APPLIED
            found.append(Decision(item.subject, item.stage, item.rule, Outcome.KEEP, reason))
    return found


def _modifications(final: FinalBank, ledger: Sequence[Decision]) -> list[Decision]:
    """Decide on templates whose groups the survey replaced, or no longer replaces."""
    standing = current(ledger)
    decisions = []
    for item in final.outcomes:
        subject = str(item.template.id)
        modified = subject in final.modified
        known = standing.get((subject, Rule.TARGET_SELECTION))
        # A template that has no decision, or that could not take its groups, keeps what it has.
        settled = subject in final.confirmed or item.status in NOT_USED
        taken_back = settled and known is not None and known.outcome is Outcome.MODIFY
        if modified or taken_back:
            decisions.append(
                Decision(
                    subject=subject,
                    stage=Stage.SURVEY,
                    rule=Rule.TARGET_SELECTION,
                    outcome=Outcome.MODIFY if modified else Outcome.KEEP,
                    reason="surveyed_groups" if modified else "stated_groups",
                )
            )
    return decisions


def _unsurveyed(final: FinalBank, workspace: Workspace) -> list[Finding]:
    hints = undecided_hints(workspace, final)
    bank = workspace.shown(workspace.bank_file)
    return [
        warning(
            "survey-undecided",
            bank,
            f"{item.template.id} ('{item.template.stereotype}') is undecided: {item.reason}",
            hints[str(item.template.id)],
            row=item.template.first.row or None,
        )
        for item in final.with_status(Status.UNDECIDED)
    ]


def _linked_by_id(final: FinalBank, workspace: Workspace) -> list[Finding]:
    """Say which templates stand on counts that name them, and are of other groups."""
    bank = workspace.shown(workspace.bank_file)
    return [
        tell(
            "survey-linked-by-id",
            bank,
            item.template.first.row or None,
            "target_groups",
            id=item.template.id,
            groups=" / ".join(option.label for option in item.question.options if option.groups),
        )
        for item in final.outcomes
        if item.question is not None and item.by_id and item.status not in OUT_BEFORE
    ]


def _save(workspace: Workspace, run: FilterRun, given: SurveyInput) -> None:
    """Write ledger, targets, counts and the final bank.

    Raises:
        CurateError: If something cannot be written.
    """
    folder = workspace.exports_folder / FILTERED
    normal = _save_answers(workspace, run, folder) if given.mappings else ""
    TARGETS.write(workspace.targets_file, run.targets)
    write_tallies(workspace.tallies_file, run.tallies, workspace.book)
    DECISIONS.append(workspace.ledger_file, run.added.decisions)
    settings: dict[str, object] = {
        "survey": plain_settings(run.settings),
        BANK_DIGEST: bank_digest(workspace.bank),
    }
    kept = _keep_answers(workspace, run, given)
    if kept:
        settings[KEPT] = kept
    if normal:
        settings[_NORMAL] = normal
        settings[PEOPLE_DIGEST] = sha256(workspace.responses_folder / RESPONDENTS)
    inputs = named_inputs(_inputs(workspace, given), root=workspace.root)
    rows = status_rows(run.final.outcomes, run.final.modified)
    with staged_results(folder, inputs, run.final.counts, settings) as stage:
        write_bank(stage / "bank.csv", run.final.bank, escaped=True)
        write_csv(stage / "templates.csv", STATUS_COLUMNS, rows, escaped=True)
        if run.respondents is not None:
            write_csv(stage / "exclusions.csv", EXCLUSION_COLUMNS, run.exclusions, escaped=True)


_NORMAL = "responses_sha256"


def _keep_answers(workspace: Workspace, run: FilterRun, given: SurveyInput) -> str:
    """Keep the answers in normal form, for all that tells of respondents afterwards.

    They stand in a folder of their own, which nothing reads as the survey's: what people put into
    `responses/` is never written over. Nothing is kept where `responses/responses.csv` holds all
    of them and no others.

    Returns:
        The hash of what was written; empty where nothing was.
    """
    folder = workspace.responses_folder / COUNTED
    path = workspace.responses_folder / RESPONSES
    alone = [item.resolve() for item in given.surveys] == [path.resolve()]
    there = given.mappings or (alone and not given.comprehension and is_normal(path))
    if run.respondents is None or there:
        for name in (RESPONSES, RESPONDENTS):
            (folder / name).unlink(missing_ok=True)
        return ""
    write_answers(run.respondents.answers, folder / RESPONSES, folder / RESPONDENTS)
    return sha256(folder / RESPONSES)


def _save_answers(workspace: Workspace, run: FilterRun, folder: Path) -> str:
    """Write received answers in normal form, but never over answers that they do not hold."""
    assert run.respondents is not None  # noqa: S101  # a mapping is of answers
    answers = run.respondents.answers
    path = workspace.responses_folder / RESPONSES
    beside = workspace.curate_folder / RESPONSES
    people = RESPONDENTS
    write_answers(answers, beside, beside.with_name(people))
    digest = sha256(beside)
    if path.exists() and sha256(path) != digest:
        manifest = read_manifest(folder) if (folder / MANIFEST).exists() else None
        ours = manifest is not None and manifest.settings.get(_NORMAL) == sha256(path)
        if not ours or not _holds(answers, read_answers(path, answers.questions)):
            raise refusal("answers-unlike", str(path))
    beside.replace(path)
    beside.with_name(people).replace(path.with_name(people))
    return digest


def _holds(answers: Answers, earlier: Answers) -> bool:
    """Whether every answer that was written before is among these."""

    def pairs(part: Answers) -> set[tuple[str, int]]:
        width = len(part.questions)
        keys = np.unique(part.respondent * width + part.question)
        return {(part.respondents[key // width], int(key % width)) for key in keys}

    return pairs(earlier) <= pairs(answers)


def _inputs(workspace: Workspace, given: SurveyInput) -> list[Path]:
    """The files that the decisions come from; published counts need no questionnaire."""
    inputs = [workspace.culture_file, workspace.bank_file, workspace.groups_file, *given.files]
    files = (*given.surveys, *given.comprehension)
    if not all(path.suffix.lower() == ".json" for path in files):
        inputs.append(given.questionnaire or workspace.questionnaire_file)
    return inputs
