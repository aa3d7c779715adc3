"""Names of people of no particular group, for control sets in a language."""

from pydantic import field_validator

from curation.languages.general import Part
from curation.records.errors import CurateError


class ControlNames(Part):
    """Given names, and the articles that stand before groups and not before names.

    Attributes:
        female: Women's names, written as fillers are: `Anna` or `Anna {gen: Annas}`.
        male: Men's names.
        articles: Words that a name takes the place of together with the group, in small letters:
            `the potter` becomes `Anna`. One that ends in an apostrophe stands without a space.
    """

    female: tuple[str, ...]
    male: tuple[str, ...]
    articles: tuple[str, ...] = ()

    @field_validator("female", "male")
    @classmethod
    def _are_fillers(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        from curation.slots.grammar import parse_fillers

        try:
            names = [item.text for item in parse_fillers(f"[{', '.join(value)}]")]
        except CurateError as error:
            raise ValueError(error.what) from error
        twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
        if twice:
            raise ValueError(f"'{twice[0]}' stands there twice")
        return value
