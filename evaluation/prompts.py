"""Prompts as data: the toolkit's own, a user's YAML, or KoBBQ's published table.

A prompt has a layout that says all that the model reads, in the structure of KoBBQ's: an
instruction, context, question, three choices with their letters, and where the answer goes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from curation.files.culture import FOLDER, found_files, language_of_file, own_language
from curation.files.tables import read_table, read_text, refuse_problems
from curation.files.workspace import Workspace
from curation.languages import Language, LanguageOrCode, calling_unknown, load, missing
from curation.languages.prompts import PLACES, Prompt, QuestionPrompts, Way, refuse_doubled
from curation.records.messages import CurateError, refusal, refuse_unknown
from curation.records.sample import Sample
from curation.records.settings import parse_settings
from evaluation.requests import ORDERS, Orders, request_id, shown

_PACKED = "workspace"  # the folder of a published package with what it was made from


def asked_language(
    workspace: Workspace, given: str | None = None, beside: Path | None = None
) -> Language | None:
    """The language that is meant: the one given, else the workspace's, else one beside a file.

    A published package carries its workspace's file of the language, so that those who evaluate
    with its samples alone ask and read as its makers do.

    Args:
        workspace: The workspace; there need be none.
        given: A code, or a file such as `pt.yaml`. A code means the workspace's own words in it,
            or those of the package that `beside` is in, where there are any.
        beside: The samples or requests.

    Returns:
        None where nothing says which language is meant.

    Raises:
        CurateError: If a file cannot be read, or two are for one language.
    """
    if given is not None and Path(given).suffix.lower() in (".yaml", ".yml"):
        return language_of_file(Path(given))
    if workspace.culture_file.exists():
        own = workspace.language
        own = calling_unknown(own, (workspace.culture.unknown,)) or own
        if given is None or given.lower() == own.code.lower():
            return own
        return own_language(workspace.root, given)
    roots = packed_in(beside) if beside is not None else []
    if given is not None:
        packed = next((item for root in roots if (item := own_language(root, given)).text), None)
        return packed or load(given)
    files = [path for root in roots for path in found_files(root / FOLDER)]
    return language_of_file(files[0]) if len(files) == 1 else None


def packed_in(file: Path) -> list[Path]:
    """The folders with files of languages in the package that a file is in."""
    above = list(file.resolve().parents)[:3]
    roots = [root for folder in above for root in (folder, folder / _PACKED)]
    return [root for root in roots if (root / FOLDER).is_dir()][:1]


_TABLE = ("prompt_id", "instruction", "context", "question", "a", "b", "c", "answer", "unknown")
_LETTER = re.compile(r"[A-Za-z0-9](?=[^A-Za-z0-9]*$)")
_HINT = "each prompt has an id, a layout with {context}, {question}, {a}, {b}, {c}, and unknown"
_PAGE = "docs/evaluation.md"
OWN_PROMPTS = "toolkit"
"""What a set of the toolkit's own prompts is called, before its language."""


_FORM = '{"answer": "X"}'
ANSWERS = ("letter", "json")
"""The forms in which a prompt can ask for the answer."""
COMPLETION = "completion"
"""What `prepare --answer` writes requests to complete samples by, and the folder for them."""


class _File(QuestionPrompts):
    orders: Orders | None = None


@dataclass(frozen=True, slots=True)
class PromptSet:
    """The prompts of a file.

    Attributes:
        prompts: In their order; no two have one id.
        orders: The orders of choices that the file asks for, if it says.
        name: What they are called: their file, or the toolkit's own with their language.
        sentences: By form the file's own sentence that asks for an answer in it.
    """

    prompts: tuple[Prompt, ...]
    orders: Orders | None = None
    name: str = ""
    sentences: Mapping[str, str] = field(default_factory=dict)

    def answered(self, form: str, language: Language | None) -> "PromptSet":
        """The same prompts, each with a sentence that asks for a form of the answer.

        Their ids are others (`1_json`), for they are other prompts.

        Raises:
            CurateError: If neither their file nor the language has such a sentence.
        """
        sentence = self.sentences.get(form) or answer_text(form, language)
        found = []
        for prompt in self.prompts:
            asked = sentence.format(letters=", ".join(prompt.letters), form=_FORM)
            layout = prompt.layout
            if "{instruction}" not in layout:
                layout = f"{{instruction}}\n\n{layout}"
            texts = {"instruction": f"{prompt.instruction} {asked}".strip(), "layout": layout}
            found.append(prompt.model_copy(update={"id": f"{prompt.id}_{form}", **texts}))
        return replace(self, prompts=tuple(found), name=f"{self.name}, answer as {form}")


def only(prompts: Sequence[Way], ids: Sequence[str]) -> tuple[Way, ...]:
    """The prompts of some ids.

    Raises:
        CurateError: If there is none of an id.
    """
    known = {prompt.id: prompt for prompt in prompts}
    unknown = [name for name in ids if name not in known]
    if unknown:
        raise refusal(__package__, "prompt-unknown", names=", ".join(known), id=unknown[0])
    return tuple(known[name] for name in dict.fromkeys(ids))


def answer_text(form: str, language: Language | None) -> str:
    """The sentence of a language that asks for a form of the answer, with `{letters}`.

    Raises:
        CurateError: If there is none.
    """
    prompts = None if language is None else language.prompts
    found = "" if prompts is None else getattr(prompts, f"answer_{form}")
    if not found:
        said = "no language is named" if language is None else f"'{language}' has none"
        raise refusal(__package__, "prompt-answer", "prompts", form=form, said=said)
    return str(found)


