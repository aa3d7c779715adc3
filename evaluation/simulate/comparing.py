"""How far models answer the survey's questions as people do, and as one another.

The questions are asked of models as requests, with the options as people read them.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from curation.files.jsonl import Line, text_list
from curation.files.questionnaire import read_questionnaire, read_tallies
from curation.files.tables import read_text
from curation.files.workspace import Workspace
from curation.intervals import Values, interval
from curation.languages import Language, LanguageOrCode, load, missing
from curation.languages.prompts import Prompts, SurveyPrompt
from curation.records.culture import Culture
from curation.records.letters import choice_letters
from curation.records.messages import (
    CurateError,
    Finding,
    Results,
    Table,
    counted,
    finding,
    refusal,
    results,
    shortened,
)
from curation.records.settings import parse_settings
from curation.records.survey import (
    Option,
    Question,
    QuestionKind,
    Role,
    Tally,
    TargetRow,
    join_groups,
)
from evaluation.folders import Row, answered_requests, requests_by_id, save_requests, save_tables
from evaluation.parsing.verdicts import ReplyRule, read_reply
from evaluation.replies.files import (
    Attendance,
    ReplyTable,
    attendance,
    attendance_findings,
    load_replies,
    positions,
)
from evaluation.requests import read_lines
from evaluation.statistics import pooled, quotient
from survey.building.wording import merged_wording
from survey.rules import rounded, surveyed_sides

AGAIN = "the questions were changed since: make the requests again: curate survey simulate"


class Request(NamedTuple):
    """One question in one wording, without what the model is sent.

    Attributes:
        question_id: The question.
        prompt_id: The wording.
        choices: The options as shown, in their order; letters name them from A. The last one
            stands for no group.
    """

    question_id: str
    prompt_id: str
    choices: tuple[str, ...]


def read_prompts(language: LanguageOrCode, path: Path | None = None) -> tuple[SurveyPrompt, ...]:
    """The prompts of a language, or those of a user's own file.

    Args:
        language: The language, or its code.
        path: A YAML file with `prompts`, in place of the toolkit's own.

    Raises:
        CurateError: If there are none, or the file cannot be read.
    """
    if path is not None:
        given = parse_settings(read_text(path), Prompts[SurveyPrompt], path, "docs/survey.md")
        return given.prompts
    known = load(language)
    if known.simulate is None:
        told = refusal("evaluation", "simulate-prompts", "culture.yaml, language", language=known)
        raise missing("simulate", known, told)
    return known.simulate.prompts


def make_requests(
    questions: Iterable[Question],
    prompts: Sequence[SurveyPrompt],
    culture: Culture,
    seed: int,
    language: Language | None = None,
) -> Iterator[dict[str, object]]:
    """Yield a request for each question and prompt, as `requests.jsonl` holds them.

    The groups stand in an order that is drawn for each request, from the seed and the request's
    id alone; that no such stereotype exists stays last, as people saw it.

    Args:
        questions: The survey's questions.
        prompts: What stands round what people were asked.
        culture: The culture, for its own words of the survey.
        seed: The seed of the orders.
        language: Its language with what its workspace says of it; by default as we have it.

    Raises:
        CurateError: If there are no texts for the survey's questions, or two options of a question
            read alike.
    """
    texts = _survey_texts(culture, load(language or culture.language))
    names = {item.id: item.name or item.id for item in culture.categories}
    for question in questions:
        asked = texts[question.kind].format(
            stereotype=question.stereotype,
            category=names.get(question.category, question.category),
        )
        none = next((item.text for item in question.options if item.role is Role.NONE), "")
        last = " ".join((none or texts["none"]).split())
        groups = [option_text(item) for item in question.options if item.role is not Role.NONE]
        if len({text.casefold() for text in (*groups, last)}) <= len(groups):
            where = f"question {question.id}, column text"
            raise refusal("evaluation", "simulate-alike", where, id=question.id)
        for prompt in prompts:
            request_id = f"{question.id}-p{prompt.id}"
            shown = list(groups)
            random.Random(f"{seed}:{request_id}").shuffle(shown)  # noqa: S311  # a seeded draw
            choices = [*shown, last]
            letters = choice_letters(len(choices))
            options = "\n".join(map("{}. {}".format, letters, choices))
            several = question.kind is QuestionKind.SELECT_ALL
            content = (prompt.select_all if several else prompt.choice).format(
                question=asked.strip(), options=options, culture=culture.culture
            )
            yield {
                "request_id": request_id,
                "question_id": question.id,
                "prompt_id": prompt.id,
                "messages": [{"role": "user", "content": content.strip()}],
                "choices": choices,
            }


def _survey_texts(culture: Culture, language: Language) -> dict[str, str]:
    """What people were asked in each kind of question, and the option for no group."""
    words = merged_wording(culture, language)
    asked = {"choice": words.choice, "select_all": words.select_all, "none": words.none}
    texts = {name: text or "" for name, text in asked.items()}
    lacking = [name for name, text in texts.items() if not text]
    if lacking:
        where, names = "culture.yaml, questionnaire.wording", ", ".join(lacking)
        told = refusal("evaluation", "simulate-texts", where, language=language, names=names)
        raise missing("survey", language, told)
    return texts


def option_text(option: Option) -> str:
    """An option as respondents read it, on one line."""
    return " ".join((option.text or option.label).split())


def read_requests(path: Path) -> dict[str, Request]:
    """Read the requests that replies answer, by their ids.

    Raises:
        CurateError: If a line cannot be read, or an id occurs twice: a score over half of the
            requests would not say so.
    """
    return requests_by_id(path, read_lines(path), _request_of, "request", AGAIN)


def _request_of(line: Line) -> Request:
    choices = text_list(line.value.get("choices"), "choices")
    if len(choices) < 2:
        raise ValueError("it has fewer than two choices")
    return Request(line.text("question_id"), line.text("prompt_id"), tuple(choices))


READING_COLUMNS = (
    *("model", "request_id", "question_id", "prompt_id", "kind", "category"),
    *("choice", "groups", "rule", "people", "exact", "f1"),
)
"""The columns of `readings.csv`, one row a reply."""


class NoAnswers(StrEnum):
    """Why the people's answers to a question say nothing."""

    TIE = "tie"
    NO_DATA = "no_data"


