"""Fourth rule: exactly the text of a choice."""

from collections.abc import Iterable, Sequence

from curation.model.reply.forms import bare, noun_ending, without_ending
from curation.model.reply.normal import text_key, without_article

_ENDING = 30  # signs by which a text in a reply may be longer than the choice


class Texts:
    """The texts of choices, looked up by what is left when decoration is taken off."""

    def __init__(self, choices: Sequence[str]) -> None:
        self._exact: dict[str, set[int]] = {}
        self._loose: dict[str, set[int]] = {}
        for at, choice in enumerate(choices):
            key = text_key(choice)
            if key:
                self._exact.setdefault(key, set()).add(at)
                self._loose.setdefault(_loose(key), set()).add(at)
        self.longest = _ENDING + max(map(len, choices), default=0)

    def find(self, text: str) -> set[int]:
        """Give the positions of the choices whose text a text is; empty where it is none.

        The exact text comes before one with another article or verb ending, and this before
        one with a polite ending or a particle; of one rank there may be several.
        """
        if len(text) > 2 * self.longest:
            return set()
        forms = list(bare(text))
        return self._look(forms) or self._look(
            shorter for form in forms for ended in _endings(form) for shorter in bare(ended)
        )

    def _look(self, forms: Iterable[str]) -> set[int]:
        keys = [text_key(form) for form in forms]
        exact = set().union(*(self._exact.get(key, ()) for key in keys))
        return exact or set().union(*(self._loose.get(_loose(key), ()) for key in keys))


def _endings(form: str) -> list[str]:
    return without_ending(form, particles=True)


def _loose(key: str) -> str:
    return noun_ending(without_article(key))
