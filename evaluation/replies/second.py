"""A model as second reader: which choice does a reply name, or none, asked beside the rules."""

import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from curation.annotation.agreement import cohen_kappa
from curation.files.jsonl import write_objects
from curation.files.lock import writing_results
from curation.files.tables import read_table, refuse_problems, write_csv
from curation.files.workspace import Workspace
from curation.languages import Language, load
from curation.languages.prompts import NO_CHOICE, SecondReader
from curation.records.letters import choice_letters
from curation.records.messages import Results, refusal
from evaluation.parsing.verdicts import read_reply
from evaluation.replies.files import load_replies
from evaluation.replies.readings import PERSON, Judged
from evaluation.replies.reply import FailureKind
from evaluation.replies.rows import Alike, ReadReplies, alike_of, shortened_reply
from evaluation.runner.asking import Note, plan_run, run
from evaluation.runner.backend import BackendSettings

SECOND_COLUMNS = (
    *("request_id", "model", "reader", "answer", "choice_text", "rule_answer", "rule", "reply"),
)
"""The columns of a second reader's file."""
NOTHING, UNCLEAR = "none", "unclear"
"""Its answers beside letters: the reply names no choice; what it wrote itself is no letter."""
_FALLBACK = "en"
_KINDS = ("same", "both_none", "reader_alone", "rules_alone", "different", UNCLEAR)


def _kind(answer: str, rules: str) -> str:
    if answer == UNCLEAR:
        return UNCLEAR
    if answer == rules:
        return "both_none" if answer == NOTHING else "same"
    if NOTHING in (answer, rules):
        return "reader_alone" if rules == NOTHING else "rules_alone"
    return "different"


_Question = tuple[str, str, Alike]
"""What a question is known by, what the reader is asked, and the replies that it is about."""


def read_second(
    workspace: Workspace,
    read: ReadReplies,
    reader: BackendSettings,
    language: Language | None = None,
    *,
    every: bool = False,
    note: Note = lambda _line: None,
) -> Results:
    """Ask a model which choice each reply names that no rule could read.

    Its replies go into the store of all runs, so that nothing is asked or paid twice. What it says
    changes no reading.

    Args:
        workspace: The workspace.
        read: The replies, as the rules read them.
        reader: The model, and where it is asked.
        language: In whose words; None, or one that has none, for English.
        every: Whether it is asked of every reply, which shows how far it agrees with the rules.
        note: Called with messages for the user during the run.

    Returns:
        - `reader`, the model, and how many `replies` it read;
        - `asked`: how many different questions it was asked, for replies alike to the same choices
          are one, and how many of them had been answered before (`from_store`);
        - `agreement`: how far it agrees with the rules. `same`: the same choice; `both_none`: no
          choice for both; `reader_alone`: the reader names one where the rules read none;
          `rules_alone`: the other way round; `different`: two choices; `unclear`: the reader's
          reply is no letter;
        - `kappa`: Cohen's kappa (1960) of reader and rules over letters and `none`, without unclear
          ones. None where it is undefined: nothing was read, or both always say the same one thing.

        Its `save` writes the table, one row a reply, to a file: request, the model that replied,
        the reader, its answer (the letter of the choice by its position, `none`, or `unclear` where
        its own reply is no letter), the choice, None without one, what the rules parsed: a letter
        or `none`, and by which rule or why none; and a hash of the reply and the choices.

    Raises:
        CurateError: If there is nothing to ask, or a question is left without a reply.
    """
    own = language.second_reader if language is not None else None
    prompt = own or load(_FALLBACK).second_reader
    assert prompt is not None  # noqa: S101  # the toolkit's English has one
    questions = list(_questions(read, prompt, every=every))
    if not questions:
        raise refusal("evaluation", "second-nothing")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        write_objects(
            folder / "requests.jsonl",
            (
                {
                    "request_id": name,
                    "messages": [{"role": "user", "content": text}],
                    "choices": [*same.choices, NO_CHOICE],
                }
                for name, text, same in questions
            ),
        )
        files = {name: folder / f"{name}.jsonl" for name in ("requests", "replies")}
        ran = run(plan_run(workspace, "openai", reader, **files), note)
        if ran.error() and "temperature" in str(ran.tally.examples.get(FailureKind.REFUSED)):
            note("the second reader takes no temperature: it is asked again without one")
            others = {name: it for name, it in reader.parameters.items() if name != "temperature"}
            reader = replace(reader, parameters=others)
            files["replies"] = folder / "again.jsonl"  # all are then replies of one kind
            ran = run(plan_run(workspace, "openai", reader, **files), note)
        if (problem := ran.error()) is not None:
            raise problem
        frame = load_replies([files["replies"]]).frame
    replies = dict(zip(frame["request_id"].tolist(), frame["reply"].tolist(), strict=True))
    found = [row for _, *row in sorted(_rows(read, questions, replies, reader.called, language))]
    both = [(str(row[3]), str(row[5])) for row in found]
    agreement = Counter(dict.fromkeys(_KINDS, 0))
    agreement.update(_kind(answer, rules) for answer, rules in both)

    def save(path: Path | str, workspace: Workspace | None = None) -> None:
        path = Path(path)
        with writing_results(path.parent, "curate evaluate replies", workspace):
            write_csv(path, SECOND_COLUMNS, found, escaped=True)

    told = {
        "reader": reader.called,
        "replies": len(found),
        "asked": len(questions),
        "from_store": ran.tally.from_store,
        "agreement": dict(agreement),
        "kappa": cohen_kappa([pair for pair in both if pair[0] != UNCLEAR]).value,
        "rows": found,
    }
    return Results(told, {"rows": SECOND_COLUMNS}, save)


