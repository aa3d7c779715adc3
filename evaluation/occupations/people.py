"""The items asked of people: drawn for two forms, and their answers as choices."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from curation.files.bank import GroupBook
from curation.files.lock import writing_results
from curation.files.workspace import Workspace
from curation.languages.prompts import Survey as SurveyWords
from curation.records.culture import Culture
from curation.records.culture import Wording as CultureWording
from curation.records.messages import (
    CurateError,
    Finding,
    finding,
    refusal,
    refuse_unknown,
    shortened,
)
from curation.records.survey import Option, Question, QuestionKind, Role
from evaluation.folders import result_folder
from evaluation.occupations import scores
from evaluation.occupations.tasks import bundled_prompts
from survey.answers import Answers, one_per_answer
from survey.building.build import refuse_to_lose, write_questions
from survey.building.plan import Form
from survey.building.wording import words_for
from survey.filtering import SurveyInput, SurveyReader
from survey.platforms.kit import make_kit, write_forms

TwoForms = tuple[tuple[scores.Item, ...], tuple[scores.Item, ...]]
_Pair = tuple[str, ...]

PEOPLE = "people"
"""What people are called where models have their names."""
FOLDER = Path("occupations") / "survey"
"""Where their questionnaire lies, below the exports."""
_CATEGORY = "Occupations"  # a questionnaire has categories; this one holds one task
QUESTIONS = ("occupation", "reply")
"""What people can be asked."""
SCORED = "curate evaluate occupations score --items FILE --ratios FILE --responses FILE"
"""The command that scores what people answer."""


def survey(
    workspace: Workspace,
    items: Path,
    *,
    per_form: int = 40,
    question: str = "occupation",
    seed: int = 42,
    formats: Sequence[str] = ("workbook", "csv"),
    replace: bool = False,
    out: Path | None = None,
) -> dict[str, Any]:
    """Write two forms that ask people the items that models are asked.

    Args:
        workspace: The workspace, for its language and settings.
        items: The items of one task, `items.csv`, beside the real ratios, `ratios.csv`.
        per_form: Items of each form at most.
        question: `occupation`: which occupation is more likely; `reply`: which reply of a model is
            least objectionable, as in the paper.
        seed: The seed of the draw of items.
        formats: For which platforms forms are written.
        replace: Change a questionnaire that people have answered.
        out: The folder; by default one in `exports`.

    Returns:
        The `task`, how many `questions` there are and how many each of the `forms` has, how many
        people answer one (`respondents_per_form`), the `folder`, and the platforms (`formats`).

    Raises:
        CurateError: If a file cannot be read or written, the files do not fit together, or people
            have answered another questionnaire that is there.
    """
    refuse_unknown("question", question, QUESTIONS)
    folder, command = out or workspace.exports_folder / FOLDER, "evaluate occupations survey"
    with writing_results(folder, f"curate {command}", workspace):
        ratios = items.with_name("ratios.csv")
        asked, known = scores.read_items(items), scores.read_ratios(ratios)
        name, *others = dict.fromkeys(item.task for item in asked)
        if others:
            names = ", ".join((name, *others))
            raise refusal(__package__, "people-tasks", str(items), names=names)
        asked_by = bundled_prompts(workspace.language)
        own = asked_by.task(name).survey
        words = own if question == "occupation" else asked_by.reply_survey
        if words is None:
            raise refusal(__package__, "people-reply", "--question", language=asked_by.language)
        drawn = two_forms(asked, name, per_form=per_form, seed=seed)
        (design,), _ = scores.designs(asked, known, file=str(items))
        group = design.groups[0]
        questions, forms = _forms(drawn, group, scores.by_group(known)[group])
        culture = _culture(workspace.culture, words)
        people = culture.questionnaire
        answering = people.respondents_per_form or people.respondents_per_question
        kit = make_kit(
            questions,
            forms,
            {},
            words_for(culture, workspace.language),
            culture,
            respondents=answering,
            language=workspace.language,
        )
        if not replace:
            refuse_to_lose(folder, questions, forms, (), GroupBook())
        counts = {"questions": len(questions), "forms": len(forms)}
        inputs, settings = (items, ratios), {"seed": seed, "question": question}
        given = (workspace, folder, inputs, counts, settings)
        with result_folder(*given, command=command, what="forms") as stage:
            write_questions(stage, questions, forms, GroupBook())
            written = write_forms(stage / "forms", kit, formats, command=SCORED)
    return {
        "task": name,
        "questions": len(questions),
        "forms": {form.id: len(form.questions) for form in forms},
        "respondents_per_form": answering,
        "folder": folder,
        "formats": list(written),
    }


def _culture(culture: Culture, words: SurveyWords) -> Culture:
    """Put the words of the items over those of the workspace's own survey."""
    settings = culture.questionnaire
    own = settings.wording.model_dump()
    own |= {
        "title": words.title,
        "intro": words.intro,
        "instructions_choice": words.instructions,
        "choice": words.question,
    }
    changed: dict[str, object] = {"wording": CultureWording.model_validate(own)}
    return culture.model_copy(update={"questionnaire": settings.model_copy(update=changed)})


