"""Labels by a model behind the protocol of OpenAI's chat completions."""

import json
import re
import unicodedata
from collections.abc import Sequence

from curation.annotation.classify_sheets import shown
from curation.annotation.engines.engine import Limits, Reply
from curation.annotation.engines.openai_engine import ChatService
from curation.annotation.labelstudio.tasks import NOTHING
from curation.annotation.suggestions.rules import Ruled
from curation.languages.annotation import Pages
from curation.records.annotation import CLASSIFY_LABELS
from curation.records.bank import Label, Template
from curation.records.survey import join_groups

_SHOWN = (
    *("stereotype", "target_groups", "ambiguous_context", "disambiguating_context"),
    *("questions", "answers", "fillers", "reference"),
)
_REASON = 300
_NAMES = "|".join(label.value for label in CLASSIFY_LABELS)
_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_FIRST = re.compile(rf"[\W_]*(?:[^\W\d_][^\W\d_ ]*(?: [^\W\d_]+)?\s*:[\W_]*)?({_NAMES})(?![\w-])")
_OTHER = re.compile(rf"\W*(?:\w+\W+)?({_NAMES})(?![\w-])")
_BETWEEN = re.compile(r"[\s*_`'\"]*[:.;\-\u2013\u2014\u3002\uff0e]")


def question(
    template: Template, culture: str, groups: Sequence[str], prompt: str, titles: Pages
) -> str:
    """What a model is asked about a template.

    Args:
        template: The template.
        culture: The name of the culture.
        groups: The culture's groups of its category, as far as they are known.
        prompt: The prompt of the language.
        titles: What the parts of a template are called.
    """
    told = shown(template)
    lines = (f"{getattr(titles, name)}: {told[name]}" for name in _SHOWN if told[name])
    listed = join_groups(groups) or NOTHING
    return prompt.format(culture=culture, template="\n".join(lines), groups=listed)


def read_reply(reply: str) -> Ruled | None:
    """The label that a reply begins with, and why; None where it names none, or two of them."""
    text = unicodedata.normalize("NFKC", _THINKING.sub("", reply)).strip()
    listed = _listed(text)
    if listed is not None:
        return listed
    lines = [line for line in text.splitlines() if line.strip(" `*#_-")]
    found = _FIRST.match(lines[0]) if lines else None
    if found is None:
        return None
    rest = lines[0][found.end() :]
    if _OTHER.match(rest) and not _BETWEEN.match(rest):
        return None
    return Ruled(Label(found[1]), _reason(" ".join((rest, *lines[1:]))))


def _listed(text: str) -> Ruled | None:
    """A label in a JSON object, which some models write whatever they are asked for."""
    if "{" not in text:
        return None
    try:
        value = json.loads(text[text.index("{") : text.rindex("}") + 1])
        return Ruled(Label(_known(str(value["label"]).strip())), _reason(str(value["reason"])))
    except (ValueError, LookupError, TypeError, RecursionError):
        return None


def _known(label: str) -> str:
    if label not in CLASSIFY_LABELS:
        raise ValueError(label)
    return label


def _reason(text: str) -> str:
    line = " ".join(text.split()).strip(" *_`").lstrip(":.;-\u2013\u2014\u3002 ")
    return line if len(line) <= _REASON else f"{line[: _REASON - 1].rstrip()}\u2026"


class SuggestService(ChatService):
    """A model that is asked for labels, one question in each request."""

    limits = Limits(texts=1, bytes=256 * 1024)
    without = "--engine rules needs no model, it looks only at the groups"

    def signature(self, text: str) -> str:
        """Server and model."""
        del text
        return self.signed(engine="suggest")

    def said(self, texts: Sequence[str], context: str) -> dict[str, str]:
        """The question."""
        del context
        return {"user": "".join(texts)}

    def read(self, reply: str, texts: Sequence[str]) -> list[Reply]:
        """The reply as it is."""
        return [Reply(reply, len(text)) for text in texts]
