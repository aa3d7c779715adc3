"""What was asked about: the templates of each question, filled once, in both languages."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from curation.bank.generate import expand, is_open, prepare
from curation.files.tables import read_table
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records.bank import Template, Texts, Variant
from curation.records.errors import CurateError
from curation.records.ids import ContextType, QuestionType
from survey.reporting.records import Item, Wording

TEXTS_FILE = "texts.csv"
"""The file of the forms that holds every question as respondents read it."""


def texts_file(workspace: Workspace) -> Path:
    """Where the questions stand as respondents read them."""
    return workspace.responses_folder / "forms" / TEXTS_FILE


def texts_as_asked(workspace: Workspace) -> Mapping[str, str]:
    """By question id its text as respondents read it; nothing where no form was built here.

    Raises:
        CurateError: If the file cannot be read.
    """
    path = texts_file(workspace)
    if not path.exists():
        return {}
    table = read_table(path, required=("question_id", "text"))
    return {row["question_id"]: row["text"] for row in table.rows}


def items_of(workspace: Workspace, templates: Sequence[Template]) -> Mapping[str, Item]:
    """By template id the template in both languages, filled once.

    Args:
        workspace: For the languages and the unknown expression.
        templates: The templates, with surveyed groups where they have them.
    """
    culture = workspace.culture
    found = {}
    for template in templates:
        variant = next((one for one in template.variants if one.letter.is_biased), template.first)
        found[str(template.id)] = Item(
            template_id=str(template.id),
            own=_wording(variant, variant.texts, workspace.language, culture.language),
            source=_wording(
                variant, variant.source_texts, culture.source_language, culture.source_language
            ),
        )
    return found


def _wording(variant: Variant, texts: Texts, language: LanguageOrCode, code: str) -> Wording | None:
    """One wording, filled with the first filling; with its slots where it cannot be filled."""
    if not texts.has_body:
        return None
    try:
        samples = expand(prepare(variant, language, texts), "", {}, [1])
        sample = next(
            one
            for one in samples
            if one.context_type == ContextType.DISAMBIGUATED
            and one.question_type == QuestionType.BIASED
        )
    except CurateError:
        between = " " if texts.disambiguating_context else ""
        return Wording(
            language=code,
            stereotype=texts.stereotype,
            context=f"{texts.ambiguous_context}{between}{texts.disambiguating_context}",
            question=texts.biased_question,
            answer=texts.biased_answer,
            filled=False,
            open=_is_open(texts),
        )
    return Wording(code, texts.stereotype, sample.context, sample.question, sample.choices[0])


def _is_open(texts: Texts) -> bool:
    try:
        return is_open(texts)
    except CurateError:  # lists that cannot be read are a fault of the bank, which is told there
        return False