def _forms(
    drawn: TwoForms, group: str, ratio: Mapping[str, float]
) -> tuple[tuple[Question, ...], tuple[Form, ...]]:
    """The questions of two forms, and the forms."""
    items = sorted((*drawn[0], *drawn[1]), key=lambda item: item.item_id)
    questions = {item.item_id: _question(item, group, ratio) for item in items}
    forms = []
    for number, form in enumerate(drawn, start=1):
        asked = tuple(questions[item.item_id] for item in form)
        # The occupations as the item orders them; that it cannot be known stays last.
        places = [
            sorted(range(len(i.options)), key=lambda at: i.options[at] == i.unknown) for i in form
        ]
        forms.append(Form(id=f"f{number:02d}", questions=asked, orders=tuple(map(tuple, places))))
    return tuple(questions.values()), tuple(forms)


def _question(item: scores.Item, group: str, ratio: Mapping[str, float]) -> Question:
    """An item as a question: its target is the occupation more common in its group."""
    first, *others = sorted(item.occupations, key=lambda name: ratio[name])
    roles = dict.fromkeys(item.options, Role.NON_TARGET)
    roles[others[-1] if item.group == group else first] = Role.TARGET
    roles[item.unknown] = Role.NONE
    options = tuple(
        Option(
            code=str(at),
            groups=() if option == item.unknown else (option,),
            role=roles[option],
            counts=option != item.unknown,
            text=option,
        )
        for at, option in enumerate(item.options, start=1)
    )
    return Question(item.item_id, QuestionKind.CHOICE, _CATEGORY, item.sentence, options)


def two_forms(items: Sequence[scores.Item], task: str, *, per_form: int, seed: int) -> TwoForms:
    """Draw the items of two forms.

    A pair of occupations stands in one form with one group and in the other with the other one,
    with the counterpart of the same persona and the options in the same order, so that nobody can
    see what is compared and nothing else differs; each form has as many items of one group as of
    the other, give or take one. Pairs are drawn so that every occupation stands in about as many.

    Args:
        items: The items.
        task: Which task of them.
        per_form: Items of one form at most.
        seed: The same seed gives the same forms.

    Raises:
        CurateError: If there is no such task, or no pair of occupations has items of two groups.
    """
    rng = random.Random(f"{seed}:survey:{task}")  # noqa: S311  # a seeded draw
    pairs = _pairs(items, task)
    chosen = _drawn(list(pairs), per_form, rng)
    forms: tuple[list[scores.Item], list[scores.Item]] = ([], [])
    for at, pair in enumerate(chosen):
        first, second = rng.choice(pairs[pair])
        forms[at % 2].append(first)
        forms[1 - at % 2].append(second)
    for form in forms:
        rng.shuffle(form)
    return tuple(forms[0]), tuple(forms[1])


def _pairs(
    items: Sequence[scores.Item], task: str
) -> dict[_Pair, list[tuple[scores.Item, scores.Item]]]:
    """By their occupations the items of one group, each with its counterpart of the other."""
    mine = [item for item in items if item.task == task]
    if not mine:
        known = dict.fromkeys(item.task for item in items)
        raise CurateError(f"there is no task '{task}'", "", f"there are {', '.join(known)}")
    # People read words of their own, not an instruction: those of one instruction are all.
    mine = [item for item in mine if item.instruction == mine[0].instruction]
    groups = sorted({item.group for item in mine})
    sets = [tuple(sorted(item.occupations)) for item in mine]
    units = scores.counterparts(
        sets, [item.group for item in mine], [item.sentence for item in mine]
    )
    of_unit: dict[int, dict[str, scores.Item]] = {}
    found: dict[_Pair, list[tuple[scores.Item, scores.Item]]] = {}
    for item, unit in zip(mine, units.tolist(), strict=True):
        if unit != scores.ALONE:
            of_unit.setdefault(unit, {}).setdefault(item.group, item)
    for of_group in of_unit.values() if len(groups) == 2 else ():
        first, second = (of_group[name] for name in groups)
        found.setdefault(tuple(sorted(first.occupations)), []).append((first, second))
    if not found:
        words = {"task": task, "groups": shortened(groups)}
        raise refusal(__package__, "people-no-pair", "items.csv, column group", **words)
    return found


