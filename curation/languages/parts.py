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
        required: The texts that it must have, besides those that its class asks for; a part
            without them is open.
    """

    name: str
    attribute: str
    model: str
    needed_for: str
    required: tuple[str, ...] = ()


PARTS = {
    part.name: part
    for part in (
        Part(
            "language",
            "general",
            "curation.languages.general:General",
            "the unknown expression of a new workspace, and how words join",
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
        ),
        Part(
            "replies",
            "replies",
            "curation.languages.replies:Replies",
            "curate evaluate score: a reply that states its answer in words of this language is "
            "read; without it letters and exact texts of choices are",
            ("articles", "none", "statements", "headings", "choosing", "negation", "hedges"),
        ),
        Part(
            "agreement",
            "agreement",
            "curation.languages.general:AgreementTexts",
            "slots such as [N1|a/an]; without it forms are listed, [N1: form, form]",
        ),
        Part(
            "stories",
            "stories",
            "curation.languages.stories:StoryTexts",
            "curate evaluate stories: how a story leaves open who is who",
            ("placeholders", "feminine", "masculine", "prompts"),
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
            "annotation",
            "annotation",
            "curation.languages.annotation:AnnotationTexts",
            "workbooks and pages of Label Studio; without it annotators read English",
        ),
        Part(
            "samples",
            "samples",
            "curation.languages.samples:SampleWords",
            "reading published samples in this language",
        ),
        Part(
            "received",
            "received",
            "curation.languages.received:Received",
            "curate survey inspect: columns of survey files; without it the mapping tells them",
        ),
    )
}
"""Every part by its name, in the order in which a group writes them."""


@lru_cache(maxsize=len(PARTS))
def model_of(name: str) -> type[BaseModel]:
    """What a part holds; imported when it is asked for, since names that agree need no prompts."""
    module, _, cls = PARTS[name].model.partition(":")
    found: type[BaseModel] = getattr(importlib.import_module(module), cls)
    return found