People = Mapping[str, frozenset[str] | NoAnswers]
"""By question id the groups that the people name, or why there is no answer. There is no group
where they say that no such stereotype exists, or, in target selection, where none is a target."""


def public_answers(
    questions: Iterable[Question], tallies: Iterable[Tally], targets: Sequence[TargetRow]
) -> dict[str, frozenset[str] | NoAnswers]:
    """By question id what the people answered.

    In validation that is the option with the most votes of all, 'no such stereotype' included;
    where two options have the most it is a tie. In target selection it is the groups that
    `targets.csv` holds as targets.

    Args:
        questions: The questions, as models are asked them.
        tallies: The counts; those of a question with other options are of another question.
        targets: Where each group stands.
    """
    counted = {tally.question.id: tally for tally in tallies}
    return {item.id: _public(item, counted.get(item.id), targets) for item in questions}


def _public(
    question: Question, tally: Tally | None, targets: Sequence[TargetRow]
) -> frozenset[str] | NoAnswers:
    asked = (question.kind, question.group_sets)
    if tally is None or asked != (tally.question.kind, tally.question.group_sets):
        return NoAnswers.NO_DATA
    voted = list(zip(tally.question.options, tally.votes, strict=True))
    if question.kind is QuestionKind.CHOICE:
        most = max(tally.votes, default=0)
        top = [option for option, votes in voted if votes == most]
        if most == 0:
            return NoAnswers.NO_DATA
        return NoAnswers.TIE if len(top) > 1 else frozenset(top[0].groups)
    own = (tally.question.category, tally.question.stereotype, question.kind, tally.respondents)
    known = {
        (row.group, row.votes)
        for row in targets
        if (row.category, row.stereotype, row.kind, row.respondents) == own
    }
    wanted = {(option.label, votes) for option, votes in voted if option.groups}
    if tally.respondents == 0 or not wanted <= known:
        return NoAnswers.NO_DATA
    return frozenset(surveyed_sides(tally, targets)[0])


def f1(named: frozenset[str], wanted: frozenset[str]) -> float:
    """The F1 of a set against another: 2 |both| / (|one| + |other|).

    Two empty sets agree wholly, so that theirs is 1.
    """
    if not named and not wanted:
        return 1.0
    return 2 * len(named & wanted) / (len(named) + len(wanted))