def _questions(read: ReadReplies, prompt: SecondReader, *, every: bool) -> Iterator[_Question]:
    """Yield the questions; replies that a person read are not asked about."""
    machine = np.array([name != PERSON for name in read.readings.names], dtype=np.bool_)
    wanted = machine[read.readings.rules]
    if not every:
        wanted &= read.readings.out_of_choice
    for same in alike_of(read, np.flatnonzero(wanted)):
        if not same.reply.strip():
            continue  # nothing was said: no reader is needed to see that
        shown = "\n".join(map(": ".join, zip(same.labels, same.choices, strict=True)))
        yield same.digest, prompt.text(shown, shortened_reply(same.reply)), same


def _rows(
    read: ReadReplies,
    questions: Sequence[_Question],
    replies: Mapping[str, object],
    reader: str,
    language: Language | None,
) -> Iterator[tuple[object, ...]]:
    """Yield each reply's place with the columns of what the reader says of it."""
    letters = read.letters()
    requests, models = read.frame["request_id"], read.frame["model"]
    for name, _, item in questions:
        reply = replies.get(name)
        at = _answer(item, reply if isinstance(reply, str) else "", language)
        answers = [*choice_letters(len(item.choices)), NOTHING]
        texts: tuple[str | None, ...] = (*item.choices, None)
        for row in item.rows.tolist():
            found = (UNCLEAR, None) if at is None else (answers[at], texts[at])
            by_rules = letters[row] or NOTHING, item.rule, item.digest
            yield row, str(requests.iloc[row]), str(models.iloc[row]), reader, *found, *by_rules


def _answer(item: Alike, reply: str, language: Language | None) -> int | None:
    """Which choice a reader's reply names, one after the last for none; None where it is unclear.

    Models write NONE in many ways, and a letter by the rules for replies of any kind.
    """
    if reply.strip(" \n\t.*_`\"'").casefold() == NO_CHOICE.casefold():
        return len(item.choices)
    shown = (*item.choices, NO_CHOICE)
    found = read_reply(reply, shown, labels=(*item.labels, NO_CHOICE), own=language).chosen
    return next(iter(found)) if found else None


def read_second_file(path: Path) -> Judged:
    """Read the choices that a second reader named.

    Args:
        path: The file that `curate evaluate replies --second-reader` wrote.

    Returns:
        The choices; nothing of replies that name none, for it.

    Raises:
        CurateError: If it is no such file, or an answer is none.
    """
    table = read_table(path, required=("reply", "answer"))
    refuse_problems(table)
    found: dict[str, int | None] = {}
    letters = choice_letters(26)
    for row in table.rows:
        answer = row["answer"]
        if answer in (NOTHING, UNCLEAR):
            continue
        if answer not in letters:
            where = f"{path}, row {row.number}, column answer"
            raise refusal("evaluation", "second-answer", where, answer=answer)
        found[row["reply"]] = letters.index(answer)
    return found
