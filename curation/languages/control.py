"""Names of people of no particular group, for control sets in a language."""

from pydantic import field_validator

from curation.languages.general import Part


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
