"""Words by which published samples of a language are read."""

from curation.languages.general import Part


class SampleWords(Part):
    """What published sets call their unknown expression, and people of a gender.

    Attributes:
        unknown: Choices that say that the context does not tell.
        female: Names of groups that BBQ's layout calls `F`.
        male: Names of groups that it calls `M`.
        people: Endings of a group's name that say no more than people.
        endings: Endings of more than one letter in which two spellings of a group may differ.
        negations: What stands before a group's name and says that somebody is not of it.
        instead: Phrases that they have in place of a name of their vocabulary.
    """

    unknown: tuple[str, ...] = ()
    female: tuple[str, ...] = ()
    male: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    negations: tuple[str, ...] = ()
    instead: dict[str, str] = {}
