"""`stories.csv`: one story with one of its two questions a row."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from curation.io.lists import list_literal
from curation.io.tables import Row, Table, read_table, refuse_problems
from curation.io.writers import write_table
from curation.io.writers.cells import unescape_formula
from curation.model.errors import CurateError
from curation.model.sample import Sample
from evaluation.stories.versions import Version

STORIES = "stories.csv"
"""The stories' usual name."""
_AGAIN = "make the stories again: curate evaluate stories build"

Choices = tuple[str, str, str]


class Story(NamedTuple):
    """A story with one question; fields are the columns of `stories.csv`.

    Attributes:
        story_id: `{template_id}{version}-{filling:03d}`.
        seed: Of the evaluation set that the story is in.
        category: As the bank writes it.
        template_id: The template.
        version: The variant: `a` and `b`, or `c` and `d`, are the two versions of a story.
        filling: Which filling of the template, from 1; the same in both versions.
        context: What models continue: `amb_context` and `obfdis_context`.
        amb_context: The ambiguous part, which introduces the two people.
        dis_context: The disambiguating part, in which they are named.
        obfdis_context: The same without their names.
        obf2dis: By role and placeholder what stood in its place; JSON.
        question_type: `bsd` or `cnt`.
        question: One of the template's two questions.
        choices: Answer of the biased question, of the counter-biased one, and unknown.
        answer: What the named people of `dis_context` make the answer.
        biased_answer: What the stereotype makes it.
        stereotype: The stereotype.
        n1_group: Group of the person who is introduced first.
        n2_group: Group of the other.
        edited: Whether an editor changed `obfdis_context`.
    """

    story_id: str
    seed: int
    category: str
    template_id: str
    version: str
    filling: int
    context: str
    amb_context: str
    dis_context: str
    obfdis_context: str
    obf2dis: str
    question_type: str
    question: str
    choices: Choices
    answer: str
    biased_answer: str
    stereotype: str
    n1_group: str
    n2_group: str
    edited: bool


STORY_COLUMNS = Story._fields
"""The columns of `stories.csv`, in order."""
_NEEDED = (
    *("story_id", "seed", "template_id", "version", "filling", "context", "question_type"),
    *("question", "choices", "biased_answer"),
)


def story_rows(
    version: Version,
    samples: Sequence[Sample],
    order: Sequence[str],
    at: Sequence[int],
    code: str,
    seed: int,
) -> Iterator[Story]:
    """Make the two rows of one version of a story.

    Args:
        version: The version.
        samples: The four samples of the filling.
        order: The slots in the order of `at`.
        at: For each slot the position of its filler.
        code: ISO 639-1 code of the language.
        seed: Of the evaluation set.
    """
    neutral = version.neutral.render(version.lists, order, at, code)
    phrases = version.neutral.phrases(version.lists, order, at, code)
    ambiguous = {item.question_type: item for item in samples if item.context_type == "amb"}
    for sample in (item for item in samples if item.context_type == "dis"):
        open_context = ambiguous[sample.question_type].context
        index = int(sample.sample_id.rsplit("-", 3)[1])
        yield Story(
            story_id=sample.sample_id.rsplit("-", 2)[0],
            seed=seed,
            category=sample.category,
            template_id=sample.template_id,
            version=sample.variant,
            filling=index,
            context=f"{open_context} {neutral}",
            amb_context=open_context,
            dis_context=sample.context[len(open_context) :].strip(),
            obfdis_context=neutral,
            obf2dis=json.dumps(phrases, ensure_ascii=False),
            question_type=sample.question_type,
            question=sample.question,
            choices=sample.choices,
            answer=sample.answer,
            biased_answer=sample.biased_answer,
            stereotype=sample.stereotype,
            n1_group=sample.n1_group,
            n2_group=sample.n2_group,
            edited=version.edited,
        )


def write_stories(path: Path, stories: Sequence[Story]) -> int:
    """Write stories in place of `path`; returns how many rows.

    Raises:
        CurateError: If the file cannot be written.
    """
    return write_table(path, "csv", STORY_COLUMNS, stories)


class AskedStory(NamedTuple):
    """What of a story is needed to ask about it; fields as in `Story`."""

    story_id: str
    seed: str
    template_id: str
    version: str
    filling: str
    context: str
    question_type: str
    question: str
    choices: Choices
    biased_answer: str

    @property
    def key(self) -> tuple[str, str]:
        """What tells one story of one evaluation set."""
        return self.story_id, self.seed


def read_stories(path: Path) -> dict[tuple[str, str], list[AskedStory]]:
    """Read stories by id and seed, each with its questions.

    Raises:
        CurateError: If the file cannot be read, a row is no story, or a question of a story
            stands twice.
    """
    table = read_table(path, required=_NEEDED)
    refuse_problems(table)
    found: dict[tuple[str, str], list[AskedStory]] = {}
    for row in table.rows:
        story = _story(row, table)
        others = found.setdefault(story.key, [])
        if any(item.question_type == story.question_type for item in others):
            what = f"story {story.story_id} of seed {story.seed} stands twice with its question"
            raise CurateError(f"{what} {story.question_type}", _where(row, table), _AGAIN)
        if others and others[0].context != story.context:
            what = f"story {story.story_id} of seed {story.seed} has two contexts"
            raise CurateError(what, _where(row, table), _AGAIN)
        others.append(story)
    if not found:
        raise CurateError(f"{path.name} holds no story", str(path), _AGAIN)
    return found


def _story(row: Row, table: Table) -> AskedStory:
    cells: Mapping[str, str] = {name: unescape_formula(row[name]).strip() for name in _NEEDED}
    empty = next((name for name, text in cells.items() if not text), None)
    if empty is not None:
        raise CurateError("the cell is empty", f"{_where(row, table)}, column {empty}", _AGAIN)
    choices = list_literal(cells["choices"]) or []
    if len(choices) != 3 or len(set(choices)) != 3:
        what = f"{cells['story_id']}: the choices are not three different ones"
        raise CurateError(what, f"{_where(row, table)}, column choices", _AGAIN)
    if cells["biased_answer"] not in choices[:2]:
        what = f"{cells['story_id']}: the biased answer is none of the first two choices"
        raise CurateError(what, f"{_where(row, table)}, column biased_answer", _AGAIN)
    first, second, unknown = choices
    return AskedStory(**{**cells, "choices": (first, second, unknown)})  # type: ignore[arg-type]


def _where(row: Row, table: Table) -> str:
    return f"{table.file}, row {row.number}"
