"""What a language is called, how its words join and agree with names, and what replies say."""

import re
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    RootModel,
    field_validator,
    model_validator,
)

from curation.records.settings import WrongValue

PAGE = "docs/languages.md"
"""Where languages are documented."""


class Part(BaseModel):
    """A part of a language: what is not listed is refused, and nothing can be changed."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Elision(Part):
    """Words that lose their end before a sound that the spelling shows.

    Attributes:
        words: What becomes of each: `de: "d'"`.
        letters: The small letters that it is so before, as the first of the next word.
        also: Words with another first letter that it is so before.
        never: Words with such a letter, or beginnings of them, that it is not so before.
    """

    words: dict[str, str]
    letters: str
    also: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


class DeeplTexts(Part):
    """How DeepL takes a language.

    Attributes:
        targets: What is asked for, by code of a language or a country's variant, in small letters:
            `{pt: PT-BR, pt-pt: PT-PT}`. The language's own code is the one without a country.
        formality: The register that is asked for where the workspace asks for none; None where
            DeepL knows no register in the language.
    """

    targets: dict[str, str] = Field(min_length=1)
    formality: Literal["default", "prefer_more", "prefer_less"] | None = None


class General(Part):
    """The language itself.

    Attributes:
        name: Its name in English.
        unknown: The unknown expression of a workspace that has none of its own.
        contractions: Two words that are written as one: `[de, el, del]`.
        elisions: Words that lose their end before others.
        capitals: Beginnings of words whose capital is not the usual one.
        abbreviations: Words whose full stop ends no sentence.
        between_sentences: What stands between two sentences.
        direction: Which way it is written.
        spaces: Whether spaces stand between words.
        suffixes: Whether endings are written to a name, so that letters follow it at once.
        none_of: How people of none of some groups are called, with `{groups}`.
        deepl: How DeepL takes it; None where that is not known.
    """

    name: str
    unknown: str | None = None
    contractions: tuple[tuple[str, str, str], ...] = ()
    elisions: tuple[Elision, ...] = ()
    capitals: dict[str, str] = {}
    abbreviations: tuple[str, ...] = ()
    between_sentences: str = " "
    direction: Literal["ltr", "rtl"] | None = None
    spaces: bool | None = None
    suffixes: bool | None = None
    none_of: str = "non-({groups})"
    deepl: DeeplTexts | None = None


class ChangingName(Part):
    """Words after which a name does not stay as it is: `des Vaters`, and no `des Vater`.

    Attributes:
        form: What the named form is called that is written in their place.
        after: The words, in small letters.
        of: Features of the names that change, any of these sets.
        unless: Ends of names that stay as they are.
    """

    form: str
    after: tuple[str, ...]
    of: tuple[dict[str, str], ...]
    unless: tuple[str, ...] = ()


_Rows = dict[int, tuple[dict[str, str], ...]]
"""By how many alternatives there are, the features of each."""


class AgreementTexts(Part):
    """How forms agree with names.

    Attributes:
        algorithm: What finds the feature of a name; a module of `curation.slots.agreement`.
        after: Whether what agrees follows the name, and is written with it.
        letters: The letters of the script, as in a pattern's class.
        common: The usual alternatives, which listed forms are tried against.
        pairs: Alternatives, what both sides end in taken off.
        rieul_as_vowel: What begins alternatives that take a final rieul for a vowel.
        compounds: Alternatives that are proposed to translators beside the common ones.
        never_proposed: Alternatives that are not, though a text may have them.
        changing: After which words a name itself changes.
        attached: Words that are a mistake apart from the name.
        alone: What agrees without the name, as an example: `=cansado/cansada`.
        features: By how many alternatives there are, the features of a filler that each of them
            goes with: `2: [{gender: m}, {gender: f}]`.
        defaults: The features of a filler that does not state them.
        harmony: For each vowel the open and the close one that may follow it.
        hard: Hard consonants.
        hardened: What becomes of the first letter of a suffix after one.
        softening: Consonants that may soften before a vowel.
        apostrophe: What stands between a proper name and its suffix.
        joined: Suffixes that a proper name takes without it.
        pronominal: Suffixes that have an n before them after a possessive ending.
        front: Words that are followed as if their last vowel were a front one, and that vowel.
        irregular: Words that a rule would give a wrong form.
        swapped: What stands in place of alternatives before some words: `la: el`.
        swapped_before: These words.
        small: Capitals whose small letter is not the usual one.
    """

    algorithm: Literal["english", "features", "korean", "turkish"]
    after: bool = False
    letters: str = r"\w"
    common: tuple[str, ...] = Field(min_length=1)
    pairs: tuple[tuple[str, str], ...] = ()
    rieul_as_vowel: str | None = None
    compounds: tuple[str, ...] = ()
    never_proposed: tuple[str, ...] = ()
    changing: tuple[ChangingName, ...] = ()
    attached: tuple[str, ...] = ()
    alone: str = ""
    features: _Rows = {}
    defaults: dict[str, str] = {}
    harmony: dict[str, tuple[str, str]] = {}
    hard: str = ""
    hardened: dict[str, str] = {}
    softening: str = ""
    apostrophe: str = ""
    joined: tuple[str, ...] = ()
    pronominal: tuple[str, ...] = ()
    front: dict[str, tuple[str, ...]] = {}
    irregular: tuple[str, ...] = ()
    swapped: dict[str, str] = {}
    swapped_before: tuple[str, ...] = ()
    small: dict[str, str] = {}

    @field_validator("features")
    @classmethod
    def _one_each(cls, value: _Rows) -> _Rows:
        for count, rows in value.items():
            if count != len(rows):
                raise ValueError(f"{count} alternatives have {len(rows)} rows of features")
            if wrong := [word for row in rows for word in row.values() if word != word.lower()]:
                raise ValueError(f"'{wrong[0]}' is written in small letters here")
        return value

    @model_validator(mode="after")
    def _can_agree(self) -> "AgreementTexts":
        needed = {"features": "features", "korean": "pairs", "turkish": "harmony"}
        name = needed.get(self.algorithm, "common")
        if not getattr(self, name):
            raise ValueError(f"algorithm: {self.algorithm} needs {name}, which is empty")
        if self.algorithm == "turkish" and (bare := [it for it in self.common if it[-1:] in "-)"]):
            raise ValueError(f"common: '{bare[0]}' is no suffix")
        if wrong := sorted({*self.front} - {*self.harmony}):
            raise ValueError(f"harmony does not say what follows '{wrong[0]}', a vowel of front")
        return self


class ControlNames(Part):
    """Given names, and articles that come before groups but not before names.

    Attributes:
        female: Women's names, written as fillers are: `Anna` or `Anna {gen: Annas}`.
        male: Men's names.
        articles: Words that a name takes the place of together with the group, in small letters:
            `the potter` becomes `Anna`. One that ends in an apostrophe stands without a space.
        nouns: Words for people that a group stands beside and a name does not, in small letters:
            `the deaf man`, where `deaf` is the group.
    """

    female: tuple[str, ...]
    male: tuple[str, ...]
    articles: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()

    @field_validator("female", "male")
    @classmethod
    def _differ(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        names = [text.partition("{")[0].strip() for text in value]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"'{name}' is listed twice")
        return value


class SampleWords(Part):
    """What published sets call their unknown expression, and people of a gender.

    Attributes:
        unknown: Choices that say that the context does not tell.
        female: Names of groups that BBQ's layout calls `F`.
        male: Names of groups that it calls `M`.
        people: Endings of a group's name that say no more than people.
        endings: Endings, and particles, in which two spellings of a group may differ.
        articles: What is written together with a group's name, before it.
        negations: What stands before a group's name and says that somebody is not of it.
        contrasts: What says after a negation what somebody is instead.
        instead: Phrases that they have in place of a name of their vocabulary.
    """

    unknown: tuple[str, ...] = ()
    female: tuple[str, ...] = ()
    male: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    articles: tuple[str, ...] = ()
    negations: tuple[str, ...] = ()
    contrasts: tuple[str, ...] = ()
    instead: dict[str, str] = {}


class WorkbookTexts(Part):
    """What a workbook says.

    Attributes:
        title: Heading of its first sheet.
        rules: Paragraphs below it.
        notes: What to write, by column; `sheet / column` where another sheet says otherwise.
    """

    title: str
    rules: tuple[str, ...]
    notes: dict[str, str] = {}


class Workbooks(Part):
    """The workbooks by kind.

    Attributes:
        headings: What columns are called in words; `sheet / column` where one sheet differs.
        flags: What may be wrong with a machine's text, by its flag.
        handling: What may be done with a workbook, and how it is sent back; paragraphs.
        key: What is said of the narrow column of keys, in a paragraph and at its heading.
        classify: In which annotators say which templates hold here.
        agenda: Of the meeting that decides where they disagree.
        translate: In which translators write and correct texts.
        new: In which templates are written that the source does not have.
        drafts: In which new templates are judged.
        groups: In which groups are edited.
        unreadable: In which people read what no rule could read of models' replies.
        stories_passages: In which people read stories as the evaluator does.
        stories_edit: In which editors correct stories.
    """

    headings: dict[str, str] = {}
    flags: dict[str, str] = {}
    handling: tuple[str, ...] = ()
    key: str = ""
    classify: WorkbookTexts | None = None
    agenda: WorkbookTexts | None = None
    translate: WorkbookTexts | None = None
    new: WorkbookTexts | None = None
    drafts: WorkbookTexts | None = None
    groups: WorkbookTexts | None = None
    unreadable: WorkbookTexts | None = None
    stories_passages: WorkbookTexts | None = None
    stories_edit: WorkbookTexts | None = None


def without_comma(value: str) -> str:
    """Refuse a comma in what can be chosen: by it a page tells choices apart.

    Raises:
        ValueError: If there is one.
    """
    if "," in value:
        raise ValueError("it has a comma, but on a page commas separate labels")
    return value


_Choice = Annotated[str, AfterValidator(without_comma)]


class Labels(Part):
    """The labels of classification as they are shown."""

    ST: _Choice
    TM: _Choice
    SR: _Choice


class Guidelines(Part):
    """The instructions before the first page, by kind of task, in paragraphs."""

    classify: tuple[str, ...]
    translate: tuple[str, ...]
    comprehension: tuple[str, ...]
    passages: tuple[str, ...]


class Pages(Part):
    """The pages of Label Studio: titles of what is shown, questions, what is missing."""

    stereotype: str
    target_groups: str
    ambiguous_context: str
    disambiguating_context: str
    questions: str
    answers: str
    fillers: str
    reference: str
    known: str
    labels: Labels
    why_removed: str
    always_needed: str
    which_groups: str
    proposed_targets: str
    proposed_non_targets: str
    reason: str
    remark: str
    text: str
    context: str
    machine: str
    edit: str
    other_texts: str
    read: str
    question: str
    unclear: str
    read_story: str
    example: str
    unsure: _Choice
    why_unsure: str
    choose_label: str
    say_why_removed: str
    say_why_unsure: str
    choose_answer: str
    keys: str
    leave: str
    guidelines: Guidelines


class ConsensusPage(Part):
    """The page of Label Studio on which a label is decided that annotators do not agree on.

    Attributes:
        said: Heading of what they said.
        unsure: Heading of those who are not sure.
        remark: Before what somebody remarked.
        targets: Before groups that somebody proposed.
        non_targets: Before groups that somebody proposed to be set against them.
        decide: The question.
        choose: What is said where no label was chosen.
        why: Heading of the reason.
        guidelines: What is told before the first page; paragraphs.
    """

    said: str
    unsure: str
    remark: str
    targets: str
    non_targets: str
    decide: str
    choose: str
    why: str
    guidelines: tuple[str, ...]


class AnnotationTexts(Part):
    """The texts for annotators; missing texts are English.

    Attributes:
        workbooks: Rules and notes of workbooks.
        pages: Pages of Label Studio.
        consensus: The page of Label Studio on which disagreements are decided.
    """

    workbooks: Workbooks = Workbooks()
    pages: Pages | None = None
    consensus: ConsensusPage | None = None


class Received(RootModel[dict[str, tuple[str, ...]]]):
    """What files of surveys call their columns, sheets and values, by what that is.

    English has every key, and says beside it what it is for.
    """

    model_config = ConfigDict(frozen=True)


_GROUP = re.compile(r"\(([^()\[\]]*)\)|\[([^()\[\]]*)\]")
_LONGEST = 300


def check_phrase(phrase: str, where: tuple[str | int, ...] = ()) -> None:
    """Refuse a phrase whose notation cannot be read.

    Args:
        phrase: The phrase.
        where: The keys that lead to it, for the message.

    Raises:
        WrongValue: If it is empty or may be nothing, is very long, or a bracket is not closed or
            opened.
    """
    sure, within = phrase, 1  # what is in no round bracket
    while within:
        sure, within = _GROUP.subn(lambda group: (group[2] or "").replace("|", ""), sure)
    if set("()[]|") & set(sure):
        fault = "has a bracket without the other one, or | outside of brackets"
        hint = "write [one|other], (may be missing), or two phrases"
    elif not sure.strip("- "):
        fault, hint = "is empty", "write words, or take it out"
    elif len(phrase) > _LONGEST:
        fault, hint = "is too long", "write it as several phrases"
    else:
        return
    short = phrase if len(phrase) <= 40 else f"{phrase[:39]}..."
    raise WrongValue(f"the phrase '{short}' {fault}", hint, where)


class Published(Part):
    """Words that a published script for the language reads replies by.

    Attributes:
        leads: What stands before an answer.
        endings: Ends of a reply, and what is put in their place.
    """

    leads: tuple[str, ...]
    endings: dict[str, str]


class Replies(Part):
    """What replies say in a language; phrases in small letters, and no list must be there.

    Attributes:
        answers: What an answer or a choice is called: 'answer', 'option'.
        copulas: Words between that and the choice: 'is', 'would be'.
        leads: What says without them that a choice follows: 'I choose', 'it is'.
        right: What says after a choice that it is the answer: 'is correct'.
        endings: What may be written after a choice and changes nothing.
        joining: Words between choices: 'and'.
        negations: What says that it is not so.
        hedges: What leaves an answer open, an 'or' among them, or makes it that of others.
        withdrawals: What takes an answer back where it begins a sentence: 'wait'.
        reasons: Words that begin or end a reason: 'because'.
        concession: How a sentence begins that grants another choice first: '[although|even if]'.
        fits: What says of a granted choice no more than that it goes, too: '[fits|makes sense]'.
        articles: What may stand before a name.
        unknown: Other texts of the choice that says that nobody can know.
        none: The word for none of the choices, where one of them stands for that.
        script: The letters of its script, as in a pattern's class; none for a Latin one.
        published: Of a published script.
    """

    answers: tuple[str, ...] = ()
    copulas: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    joining: tuple[str, ...] = ()
    negations: tuple[str, ...] = ()
    hedges: tuple[str, ...] = ()
    withdrawals: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    articles: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    none: str = ""
    concession: str = ""
    fits: str = ""
    script: str = ""
    published: Published | None = None

    @field_validator("script")
    @classmethod
    def _class_of_letters(cls, value: str) -> str:
        try:
            re.compile(f"[{value}]" if value else "")
        except re.error as error:
            raise WrongValue(
                f"'{value}' is not a list of letters: {error.msg}", "write letters, such as a-zA-Z"
            ) from error
        return value

    @model_validator(mode="after")
    def _phrases(self) -> "Replies":
        for name, phrases in self:
            if isinstance(phrases, tuple) and name != "unknown":
                for at, phrase in enumerate(phrases):
                    check_phrase(phrase, (name, at))
        return self