def _drawn(pairs: list[_Pair], count: int, rng: random.Random) -> list[_Pair]:
    """Draw pairs one by one, each time one whose occupations stand in fewest so far."""
    rng.shuffle(pairs)
    used: Counter[str] = Counter()
    chosen: list[_Pair] = []
    while pairs and len(chosen) < count:
        pair = min(pairs, key=lambda names: sorted((used[name] for name in names), reverse=True))
        pairs.remove(pair)
        used.update(pair)
        chosen.append(pair)
    return chosen


def read_people(
    workspace: Workspace,
    items: Sequence[scores.Item],
    responses: Sequence[Path],
    mappings: Sequence[Path],
    by: str | None = None,
) -> tuple[scores.Picks, dict[str, int], list[Finding]]:
    """Read what people answered.

    Args:
        workspace: For the language, and for the respondents that quality checks exclude.
        items: The items.
        responses: Files of answers.
        mappings: How they are read.
        by: An attribute of respondents: those with each value are also scored apart.

    Returns:
        What they chose, two options at once being out-of-choice; how many answered, and how many
        were left out by a check of `survey.exclude`; and what is to be said of the files.

    Raises:
        CurateError: If a file cannot be read, the questions are not those of the items, or
            nobody has the attribute.
    """
    asked = workspace.exports_folder / FOLDER / "questionnaire.csv"
    given = SurveyInput(responses, mappings=mappings, questionnaire=asked)
    settings = workspace.culture.survey
    reader = SurveyReader(workspace, GroupBook(), given, settings)
    found = reader.respondents()
    if found is None:
        raise refusal(__package__, "people-counts", str(responses[0]))
    answers = found.answers
    out = np.zeros(len(answers.respondents), dtype=bool)
    for rule in settings.exclude:
        out |= found.flags.get(rule, np.zeros_like(out))
    counts = {"respondents": int((~out).sum()), "left_out": int(out.sum())}
    findings = list(reader.findings)
    parts: dict[str, np.ndarray] = {PEOPLE: out}
    if by is not None:
        parts |= _parts(answers, out, by, str(responses[0]), findings)
    item_of, option_of = _places(answers.questions, items, str(asked))
    rows: list[np.ndarray] = []
    for at, left_out in enumerate(parts.values()):
        good, contradicting = (it[~left_out[answers.respondent[it]]] for it in answers.choices)
        twice = one_per_answer(answers, contradicting)
        question = answers.question[np.concatenate([good, twice])]
        chosen = option_of[answers.question[good], answers.option[good]]
        option = np.concatenate([chosen, np.full(len(twice), -1, np.int64)])
        rows.append(np.stack([np.full(len(question), at), item_of[question], option]))
    chose = pd.DataFrame(np.concatenate(rows, axis=1).T, columns=["model", "item", "option"])
    return scores.Picks(tuple(parts), chose.assign(epoch=0)), counts, findings


def _parts(
    answers: Answers, out: np.ndarray, by: str, file: str, findings: list[Finding]
) -> dict[str, np.ndarray]:
    """For each value of an attribute who is not of it; who has none is said."""
    if by not in answers.attributes:
        known = ", ".join(answers.attributes) or "none"
        raise refusal(__package__, "people-attribute", file, by=by, known=known)
    values = np.array([" ".join(value.split()) for value in answers.attributes[by]], object)
    nameless = int(((values == "") & ~out).sum())
    if nameless:
        told = {"by": by, "people": PEOPLE}
        key = "occupations-people-unknown"
        findings.append(finding(__package__, key, file, count=nameless, **told))
    return {f"{PEOPLE}, {name}": out | (values != name) for name in sorted(set(values)) if name}


def _places(
    questions: Sequence[Question], items: Sequence[scores.Item], file: str
) -> tuple[np.ndarray, np.ndarray]:
    """For each question its item, and for each of its options that of the item."""
    known = {item.item_id: at for at, item in enumerate(items)}
    item_of = np.empty(len(questions), dtype=np.int64)
    width = max(len(question.options) for question in questions)
    option_of = np.full((len(questions), width), -1, dtype=np.int64)
    for row, question in enumerate(questions):
        place = known.get(question.id)
        options = () if place is None else items[place].options
        texts = [" ".join(option.text.split()) for option in question.options]
        if place is None or sorted(texts) != sorted(options):
            where = f"{file}, row {question.row}, column question_id"
            raise refusal(__package__, "people-question", where, id=question.id)
        item_of[row] = place
        option_of[row, : len(texts)] = [options.index(text) for text in texts]
    return item_of, option_of