def match_questions(
    requests: Mapping[str, Request], questions: Iterable[Question]
) -> dict[str, Question]:
    """By request id the question that it asks.

    Raises:
        CurateError: If a question is there no more, or has other options than its request showed.
    """
    by_id = {question.id: question for question in questions}
    for name, request in requests.items():
        question = by_id.get(request.question_id)
        if question is None or sorted(request.choices[:-1]) != sorted(_groups_of(question)):
            asked = request.question_id
            raise refusal("evaluation", "simulate-other", f"question {asked}", name=name, id=asked)
    return {name: by_id[request.question_id] for name, request in requests.items()}


def _groups_of(question: Question) -> dict[str, frozenset[str]]:
    """The groups of each option by its text, without the option for no group."""
    options = (option for option in question.options if option.role is not Role.NONE)
    return {option_text(option): frozenset(option.groups) for option in options}


def read_answers(
    requests: Mapping[str, Request],
    questions: Mapping[str, Question],
    people: People,
    replies: ReplyTable,
    own: Language | None = None,
) -> tuple[pd.DataFrame, tuple[Attendance, ...]]:
    """Parse the replies of every model.

    Args:
        requests: What was asked, by id.
        questions: By request id the question.
        people: By question id what the people answered.
        replies: The replies.
        own: The language whose own words replies are read with too.

    Returns:
        A row a reply with `READING_COLUMNS`, by model in the order of the requests, and who
        answered what. `groups` are what the reply names, a frozenset, None where it is
        out-of-choice; `people` what the people answered; `exact` and `f1` compare the two, and
        are None where one has no answer. In validation there is no `f1`.
    """
    names = list(requests)
    at = positions(replies, names)
    order = {name: place for place, name in enumerate(replies.models)}
    rules: list[str] = []
    rows: list[tuple[int, int, dict[str, object]]] = []
    columns = (replies.frame["model"].tolist(), at.tolist(), replies.frame["reply"].tolist())
    for model, place, text in zip(*columns, strict=True):
        if place < 0 or not isinstance(text, str):
            rules.append("")
            continue
        request, question = requests[names[place]], questions[names[place]]
        row: dict[str, object] = {
            "model": model,
            "request_id": names[place],
            "question_id": question.id,
            "prompt_id": request.prompt_id,
            "kind": question.kind.value,
            "category": question.category,
            **_read(text, request.choices, question, people[question.id], own),
        }
        rules.append(str(row["rule"]))
        rows.append((order[model], place, row))
    ordered = [row for _, _, row in sorted(rows, key=lambda item: item[:2])]
    frame = pd.DataFrame(ordered, columns=list(READING_COLUMNS), dtype=object)
    return frame, attendance(replies, names, at, rules)


def _read(
    text: str,
    choices: Sequence[str],
    question: Question,
    people: frozenset[str] | NoAnswers,
    own: Language | None,
) -> dict[str, object]:
    """What a reply names, beside what the people answered."""
    several = question.kind is QuestionKind.SELECT_ALL
    last = len(choices) - 1
    reading = read_reply(text, choices, several=several, none=last, own=own)
    chosen, rule = sorted(reading.chosen or ()), reading.rule
    if last in chosen and len(chosen) > 1:  # 'none' goes with no group
        chosen, rule = [], ReplyRule.CONTRADICTION
    groups = _groups_of(question)
    named = frozenset(group for at in chosen for group in groups.get(choices[at], ()))
    is_compared = bool(chosen) and not isinstance(people, NoAnswers)
    letters = choice_letters(len(choices))
    return {
        "choice": ", ".join(letters[at] for at in chosen),
        "groups": named if chosen else None,
        "rule": rule.value,
        "people": people,
        "exact": named == people if is_compared else None,
        "f1": f1(named, frozenset(people)) if is_compared and several else None,
    }


_SCORES = ("exact_match", "mean_f1", "group_f1")
SCORE_COLUMNS = (
    *("model", "group_by", "group", "kind", "n", "out_of_choice", "exact_match", "mean_f1"),
    *("exact_match_low", "exact_match_high", "mean_f1_low", "mean_f1_high"),
    *("out_of_choice_ratio", "missing", "questions", "ties", "without_data", "group_f1"),
)
"""The columns of `scores.csv`; `n + out_of_choice + missing` is the number of requests whose
questions the people have answered."""
PAIR_COLUMNS = ("model", "other", "kind", "n", *_SCORES)
"""The columns of `pairs.csv`; `n` are the requests to which both replies were parsed."""


