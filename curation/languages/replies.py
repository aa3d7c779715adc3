"""The words by which replies of models are read in a language."""

import re
from typing import Literal

from pydantic import field_validator, model_validator

from curation.languages.general import Part
from curation.languages.notation import check_phrase
from curation.records.wrong_values import WrongValue


class NounEnding(Part):
    """Verbs at the end of an expression, and the noun that they are the same as.

    Attributes:
        stems: What stands before the ending and stays.
        endings: The endings.
        noun: What stands in their place.
    """

    stems: tuple[str, ...] = ("",)
    endings: tuple[str, ...]
    noun: str


class Published(Part):
    """Words that a published script for the language reads replies by.

    Attributes:
        leads: What stands before an answer.
        endings: Ends of a reply, and what is put in their place.
    """

    leads: tuple[str, ...]
    endings: dict[str, str]


class Replies(Part):
    """What replies say in a language; phrases in small letters.

    Attributes:
        common: Whether replies in any language may have words of it.
        letters: The letters of its script, as in a pattern's class.
        foreign: Letters that no text of the language has, though it has letters of its script.
        marked: Letters beyond those of English by which a text may be known as of the language.
        spaces: `words` where they part words; `free` where they are set in many ways; `none`
            where there are none.
        whole_words: Whether a phrase is found as words of its own; else anywhere.
        parts: Parts of phrases by name.
        variants: Other forms of characters, by the one in which phrases are written.
        articles: What may stand before a name.
        prefixes: What may be written together with a name and stands before it: 'and'.
        expletives: What may stand before the text of a choice that is a sentence: 'it', 'there is'.
        choice_names: What choices are called: 'option'.
        counters: What may follow the letter or number of a choice.
        answer_keys: The keys of an answer in a JSON object.
        joining: Words between the items of a list: 'and'.
        joining_endings: What joins an item to the next one and is written with the first.
        none: What means none of the choices.
        endings: What may follow a letter or a text and changes nothing: 'is right'.
        particles: What may follow a text and changes nothing.
        nouns: Ends of expressions that mean the same.
        statements: What says that an answer follows: 'the answer is'.
        after_statements: Words that may follow one.
        headings: The same before a colon: 'answer'.
        quoted_headings: Whether a heading may stand in quotation marks.
        bare_headings: The same without a colon, before a reply that is nothing else.
        choosing: What says that a choice follows: 'I choose'.
        before_statements: Words that may stand before one: 'so the correct'.
        concluding: Those of them that conclude.
        connecting: What may open a sentence and changes nothing: 'so', 'however'.
        thinking: The same of who thinks it: 'I think that'.
        it_is: What stands before a choice that ends the sentence: 'it is'.
        after_items: What stands after a choice and says that it is the answer.
        explaining: Headings of an explanation.
        reasons: Words that begin a reason after an answer: 'because'.
        first_reasons: Words that begin a reason before an answer.
        clauses: Ends of a clause that gives a reason.
        reported: Words that tell what others say.
        negation: What says that it is not so.
        hedges: What leaves a reply open.
        conditions: What makes a condition.
        unsure: What says that somebody is not sure, and negates nothing.
        doubts: What takes back an answer that stands before it.
        retractions: What takes it back where it begins a sentence or a clause: 'sorry', 'wait'.
        conceded: What says before an answer that it is a guess.
        turning: Words after which what was said before no longer counts: 'but'.
        rereading: What stands between such a word and the answer: 'on rereading the text'.
        speaking: What says before an answer who gives it: 'as someone who Z', Z anything.
        contrasts: Sentences that affirm X and deny Y: 'X, not Y'.
        alternatives: What adds another choice at the beginning of a sentence: 'or'.
        either: What says that another one would do as well: 'either of the two'.
        denials: What says of an answer that it is not right: 'is wrong'.
        telling: Sentences that tell the choice X without words of answers, Z being anything:
            'it was X who Z'.
        sources: What names the text as what an answer is taken from: 'from the passage'.
        described: Sentences that say of a letter X that it is what fits: 'the option that Z is X'.
        clefts: Those of them in which Z may negate: 'the one who did not Z is X'.
        corrections: Sentences that tell X and deny Y, with more than `contrasts` has: 'it was not Y
            who Z but X'.
        whereas: What sets a clause about Y against a choice that was told: 'while'.
        also: What names one beside it instead: 'too', 'not only'.
        first_thoughts: What begins a sentence whose first part no longer counts: 'at first i
            thought'; a word of `turning` ends the part.
        courtesies: Sentences at either end of a reply that are polite and say nothing.
        conclusions: Headings of a conclusion, after an analysis of all choices.
        verdicts: What begins a sentence that concludes from those before it: 'this means that'.
        therefore: Words within a sentence that say that it concludes.
        identifying: Sentences, of those that conclude, that say who it was: 'Z was X'.
        subjects: Sentences that tell X where they are a conclusion after `verdicts`: 'X Z'.
        fitting: What says of a choice of a list that it is the right one.
        grounds: What begins a sentence that gives what the text says: 'the text says that'.
        reasoning: What begins a sentence that is a reason, or is one: 'because Z'.
        failing: What says of a choice of a list that it is not the right one.
        silent: What says in many words that the text does not tell, beside `undecided`; it counts
            where no sentence tells a choice.
        elsewhere: What other questions ask, beside who: a text that does not say 'why' may say who.
        declining: What declines to answer, or asks for the text: 'please', 'as an AI'.
        guarding: What warns, beside such a sentence, of assuming anything.
        linking: What joins the parts of a name, each of which may stand for it: 'from'.
        pronouns: What stands in the place of a name's other part: 'the one'.
        after_names: What may go with a name and changes nothing.
        owning: What makes of a choice before it the owner of another person or thing: "'s".
        undecided: What says that the text does not tell, Z being anything: 'we cannot know who Z'.
        uninformative: What says of the text, or of what somebody is, that nothing follows from it.
        unknown: Other texts of the choice that says so: 'unknown'.
        others: Names for all choices but one, of which more is said: 'the other options'.
        asides: Words of sentences that are about the text or the talk, and tell no choice.
        labels: Letters of the language that stand for A, B, C and so on beside a choice's text.
        ordinals: What names a choice by its place, the first one first: 'the first option'.
        published: Of a published script.
    """

    common: bool = False
    letters: str = r"\w"
    foreign: str = ""
    marked: str = ""
    spaces: Literal["words", "free", "none"] = "words"
    whole_words: bool = True
    parts: dict[str, str] = {}
    variants: dict[str, str] = {}
    articles: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    expletives: tuple[str, ...] = ()
    choice_names: tuple[str, ...] = ()
    counters: tuple[str, ...] = ()
    answer_keys: tuple[str, ...] = ()
    joining: tuple[str, ...] = ()
    joining_endings: tuple[str, ...] = ()
    none: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    particles: tuple[str, ...] = ()
    nouns: tuple[NounEnding, ...] = ()
    statements: tuple[str, ...] = ()
    after_statements: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    quoted_headings: bool = True
    bare_headings: tuple[str, ...] = ()
    choosing: tuple[str, ...] = ()
    before_statements: tuple[str, ...] = ()
    concluding: tuple[str, ...] = ()
    connecting: tuple[str, ...] = ()
    thinking: tuple[str, ...] = ()
    it_is: tuple[str, ...] = ()
    after_items: tuple[str, ...] = ()
    explaining: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    first_reasons: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    reported: tuple[str, ...] = ()
    negation: tuple[str, ...] = ()
    hedges: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    retractions: tuple[str, ...] = ()
    conceded: tuple[str, ...] = ()
    turning: tuple[str, ...] = ()
    rereading: tuple[str, ...] = ()
    speaking: tuple[str, ...] = ()
    contrasts: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    denials: tuple[str, ...] = ()
    telling: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    described: tuple[str, ...] = ()
    clefts: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()
    whereas: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    first_thoughts: tuple[str, ...] = ()
    courtesies: tuple[str, ...] = ()
    conclusions: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()
    therefore: tuple[str, ...] = ()
    identifying: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    fitting: tuple[str, ...] = ()
    grounds: tuple[str, ...] = ()
    reasoning: tuple[str, ...] = ()
    failing: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    guarding: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    declining: tuple[str, ...] = ()
    linking: tuple[str, ...] = ()
    pronouns: tuple[str, ...] = ()
    after_names: tuple[str, ...] = ()
    owning: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    uninformative: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    asides: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    ordinals: tuple[str, ...] = ()
    published: Published | None = None

    @field_validator("letters", "foreign")
    @classmethod
    def _class_of_letters(cls, value: str) -> str:
        try:
            re.compile(f"[{value}]")
        except re.error as error:
            raise WrongValue(
                f"'{value}' is not a list of letters: {error.msg}", "write letters, such as a-zA-Z"
            ) from error
        return value

    @model_validator(mode="after")
    def _phrases(self) -> "Replies":
        for name, text in self.parts.items():
            check_phrase(text, self.parts, ("parts", name))
        for name, phrases in self:
            if name in _PHRASES:
                for at, phrase in enumerate(phrases):
                    check_phrase(phrase, self.parts, (name, at))
        return self


_PLAIN = ("answer_keys",)
_PHRASES = frozenset(
    name
    for name, field in Replies.model_fields.items()
    if field.annotation == tuple[str, ...] and name not in _PLAIN
)
