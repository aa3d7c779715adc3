"""The parts of a language: what each is made of, what it is for, and which texts it must have."""

import importlib
from dataclasses import dataclass
from functools import lru_cache

from pydantic import BaseModel


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a language.

    Attributes:
        name: What its file, or its section in a file of a workspace, is called.
        attribute: What `Language` calls it.
        model: Module and class that say what it holds.
        needed_for: What cannot be done, or is done otherwise, without it.
        required: The texts that it must have, besides those that its class asks for; without them
            it is open.
        everywhere: Whether every language needs it.
        note: What to know before writing it.
        own: What no language takes over from another, by its keys: names, and rules by which texts
            are changed; `*` is all.
    """

    name: str
    attribute: str
    model: str
    needed_for: str
    required: tuple[str, ...] = ()
    everywhere: bool = True
    note: str = ""
    own: tuple[str, ...] = ()


PARTS = {
    part.name: part
    for part in (
        Part(
            "language",
            "general",
            "curation.languages.general:General",
            "the name of the language, its unknown expression, and how its words join",
            own=(
                *("name", "deepl", "contractions", "elisions", "capitals", "abbreviations"),
                "between_sentences",
            ),
        ),
        Part(
            "survey",
            "survey",
            "curation.records.culture:Wording",
            "curate survey build: what respondents read",
            (
                *("title", "intro", "consent", "instructions_choice", "instructions_select_all"),
                *("instructions_comprehension", "choice", "select_all", "comprehension", "none"),
                *("attention", "attention_options", "attention_answer", "thanks"),
                *("respondent", "workbook"),
            ),
        ),
        Part(
            "prompts",
            "prompts",
            "curation.languages.prompts:QuestionPrompts",
            "curate evaluate prepare: how models are asked",
            note="One way to ask is enough; five are usual.",
        ),
        Part(
            "replies",
            "replies",
            "curation.languages.replies:Replies",
            "curate evaluate score: replies that state their answer in words",
            ("answers", "negations", "hedges"),
            note="Without it letters, texts of choices, boxes and JSON are read in every language. "
            "Phrases are in lower-case letters; (x) may be missing, [x|y] is one of several. The "
            "English shows what is meant: write what models would say, and no translation.",
            own=("published",),
        ),
        Part(
            "agreement",
            "agreement",
            "curation.languages.general:AgreementTexts",
            "slots such as [N1|a/an]; without it forms are listed, [N1: form, form]",
            everywhere=False,
            note="Leave it empty where words do not change with a name. 'algorithm: features' "
            "chooses by what the lists of names say, such as {gender: f}.",
            own=("*",),
        ),
        Part(
            "stories",
            "stories",
            "curation.languages.stories:StoryTexts",
            "curate evaluate stories: how a story leaves open who is who",
            ("placeholders", "feminine", "masculine", "prompts"),
            own=(
                *("features", "cases", "prefixes", "describing", "attributive", "descriptive"),
                *("impersonal", "plural", "closing", "honorifics", "articles", "possessives"),
                *("beginnings", "endings", "whole_words", "abbreviations"),
            ),
        ),
        Part(
            "occupations",
            "occupations",
            "curation.languages.occupations:PromptFile",
            "curate evaluate occupations: personas and instructions",
        ),
        Part(
            "simulate",
            "simulate",
            "curation.languages.prompts:SurveyPrompts",
            "curate survey simulate: how models are asked the survey's questions",
        ),
        Part(
            "suggest",
            "suggest",
            "curation.languages.prompts:SuggestTexts",
            "curate classify suggest: what annotators read of suggested labels, and how a model "
            "is asked for them",
            note="ST, TM and SR stay as they are. The model is to write the label alone in the "
            "first line, and why in the second.",
        ),
        Part(
            "second_reader",
            "second_reader",
            "curation.languages.prompts:SecondReader",
            "curate evaluate replies --second-reader: how a model is asked which choice a reply "
            "names",
            note="NONE stays as it is: the model writes it where a reply names no choice.",
        ),
        Part(
            "control",
            "control",
            "curation.languages.control:ControlNames",
            "curate export samples --text control: names of people of no particular group",
            ("female", "male"),
            note="Common given names, at least six of each; 'articles' are the words that a name "
            "takes the place of together with the group.",
            own=("articles", "nouns"),
        ),
        Part(
            "annotation",
            "annotation",
            "curation.languages.annotation:AnnotationTexts",
            "workbooks and pages of Label Studio; without it annotators read English",
            note="Each workbook, and the pages as a whole, can be written by itself; the others "
            "stay in English.",
        ),
    )
}
"""Every part that a group may write, by its name, in the order of writing.

Words of published samples and of survey platforms (`samples`, `received`) are the toolkit's alone:
in a workspace the mapping of a survey file tells them.
"""


@lru_cache(maxsize=len(PARTS))
def model_of(name: str) -> type[BaseModel]:
    """What a part holds; imported when it is asked for, since names that agree need no prompts."""
    module, _, cls = PARTS[name].model.partition(":")
    found: type[BaseModel] = getattr(importlib.import_module(module), cls)
    return found
