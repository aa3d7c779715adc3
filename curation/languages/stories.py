"""What stories that leave open who is who need of a language, and how they are continued."""

from curation.languages.general import Part
from curation.languages.prompts import ContinuationPrompt, Prompts


class Case(Part):
    """The placeholders for the two people in another grammatical case.

    Attributes:
        articles: The articles of the case, by gender, `p` for all plurals: `m: [dem, einem]`.
        placeholders: What stands for the two; nothing where it is the usual.
    """

    articles: dict[str, tuple[str, ...]]
    placeholders: tuple[str, str] | None = None


class StoryTexts(Prompts[ContinuationPrompt]):
    """How one language leaves open who is who.

    Attributes:
        placeholders: What stands for the person who is mentioned first, and for the other one.
        features: The features of the placeholders, which words without a name agree with
            (`[N1|=a/b]`): `{gender: m}`.
        cases: How a language that has cases declines the placeholders.
        prefixes: What stands for the two where an article or a preposition is written to the name,
            by what is written to it.
        adjectives: What stands for them before a noun, where a name describes it; the same as
            `placeholders` if there are none.
        describing: Words between a name that describes a noun, and the noun.
        attributive: What a name that describes a noun may end in.
        descriptive: What makes any name before it describe the noun after it.
        impersonal: Particles that no person takes.
        plural: What makes the plural of a noun.
        closing: Particles that nothing is joined to.
        honorifics: By particle that shows respect the one that does not, or a pair of them.
        articles: Words before a person that go with the name.
        possessives: Endings that a form keeps.
        beginnings: What may be written before a word without making another one of it.
        endings: What may follow a word without making another one of it.
        whole_words: Whether spaces stand between words; else a word is found anywhere.
        abbreviations: Words after which a full stop ends no sentence.
        feminine: Words that tell a woman.
        masculine: Words that tell a man.
        neutral: Words that hold one of these and tell neither.
        prompts: How models are asked for a continuation of some sentences.
        free_prompts: How they are asked for one of any length.
    """

    placeholders: tuple[str, str] | None = None
    features: dict[str, str] = {}
    cases: tuple[Case, ...] = ()
    prefixes: dict[str, tuple[str, str]] = {}
    adjectives: tuple[str, str] | None = None
    describing: tuple[str, ...] = ()
    attributive: tuple[str, ...] = ()
    descriptive: tuple[str, ...] = ()
    impersonal: tuple[str, ...] = ()
    plural: str = ""
    closing: tuple[str, ...] = ()
    honorifics: dict[str, str] = {}
    articles: tuple[str, ...] = ()
    possessives: tuple[str, ...] = ()
    beginnings: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    whole_words: bool = True
    abbreviations: tuple[str, ...] = ()
    feminine: tuple[str, ...] = ()
    masculine: tuple[str, ...] = ()
    neutral: tuple[str, ...] = ()
    prompts: tuple[ContinuationPrompt, ...] = ()
    free_prompts: tuple[ContinuationPrompt, ...] = ()