def chosen_prompts(
    workspace: Workspace,
    given: Path | PromptSet | None,
    ids: Sequence[str],
    orders: str | None,
    language: Language | None = None,
    answer: str | None = None,
) -> tuple[PromptSet, Orders]:
    """The prompts and the orders that were chosen: given ones, else those of the language.

    Args:
        workspace: The workspace; there need be none where prompts or a language are given.
        given: The prompts.
        ids: Only these.
        orders: The orders of choices.
        language: Whose prompts (`asked_language`); None where nothing says it.
        answer: The form in which they ask for the answer, one of `ANSWERS`; None for as they do.

    Raises:
        CurateError: If the prompts cannot be read, or there is none of an id.
    """
    if isinstance(given, PromptSet):
        found = given
    else:
        found = read_prompts(given) if given else _prompts_of(workspace, language)
    if ids:
        found = replace(found, prompts=only(found.prompts, ids))
    if answer:
        refuse_unknown("form of the answer", answer, ANSWERS)
        found = found.answered(answer, language)
    if orders:
        refuse_unknown("order of choices", orders, [item.value for item in Orders])
    return found, Orders(orders) if orders else found.orders or Orders.CYCLIC


def no_language(workspace: Workspace) -> CurateError:
    """The error where nothing says in which language models are asked."""
    return refusal(__package__, "language-none", str(workspace.culture_file))


def _prompts_of(workspace: Workspace, language: Language | None) -> PromptSet:
    if language is None:
        raise no_language(workspace)
    named = workspace.culture_file.exists() and language.code == workspace.culture.language
    where = "culture.yaml, language" if named else f"--language {language}"
    return bundled_prompts(language, where)


def read_prompts(path: Path) -> PromptSet:
    """Read prompts: YAML with `prompts` and, if wanted, `orders`, or KoBBQ's published TSV.

    The table's parts (`instruction`, `context`, ..., `answer`) are put together as KoBBQ's
    preprocessing does; its column `prompt` is for people, and differs from them in one prompt.

    Raises:
        CurateError: If the file is none of both, or two prompts have one id.
    """
    if path.suffix.lower() in (".tsv", ".csv"):
        return PromptSet(_table(path), name=path.name)
    found = parse_settings(read_text(path), _File, path, _PAGE)
    sentences = {"letter": found.answer_letter, "json": found.answer_json}
    return PromptSet(found.prompts, found.orders, path.name, sentences)


def bundled_prompts(language: LanguageOrCode, where: str = "culture.yaml, language") -> PromptSet:
    """The prompts of a language; the toolkit's own are five.

    Args:
        language: The language, or its code.
        where: What names it.

    Raises:
        CurateError: If there are none.
    """
    found = load(language).prompts
    if found is None:
        told = refusal(__package__, "prompts-none", where, language=language)
        raise missing("prompts", language, told)
    return PromptSet(found.prompts, name=f"{OWN_PROMPTS}, {load(language).code}")


def _table(path: Path) -> tuple[Prompt, ...]:
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    table = read_table(path, required=_TABLE, delimiter=delimiter)
    refuse_problems(table)
    prompts = []
    for row in table.rows:
        try:
            prompts.append(_published({name: row[name] for name in _TABLE}))
        except ValueError as error:
            lines = str(error).split("\n")
            what = " ".join(lines[-2:]) if isinstance(error, ValidationError) else lines[0]
            where = f"{path}, row {row.number}"
            raise CurateError(f"the prompt cannot be read: {what}", where, _HINT) from error
    if not prompts:
        raise CurateError(f"{path.name} holds no prompt", str(path), _HINT)
    try:
        refuse_doubled(prompts)
    except ValueError as error:
        raise CurateError(str(error), str(path), "rename one") from error
    return tuple(prompts)


def _published(cells: dict[str, str]) -> Prompt:
    """Put the parts of a row together as KoBBQ's preprocessing does (its evaluation, step 1)."""
    literal = {name: cell.replace("{", "{{").replace("}", "}}") for name, cell in cells.items()}
    lines = [f"{literal[name]}{{{name}}}" for name in PLACES]
    letters = [_LETTER.search(cells[name]) for name in ("a", "b", "c")]
    if not all(letters):
        raise ValueError("a choice has no letter before it")
    return Prompt(
        id=cells["prompt_id"],
        instruction=cells["instruction"],
        layout="\n".join(("{instruction}\n", *lines, literal["answer"])),
        letters=tuple(match.group() for match in letters if match),
        unknown=cells["unknown"],
    )


Choices = tuple[str, str, str]
"""The answer of the biased question, that of the counter-biased one, and the unknown expression."""


def prompted(choices: Choices, prompt: Prompt) -> Choices:
    """Put a prompt's own unknown expression in place of the sample's.

    Raises:
        CurateError: If a choice of the sample reads like it, so that no reply could tell which
            is meant.
    """
    first, second, _ = choices
    unknown = prompt.unknown
    if unknown.casefold() in (first.casefold(), second.casefold()):
        raise refusal(__package__, "prompt-choice", id=prompt.id, unknown=unknown)
    return first, second, unknown


def make_requests(
    samples: Iterable[Sample], prompts: Sequence[Prompt], orders: Orders
) -> Iterator[dict[str, Any]]:
    """Yield the requests, as `requests.jsonl` holds them, holding one sample at a time."""
    for sample in samples:
        for prompt in prompts:
            choices = prompted(sample.choices, prompt)
            for number, order in enumerate(ORDERS[orders]):
                placed = shown(choices, order)
                yield {
                    "request_id": request_id(sample.sample_id, number, prompt.id),
                    "sample_id": sample.sample_id,
                    "prompt_id": prompt.id,
                    "order": number,
                    "messages": messages_of(prompt.text(sample.context, sample.question, placed)),
                    "choices": list(placed),
                }


def messages_of(text: str) -> list[dict[str, str]]:
    """What is sent of the text of a prompt."""
    return [{"role": "user", "content": text}]
