"""Whether models know the samples by heart: they complete beginnings, told the set's name or not.

The guided and the general instruction of Golchin and Surdeanu (2024). A model that has seen the set
gives the rest better when the set is named. One that has not may still give a likely rest, or texts
in the style of such a set, and neither counts: the first it gives without the name, too, and by the
second it comes as near to the rests of other samples.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from curation.files.jsonl import Line
from curation.files.manifest import named_inputs
from curation.intervals import interval
from curation.records.letters import PART
from curation.records.messages import CurateError, Results, has_errors, refusal, results
from curation.records.sample import Sample
from evaluation.folders import Row, requests_by_id
from evaluation.parsing.thoughts import without_thoughts
from evaluation.prompts import COMPLETION
from evaluation.qa.metrics import defined
from evaluation.replies.files import attendance, attendance_findings, load_replies, positions
from evaluation.requests import read_lines, request_id
from evaluation.statistics import chance, corrected, signed_rank

COMPLETION_COLUMNS = (
    *("model", "templates", "guided", "general", "guided_others", "general_others"),
    *("exact_guided", "exact_general", "difference", "low", "high", "p", "p_holm"),
)
"""One row for each model. `guided` and `general` are the mean likeness of what it wrote to the rest
of the sample, with and without the name of the set, `guided_others` and `general_others` that to
the rests of other samples; `exact_...` count rests that it gave word by word."""
GUIDED, GENERAL = "guided", "general"
_SETS = {GUIDED: "the dataset {name}", GENERAL: "a dataset"}
_ASKED = (
    "Below is the beginning of a text in {set}. Write the rest of it, exactly as it stands there, "
    "and nothing else.\n\n{begun}"
)
_LEAST_WORDS = 8  # of a context that is cut
_OTHERS = 20  # samples with whose rests each is compared
_AGAIN = "write the requests with 'curate evaluate prepare --answer completion'"


def completion_requests(samples: Iterable[Sample], name: str) -> Iterator[dict[str, object]]:
    """Yield two requests for the first sample of each template whose context is long enough.

    Args:
        samples: The samples.
        name: What the set is called.

    Raises:
        CurateError: If no context has eight words.
    """
    seen: set[str] = set()
    for sample in samples:
        words = list(PART.finditer(sample.context))
        if sample.template_id in seen or len(words) < _LEAST_WORDS:
            continue
        seen.add(sample.template_id)
        cut = words[len(words) // 2].start()
        for kind, said in _SETS.items():
            begun = sample.context[:cut].rstrip()
            text = _ASKED.format(set=said.format(name=name), begun=begun)
            yield {
                "request_id": request_id(sample.sample_id, 0, kind),
                "template_id": sample.template_id,
                "prompt_id": kind,
                "messages": [{"role": "user", "content": text}],
                "rest": sample.context[cut:],
            }
    if not seen:
        raise refusal("evaluation", "completion-short", name, least=_LEAST_WORDS)


def score_completions(path: Path, replies: Sequence[Path] | pd.DataFrame) -> Results:
    """Compare what models wrote with the rests of the samples.

    Args:
        path: The requests.
        replies: Files of replies, or a frame of them; see `load_replies`.

    Returns:
        The rows; told are whether requests lack a reply or lines that may be one cannot be read
        (`incomplete`), and the `inputs`.

    Raises:
        CurateError: If a file cannot be read, or no reply answers a request.
    """
    seen: set[tuple[str, str]] = set()

    def asked(line: Line) -> tuple[str, str, str]:
        template, kind, rest = (line.text(it) for it in ("template_id", "prompt_id", "rest"))
        if (template, kind) in seen:
            raise ValueError(f"template {template} has a {kind} one already; score sets apart")
        seen.add((template, kind))
        return template, kind, rest

    requests = requests_by_id(path, read_lines(path), asked, "request for a completion", _AGAIN)
    given, names = load_replies(replies), list(requests)
    file = ", ".join(map(str, given.paths))
    at = positions(given, names)
    texts = given.frame["reply"].astype(object)
    told = ["" if not isinstance(text, str) else COMPLETION for text in texts]
    attended = attendance(given, names, at, told)
    findings = (*given.findings, *attendance_findings(attended, file))
    there = (at >= 0) & texts.notna().to_numpy()
    if not there.any():
        raise CurateError("no reply answers one of these requests", file, _AGAIN)
    found = pd.DataFrame([requests[names[place]] for place in at[there]])
    found.columns = pd.Index(["template", "kind", "rest"])
    found["model"] = given.frame["model"].astype(str).to_numpy()[there]
    found["reply"] = [without_thoughts(text) or "" for text in texts[there]]
    rows = [_row(model, found[found["model"] == model]) for model in given.models]
    found_in = {
        "incomplete": any(item.lacking for item in attended) or has_errors(findings),
        "inputs": {"requests": path} | named_inputs(given.paths, kind="replies"),
    }
    return results({COMPLETION: (COMPLETION_COLUMNS, corrected(rows))}, findings, found_in)


def _row(model: str, found: pd.DataFrame) -> Row:
    """Score what one model wrote, over the templates with both of its replies."""
    replies = found.pivot(index="template", columns="kind", values="reply")
    replies = replies.reindex(columns=[GUIDED, GENERAL]).dropna()
    rests = found.drop_duplicates("template").set_index("template")["rest"][replies.index]
    words = [_words(rest) for rest in rests]
    row: Row = dict.fromkeys(COMPLETION_COLUMNS)
    row |= {"model": model, "templates": len(words)}
    beyond = np.zeros((2, len(words)))
    for number, kind in enumerate((GUIDED, GENERAL)):
        own = [_words(reply) for reply in replies[kind]]
        row[f"exact_{kind}"] = sum(one == rest for one, rest in zip(own, words, strict=True))
        if len(words) < 2:
            continue
        near = np.array([_near(one, rest) for one, rest in zip(own, words, strict=True)])
        others = np.array([_to_others(at, one, words) for at, one in enumerate(own)])
        beyond[number] = near - others
        row |= {kind: defined(near.mean()), f"{kind}_others": defined(others.mean())}
    if len(words) < 2:
        return row
    differences = np.clip(beyond[0] - beyond[1], -1.0, 1.0)  # further only if nothing is its own
    mean = float(differences.mean())
    ends = interval(mean, (differences - mean) / len(words), float(len(words)), (-1.0, 1.0))
    tested = signed_rank(differences)
    row |= {"difference": defined(mean), "low": defined(ends[0]), "high": defined(ends[1])}
    return row | {"p": None if tested is None else chance(tested[1])}


def _words(text: str) -> list[str]:
    """The words of a text, or its signs where a script sets no spaces."""
    return PART.findall(text.casefold())


def _to_others(at: int, own: list[str], rests: Sequence[list[str]]) -> float:
    """The mean likeness of what was written on one sample to the rests of samples after it."""
    number = min(_OTHERS, len(rests) - 1)
    others = (rests[(at + by) % len(rests)] for by in range(1, number + 1))
    return sum(_near(own, rest) for rest in others) / number


def _near(own: list[str], rest: list[str]) -> float:
    """The likeness of a reply to a rest, as far as that goes: many words bring it no nearer."""
    return likeness(own[: len(rest)], rest)


def likeness(one: Sequence[str], two: Sequence[str]) -> float:
    """ROUGE-L of two texts: twice their longest common subsequence over both lengths (Lin 2004).

    The subsequence is counted with the bits of one number, a bit a word.
    """
    if not one or not two:
        return 0.0
    places: dict[str, int] = {}
    for at, word in enumerate(one):
        places[word] = places.get(word, 0) | 1 << at
    every = (1 << len(one)) - 1
    left = every
    for word in two:
        met = left & places.get(word, 0)
        left = (left + met | left - met) & every
    return 2 * (len(one) - left.bit_count()) / (len(one) + len(two))
