"""Articles and other words that follow what the list of fillers says of a name."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from curation.languages import AgreementTexts
from curation.slots.grammar import ALONE, Filler, print_fillers
from curation.slots.joining import Joining


class FeatureAgreement:
    """Chooses among alternatives by the features of a filler, such as gender and number."""

    is_capitalised = True

    def __init__(self, texts: AgreementTexts, joining: Joining) -> None:
        self._texts = texts
        self._joining = joining
        self.common = texts.common

    def form(self, filler: Filler, alternatives: str) -> str | None:
        """The alternative with the filler after it; None where a feature is not stated.

        An article that loses its end before the name is written with it (`l'home`).

        Raises:
            ValueError: If the language has no rule for so many alternatives.
        """
        words = self._words(alternatives)
        rows = self._texts.features[len(words)]
        fitting = (
            word for word, row in zip(words, rows, strict=True) if self._has(filler, row, rows)
        )
        word = next(fitting, None)
        if word is None or alternatives.startswith(ALONE):
            return word
        first = filler.text.split()[:1]
        if first and first[0].lower() in self._texts.swapped_before:
            word = self._texts.swapped.get(word, word)
        kept, (form,) = self._joining.join(f"{word} ", (filler.text,))
        return kept + form

    def pair(self, alternatives: str) -> tuple[str, str]:
        """The first two alternatives.

        Raises:
            ValueError: If the language has no rule for so many alternatives.
        """
        first, second, *_ = self._words(alternatives)
        return first, second

    def changed(self, filler: Filler, word: str) -> str | None:
        """The named form to write in place of a word and a filler that changes after it.

        Args:
            filler: The filler.
            word: The word, an article say.

        Returns:
            What the form is called; None where the filler stays as it is, as far as is known.
        """
        for item in self._texts.changing:
            if (
                word.lower() in item.after
                and not (item.unless and filler.text.endswith(item.unless))
                and any(all(self._of(filler, k) == v for k, v in row.items()) for row in item.of)
            ):
                return item.form
        return None

    @property
    def inflects(self) -> bool:
        """Whether names change with their place in the sentence."""
        return bool(self._texts.changing)

    @property
    def optional(self) -> frozenset[str]:
        """Features that a filler need not state: there is a value that names usually have."""
        return frozenset(self._texts.defaults)

    @property
    def alone(self) -> str:
        """Alternatives that are written without the name, as an example."""
        usual = (words for words in self.common if words.startswith(ALONE))
        return self._texts.alone or next(usual, "")

    def hint(self, filler: Filler) -> str:
        """What to write into the list, so that the form of a filler can be known."""
        for name, values in self.values.items():
            if self._of(filler, name) not in values:
                said = filler.feature(name)
                told = f"its {name} is '{said}'" if said else f"its {name} is not given"
                ways = " or ".join(_written(filler, name, value) for value in values)
                return f"{told}: write in the list of fillers {ways}"
        fitting = [
            count
            for count, rows in self._texts.features.items()
            if any(self._has(filler, row, rows) for row in rows)
        ]
        for words in self.common:
            if len(words.split("/")) in fitting:
                return f"write alternatives for its gender and number too, such as {words}"
        return "list the forms: no alternatives go with it"

    @property
    def values(self) -> Mapping[str, tuple[str, ...]]:
        """The features that alternatives are told by, each with its values in their order."""
        found: dict[str, dict[str, None]] = {}
        for rows in self._texts.features.values():
            for row in rows:
                for name, value in row.items():
                    found.setdefault(name, {})[value] = None
        return {name: tuple(values) for name, values in found.items()}

    def _words(self, alternatives: str) -> list[str]:
        words = [word.strip() for word in alternatives.removeprefix(ALONE).split("/")]
        other_way = "/".join(reversed(words))
        if other_way in self._texts.common and "/".join(words) not in self._texts.common:
            raise ValueError(f"'{alternatives}' has the wrong order: write {other_way}")
        if len(words) not in self._texts.features or not all(words):
            counts = " or ".join(map(str, sorted(self._texts.features)))
            example = self._texts.common[0]
            raise ValueError(
                f"'{alternatives}' has {len(words)} alternatives; there must be {counts}, such as "
                f"{example}"
            )
        return words

    def _of(self, filler: Filler, name: str) -> str | None:
        """A feature of a filler; published lists of names write it in capitals."""
        return (filler.feature(name) or self._texts.defaults.get(name, "")).lower() or None

    def _has(
        self, filler: Filler, wanted: Mapping[str, str], rows: Sequence[Mapping[str, str]]
    ) -> bool:
        """Whether a filler is of a row; of what no row tells it must be as names usually are."""
        told = {name for row in rows for name in row}
        usual = {name: value for name, value in self._texts.defaults.items() if name not in told}
        every = {**usual, **wanted}.items()
        return all(self._of(filler, name) == value for name, value in every)


def _written(filler: Filler, name: str, value: str) -> str:
    """A filler as a list holds it, with another value of a feature."""
    pairs = dict(filler.features) | {name: value}
    return print_fillers([replace(filler, features=tuple(pairs.items()))])[1:-1]