def mean_of(sums: Values, counts: Values) -> tuple[float | None, float | None, float | None]:
    """A mean over replies with its 95 % interval over questions, as of the scores of a benchmark.

    Replies to one question in several wordings are not independent.

    Args:
        sums: For each question the sum over its replies, each from 0 to 1.
        counts: For each question how many replies it has.

    Returns:
        The mean, None without a reply; and the interval's ends, None with replies to fewer than
        two questions.
    """
    value, *moved = pooled(np.stack([sums, counts], axis=-1), quotient(0, 1), counts)
    ends = interval(value, moved[0], moved[1], (0.0, 1.0))
    mean, low, high = (None if np.isnan(it) else rounded(float(it)) for it in (value, *ends))
    return mean, low, high


def group_f1(pairs: Iterable[tuple[str, frozenset[str], frozenset[str]]]) -> float | None:
    """The F1 of each group over all questions, averaged over groups (KoBBQ, section 5.2).

    It is another measure than the mean of the questions' F1: a group that is asked about often
    counts once, and so does one that is named a single time.

    Args:
        pairs: Of each reply the category, the groups named and those wanted; a group of one
            category is none of another.

    Returns:
        None where neither side names any group.
    """
    both: Counter[tuple[str, str]] = Counter()
    either: Counter[tuple[str, str]] = Counter()
    for category, named, wanted in pairs:
        both.update((category, group) for group in named & wanted)
        either.update((category, group) for group in (*named, *wanted))
    if not either:
        return None
    return rounded(sum(2 * both[group] / count for group, count in either.items()) / len(either))


def score_rows(
    questions: Mapping[str, Question],
    people: People,
    answers: pd.DataFrame,
    attendance: Sequence[Attendance],
) -> Iterator[Row]:
    """Score every model, overall and by category.

    Args:
        questions: By request id the question that it asks.
        people: By question id what the people answered.
        answers: What the models answered, as `read_answers` gives it.
        attendance: Which requests each of them replied to.
    """
    asked = {question.id: question for question in questions.values()}
    for item in attendance:
        mine = answers[answers["model"] == item.model]
        missing = Counter(questions[name].id for name in item.missing)
        for group, members in _groups(asked.values()):
            open_ones = [people[name] for name in members if isinstance(people[name], NoAnswers)]
            known = [name for name in members if not isinstance(people[name], NoAnswers)]
            part = mine[mine["question_id"].isin(known)]
            lacking = sum(missing[name] for name in known)
            row: Row = {"model": item.model, **group, **_scored(part)}
            row |= {"missing": lacking, "ties": open_ones.count(NoAnswers.TIE)}
            row["without_data"] = open_ones.count(NoAnswers.NO_DATA)
            yield {name: row[name] for name in SCORE_COLUMNS}


