"""The survey in the page: questions, votes, and what its rules need to be applied again.

The page lets a reader move each threshold. It has to decide then exactly as `survey.rules` does, so
it gets whole numbers and thresholds as fractions, never shares.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from curation.bank.generate import is_waiting, unread_lists
from curation.bank.sample_set import SampleSet
from curation.files.outcomes import TemplateOutcome
from curation.records.bank import Label, Template
from curation.records.culture import SurveySettings
from curation.records.messages import CurateError
from curation.records.survey import (
    BY_PEOPLE,
    NOT_USED,
    Decision,
    GroupRole,
    QuestionKind,
    Role,
    Rule,
    Tally,
    current,
    drops,
)
from exports.browse.chunks import ChunkWriter, Shown
from exports.browse.templates import told
from survey.bank import decided_settings, with_surveyed_groups
from survey.outcomes import decisions_of
from survey.rules import counting_options, equal_share, group_standing, named_any, target_rows

CHUNK = "survey"


def _parts(first: int, last: int, of: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(number, of) for number in range(first, last + 1))


_CHOSEN, _ONE, _READ = QuestionKind.SELECT_ALL, QuestionKind.CHOICE, QuestionKind.COMPREHENSION
_RULES: Mapping[str, tuple[Rule, str, QuestionKind | None, tuple[Fraction, ...]]] = {
    "target_multiple": (Rule.TARGET_SELECTION, ">=", _CHOSEN, _parts(10, 40, 10)),
    "non_target_multiple": (Rule.TARGET_SELECTION, "<=", _CHOSEN, _parts(1, 19, 20)),
    "target_share": (Rule.TARGET_SHARE, ">=", _CHOSEN, _parts(0, 50, 100)),
    "stereotype_share": (Rule.TWO_THIRDS, ">", _ONE, _parts(50, 100, 100)),
    "no_stereotype_limit": (Rule.NO_STEREOTYPE, "<=", None, _parts(10, 90, 100)),
    "comprehension_share": (Rule.COMPREHENSION, ">=", _READ, _parts(0, 100, 100)),
    "min_respondents": (Rule.MIN_RESPONDENTS, ">=", None, ()),
}
"""By threshold its rule, how a question compares with it that stays, which kind it is for, and
where it can be moved to; what is set and what is published are added."""
_RESPONDENTS_STEP = 5


def add_questions(writer: ChunkWriter, index: dict[str, Any], shown: Shown) -> None:
    """Write the chunk of the survey, and count its questions in the index.

    There is none where nothing was surveyed.

    Args:
        writer: Writes chunks.
        index: The index of the page, which gets `rules` and the number of questions.
        shown: What is shown.

    Raises:
        CurateError: If the settings of the last filter cannot be read, or no option of a question
            counts.
    """
    tallies = shown.final.tallies
    index["counts"]["questions"] = len(tallies)
    if not tallies:
        return
    settings = decided_settings(shown.workspace)
    thresholds = list(_thresholds(tallies, settings))
    index["rules"] = [
        {"rule": item["rule"], "setting": item["setting"], "value": item["ours"]}
        for item in thresholds
    ]
    rows = {str(item.template.id): at for at, item in enumerate(shown.outcomes)}
    linked: dict[str, list[int]] = {}
    for at, item in enumerate(shown.outcomes):
        if item.question is not None:
            linked.setdefault(item.question.id, []).append(at)
    standing = current(shown.workspace.renamed_decisions)
    writer.add(
        CHUNK,
        {
            "thresholds": thresholds,
            "questions": [_question(tally, settings, linked, rows, standing) for tally in tallies],
            "templates": list(_templates(shown, settings, thresholds)),
        },
    )


def _thresholds(tallies: Sequence[Tally], settings: SurveySettings) -> Iterator[dict[str, object]]:
    """The thresholds that any question of the survey is compared with, and their steps."""
    kinds = {tally.question.kind for tally in tallies}
    asked = kinds - {QuestionKind.COMPREHENSION}
    published = SurveySettings()
    for name, (rule, compare, kind, steps) in _RULES.items():
        if not (asked if kind is None else kind in kinds):
            continue
        ours, theirs = (Fraction(getattr(of, name)) for of in (settings, published))
        if name == "target_share" and not ours:
            continue  # a rule that this survey does not have
        steps = steps or _respondents(tallies)
        # The paper names no number of respondents that is enough, and has no share of targets.
        named = name not in ("min_respondents", "target_share")
        marks = {ours, theirs} if named else {ours}
        yield {
            "setting": name,
            "rule": rule.value,
            "compare": compare,
            "ours": str(ours),
            "published": str(theirs) if named else None,
            "values": [str(value) for value in sorted({*steps, *marks})],
        }


def _respondents(tallies: Sequence[Tally]) -> tuple[Fraction, ...]:
    asked = (t.respondents for t in tallies if t.question.kind is not QuestionKind.COMPREHENSION)
    steps = range(_RESPONDENTS_STEP, max(asked, default=0) + 6, _RESPONDENTS_STEP)
    return (Fraction(1), *map(Fraction, steps))


def _question(
    tally: Tally,
    settings: SurveySettings,
    linked: Mapping[str, Sequence[int]],
    rows: Mapping[str, int],
    standing: Mapping[tuple[str, Rule], Decision],
) -> dict[str, object]:
    """A question with its votes, and what it was decided by."""
    question = tally.question
    understood = question.kind is QuestionKind.COMPREHENSION
    chosen = question.kind is QuestionKind.SELECT_ALL and tally.respondents
    share = equal_share(tally, settings) if not understood and tally.respondents else None
    template = [rows[question.subject]] if understood and question.subject in rows else []
    made = decisions_of(tally, standing)
    outs = drops(made)
    kept = "kept" if made else "undecided"
    return {
        "id": question.id,
        "kind": question.kind.value,
        "category": question.category,
        "stereotype": question.stereotype,
        "template": question.template_id,
        "templates": template if understood else list(linked.get(question.id, ())),
        "respondents": tally.respondents,
        "none": tally.votes_of(Role.NONE),
        "named": None if understood else named_any(tally),
        "counting": None if understood else counting_options(tally),
        "share": None if share is None else [share.numerator, share.denominator],
        "options": [
            {
                "group": option.label or option.code,
                "role": option.role.value,
                "text": option.text,
                "votes": votes,
                "counts": option.counts,
                # Of a group of target selection, as others have none.
                "standing": group_standing(tally, votes, settings).value
                if chosen and option.role is not Role.NONE
                else "",
            }
            for option, votes in zip(question.options, tally.votes, strict=True)
        ],
        "near": any(item.borderline for item in made),
        "outcome": "excluded" if outs else kept,
        "reasons": [item.rule.value for item in outs],
        "decisions": [told(item) for item in made],
    }


def _templates(
    shown: Shown, settings: SurveySettings, thresholds: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, object]]:
    """By row of the index: what decides a template, and how many samples it gives.

    Its samples are those that it gives where it stays: one number where its groups are the same
    under any threshold, else by where the groups of its question stand, and under the empty key for
    every other way in which they can.
    """
    counter = _Counter(shown, settings, thresholds)
    for item in shown.outcomes:
        name = str(item.template.id)
        yield {
            "fixed": _fixed(item),
            "question": item.question.id if item.question is not None else "",
            "understood": list(shown.understood.get(name, ())),
            "samples": counter.samples(item),
        }


def _fixed(item: TemplateOutcome) -> str:
    """Where a template stands whatever the thresholds are; nothing where they decide."""
    if item.template.label is Label.SAMPLE_REMOVED:
        return "excluded"
    if item.decisive is not None and item.decisive.rule in BY_PEOPLE:
        return "excluded" if item.status in NOT_USED else "kept"
    return ""


_SELECTING = ("target_multiple", "non_target_multiple", "target_share")
"""The thresholds by which a group is a target or a non-target."""


class _Counter:
    """Counts the samples of templates, under any thresholds that the page offers.

    Args:
        shown: What is shown.
        settings: The thresholds that the decisions were made with.
        thresholds: What each of them can be moved to.
    """

    def __init__(
        self, shown: Shown, settings: SurveySettings, thresholds: Sequence[Mapping[str, Any]]
    ) -> None:
        self.shown, self.settings = shown, settings
        self.tallies = {tally.question.id: tally for tally in shown.final.tallies}
        self.values = {it["setting"]: [*map(Fraction, it["values"])] for it in thresholds}
        self._moved: dict[str, dict[str, SurveySettings]] = {}

    def samples(self, item: TemplateOutcome) -> int | dict[str, int]:
        """How many samples a template gives: one number, or by the standing of each option."""
        question = item.question
        of_options = question is not None and question.kind is QuestionKind.SELECT_ALL
        if question is None or not of_options or item.by_id:
            return self._count(item.template)
        stated = self._count(item.template)
        counts = {"": stated}
        for code, settings in self._standings(question.id).items():
            if not {"t", "n"} <= set(code):
                continue  # only a person keeps it then, and it has the groups that it states
            try:
                rows = target_rows(self.tallies[question.id], settings)
                template = with_surveyed_groups(item, self.shown.workspace, self.tallies, rows)
            except CurateError:
                counts[code] = 0  # it stays, and cannot take these groups
            else:
                same = template is None or template.variants == item.template.variants
                counts[code] = stated if same or template is None else self._count(template)
        return counts if set(counts.values()) != {stated} else stated

    def _standings(self, question: str) -> Mapping[str, SurveySettings]:
        """The ways in which the groups of a question can stand, each with thresholds that do it."""
        if question not in self._moved:
            tally = self.tallies[question]
            found: dict[str, SurveySettings] = {}
            for moved in self._settings(tally) if tally.respondents else ():
                found.setdefault(standing_code(tally, moved), moved)
            self._moved[question] = found
        return self._moved[question]

    def _settings(self, tally: Tally) -> Iterator[SurveySettings]:
        """Thresholds that together make every difference there can be to a question.

        Which groups are targets does not depend on the multiple of non-targets, nor the other way
        round: of the steps of each threshold one is enough of all that come to the same.
        """
        steps = {name: self.values[name] for name in _SELECTING if name in self.values}
        lowest = {"target_multiple": min(steps["target_multiple"])}
        for name, values in steps.items():
            found: dict[str, Fraction] = {}
            for value in values:
                moved = self.settings.model_copy(update={**lowest, name: value})
                found.setdefault(standing_code(tally, moved), value)
            steps[name] = list(found.values())
        for chosen in product(*steps.values()):
            yield self.settings.model_copy(update=dict(zip(steps, chosen, strict=True)))

    def _count(self, template: Template) -> int:
        """How many samples a template gives; none where it waits or cannot be filled."""
        if is_waiting(template) or unread_lists(template) is not None:
            return 0
        edition = self.shown.edition
        planned = SampleSet(edition.workspace, (template,), None, edition.settings).plan()
        return sum(planned.written(item) for item in planned.templates)


_CODES = {GroupRole.TARGET: "t", GroupRole.NON_TARGET: "n", GroupRole.NEITHER: "-"}


def standing_code(tally: Tally, settings: SurveySettings) -> str:
    """The roles of a question's groups, one letter each, in the order of its options.

    `t` is a target, `n` a non-target, `-` neither. The option that no stereotype exists has none.
    """
    return "".join(
        _CODES[group_standing(tally, votes, settings)]
        for option, votes in zip(tally.question.options, tally.votes, strict=True)
        if option.role is not Role.NONE
    )