def _groups(asked: Iterable[Question]) -> Iterator[tuple[dict[str, str], list[str]]]:
    """Yield what there is a row for, with its questions: each kind, overall and by category."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for item in asked:
        for group_by, group in (("overall", ""), ("category", item.category)):
            found.setdefault((group_by, group, item.kind.value), []).append(item.id)
    places = list(dict.fromkeys(group for _, group, _ in found))
    for key in sorted(found, key=lambda key: (key[0] != "overall", places.index(key[1]), key[2])):
        yield dict(zip(("group_by", "group", "kind"), key, strict=True)), found[key]


def _scored(part: pd.DataFrame) -> Row:
    """The scores of replies to questions of one kind that the people have answered."""
    read = part[part["groups"].notna()]
    by_question = read[["exact", "f1"]].astype(np.float64).groupby(read["question_id"])
    sums = by_question.sum()
    counts = np.asarray(by_question.size(), np.float64)
    row: Row = {"n": len(read), "out_of_choice": len(part) - len(read), "questions": len(counts)}
    several = bool(read["f1"].notna().any())
    for name, column in (("exact_match", "exact"), ("mean_f1", "f1")):
        is_scored = several or column == "exact"
        found = mean_of(sums[column].to_numpy(), counts) if is_scored else (None,) * 3
        row |= dict(zip((name, f"{name}_low", f"{name}_high"), found, strict=True))
    named = read.loc[read["f1"].notna(), ["category", "groups", "people"]]
    row["group_f1"] = group_f1(named.itertuples(index=False, name=None))
    row["out_of_choice_ratio"] = rounded(1 - len(read) / len(part)) if len(part) else None
    return row


def pair_rows(answers: pd.DataFrame) -> Iterator[Row]:
    """Compare every two models with each other, on the requests that both answered."""
    read = answers[answers["groups"].notna()]
    by_model = dict(iter(read.groupby("model", sort=False)))
    for model, other in combinations(by_model, 2):
        both = by_model[model].merge(by_model[other][["request_id", "groups"]], on="request_id")
        for kind in (QuestionKind.CHOICE, QuestionKind.SELECT_ALL):
            mine = both[both["kind"] == kind.value]
            pairs = mine[["category", "groups_x", "groups_y"]]
            named = list(pairs.itertuples(index=False, name=None))
            if not named:
                continue
            exact = rounded(sum(one == two for _, one, two in named) / len(named))
            several: tuple[float | None, ...] = (None, None)
            if kind is QuestionKind.SELECT_ALL:
                mean = rounded(sum(f1(one, two) for _, one, two in named) / len(named))
                several = mean, group_f1(named)
            cells: tuple[Any, ...] = (model, other, kind.value, len(named), exact, *several)
            yield dict(zip(PAIR_COLUMNS, cells, strict=True))


FOLDER = "simulate"
"""The folder below the exports that requests go to."""


def prepare(
    workspace: Workspace,
    prompts: int | Path = 1,
    *,
    seed: int | None = None,
    out: Path | None = None,
) -> dict[str, Any]:
    """Write the requests by which models are asked the survey's own questions.

    Args:
        workspace: The workspace.
        prompts: How many of the language's wordings of each question, or a YAML file of others.
        seed: The seed of the order of options; by default that of the questionnaire.
        out: The file; by default one in `exports`, with a manifest.

    Returns:
        How many `requests` were written, and how many `questions` of each kind; the ids of the
        wordings (`prompts`), the `seed` of the order of options, and the `file`.

    Raises:
        CurateError: If there is no survey, or there are not as many wordings, or a file cannot
            be read or written.
    """
    questions, source = _questions(workspace)
    wording = prompts if isinstance(prompts, Path) else None
    used = read_prompts(workspace.language, wording)
    if isinstance(prompts, int):
        if not 1 <= prompts <= len(used):
            raise CurateError(f"there are {counted(len(used), 'wording')}, and not {prompts}")
        used = used[:prompts]
    drawn = workspace.culture.questionnaire.seed if seed is None else seed
    kinds = {
        kind.value: sum(item.kind is kind for item in questions)
        for kind in (QuestionKind.CHOICE, QuestionKind.SELECT_ALL)
    }
    ids = tuple(item.id for item in used)
    file, written = save_requests(
        workspace,
        make_requests(questions, used, workspace.culture, drawn, workspace.language),
        FOLDER,
        out,
        (workspace.culture_file, source, wording),
        counts=kinds,
        settings={"seed": drawn, "prompts": ids},
        command="survey simulate",
    )
    made = {"requests": written, "questions": kinds, "prompts": ids}
    return {**made, "seed": drawn, "file": file}


def _questions(workspace: Workspace) -> tuple[list[Question], Path]:
    """The questions about stereotypes, and the file that they are from."""
    workspace.culture  # noqa: B018  # a missing workspace is said before a missing survey
    path = workspace.questionnaire_file
    if path.exists():
        found = list(read_questionnaire(path, workspace.book))
    else:
        path = workspace.tallies_file
        found = [tally.question for tally in read_tallies(path, workspace.book)]
    questions = [item for item in found if item.kind is not QuestionKind.COMPREHENSION]
    if not questions:
        raise refusal("evaluation", "simulate-none", str(workspace.questionnaire_file))
    return questions, path


def simulate(
    workspace: Workspace,
    replies: Sequence[Path],
    *,
    out: Path | None = None,
) -> Results:
    """Compare models' replies to the survey's questions with the people's answers.

    Args:
        workspace: The workspace.
        replies: What models replied; what they were asked is in the file beside them, or of the
            exports.
        out: A folder for scores and readings, with a manifest.

    Raises:
        CurateError: If a file cannot be read or written, nobody's answers are counted yet, or the
            requests are not about the survey's questions.
    """
    questions, source = _questions(workspace)
    tallies_file = workspace.tallies_file
    tallies = read_tallies(tallies_file, workspace.book)
    if not tallies:
        raise refusal("evaluation", "simulate-uncounted", str(tallies_file))
    path = answered_requests(workspace, None, replies[0], FOLDER, "survey simulate")
    asked, given = read_requests(path), load_replies(replies)
    targets = workspace.targets
    made, answers = compare(asked, questions, tallies, targets, given, workspace.language)
    found = replace(made, values_by_key={**made, "requests": path})
    if out is not None:
        inputs = (source, tallies_file, workspace.targets_file, path, *replies)
        counts = {"models": len(found["models"]), "readings": len(answers)}
        # What `prepare` put there stays there.
        kept = [out / path.name] if path.resolve().parent == out.resolve() else []
        tables = {**found.tables, "readings": (READING_COLUMNS, list(_readings(answers)))}
        written = (tables, workspace, out, inputs, counts)
        save_tables(*written, command="survey simulate", kept=kept)
    return found


def compare(
    requests: Mapping[str, Request],
    questions: Iterable[Question],
    tallies: Sequence[Tally],
    targets: Sequence[TargetRow],
    replies: ReplyTable,
    own: Language | None = None,
) -> tuple[Results, pd.DataFrame]:
    """Compare models' replies with the people's answers.

    Args:
        requests: What the models were asked, by id.
        questions: The survey's questions.
        tallies: The people's counts.
        targets: Where the people's answers put each group.
        replies: What the models replied.
        own: The language whose own words replies are read with too.

    Returns:
        The `scores`, and in `pairs` how far every two models answer alike. Told are how each of
        the `models` replied, and the `duplicates` that were left out, for a later reply to the
        same request counts. And every reply, parsed, as `read_answers` gives it.

    Raises:
        CurateError: If the requests are not about these questions.
    """
    matched = match_questions(requests, questions)
    people = public_answers(matched.values(), tallies, targets)
    answers, attended = read_answers(requests, matched, people, replies, own)
    file = ", ".join(map(str, replies.paths))
    tables: dict[str, Table] = {
        "scores": (SCORE_COLUMNS, list(score_rows(matched, people, answers, attended))),
        "pairs": (PAIR_COLUMNS, list(pair_rows(answers))),
    }
    unread = answers["model"][answers["groups"].isna()].value_counts()
    told = {
        "models": [_attended(item, int(unread.get(item.model, 0))) for item in attended],
        "duplicates": replies.duplicates,
    }
    findings = (*replies.findings, *attendance_findings(attended, file), *_left_out(people))
    return results(tables, findings, told), answers


def _attended(item: Attendance, unread: int) -> dict[str, object]:
    return {
        "model": item.model,
        "requests": item.asked,
        "replies": item.asked - item.lacking,
        "out_of_choice": unread,
        "rules": item.rules,
        "missing": item.missing,
        "failed": item.failed,
        "unknown": item.unknown,
        "complete": not item.lacking,
    }


def _left_out(people: People) -> Iterator[Finding]:
    for key, why in (("tie", NoAnswers.TIE), ("no-data", NoAnswers.NO_DATA)):
        left = [name for name, standing in people.items() if standing is why]
        if left:
            names, file = shortened(left), "tallies.csv"
            yield finding("evaluation", f"simulate-{key}", file, count=len(left), shown=names)


def _readings(answers: pd.DataFrame) -> Iterator[dict[Any, object]]:
    """Every reply as the file holds it."""
    for row in answers.to_dict("records"):
        f1 = "" if row["f1"] is None else f"{row['f1']:.6g}"
        groups, people = _cell(row["groups"]), _cell(row["people"])
        yield {**row, "groups": groups, "people": people, "f1": f1}


def _cell(groups: frozenset[str] | NoAnswers | None) -> str:
    if groups is None or isinstance(groups, NoAnswers):
        return groups or ""
    return join_groups(sorted(groups)) or "none"
