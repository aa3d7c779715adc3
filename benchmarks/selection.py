"""How often chance alone keeps a question of target selection, and surveys drawn anew from counts.

All groups of a question are named equally often, by 80 people. The method page has the table. The
second part draws pairs of surveys from true shares. The first says by its counts how often its
decision would be the same again; the second shows how often it is.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from benchmarks.measure import report
from curation.records.culture import SurveySettings
from curation.records.survey import Option, Outcome, Question, QuestionKind, Role, Tally
from survey.certainty import chance_kept, redrawn
from survey.rules import decide

NAMED = 80
DRAWS = 4000
OPTIONS = (5, 7, 10, 14, 18, 20, 24)
PER_PERSON = (1, 1.25, 1.5, 2, 2.5, 3)
SEED = 20240601
QUESTIONS, SURVEYS, OFFERED = 60, 5, 10
EVENNESS = (1, 3, 6)
"""Of the true shares (Dirichlet): the larger, the nearer are groups to the thresholds."""
_Shares = npt.NDArray[np.float64]


def run() -> list[str]:
    """Print the table of false keeps, and check the rate of decisions that stay the same."""
    settings = SurveySettings()
    for options in OPTIONS:
        rates = (
            chance_kept(options, options, NAMED, round(NAMED * each), settings, DRAWS)
            for each in PER_PERSON
        )
        print(options, *(f"{rate:.2f}" for rate in rates))
    return [_compared(settings, evenness) for evenness in EVENNESS]


def _compared(settings: SurveySettings, evenness: float) -> str:
    """Compare what surveys say of the next one with how often that decides the same."""
    said, true = (float(np.mean(part)) for part in zip(*_repeated(settings, evenness), strict=True))
    note = f"{said:.3f} said, {true:.3f} true"
    name = f"points said too many, evenness {evenness:g}"
    return report(name, 100 * max(0.0, said - true), 15, "", note)


def _repeated(settings: SurveySettings, evenness: float) -> Iterator[tuple[float, bool]]:
    """Yield of each survey what it says of the next, and whether the next agrees."""
    rng = np.random.default_rng(SEED)
    question = _question(OFFERED)
    for _ in range(QUESTIONS):
        shares = rng.dirichlet(np.full(OFFERED, evenness)) * 1.5
        for _ in range(SURVEYS):
            one, other = (_survey(question, shares, rng) for _ in range(2))
            same = _drops(one, settings) == _drops(other, settings)
            yield redrawn([one], settings)[question.id]["same"], same


def _survey(
    question: Question,
    shares: "np.ndarray[tuple[int], np.dtype[np.float64]]",
    rng: np.random.Generator,
) -> Tally:
    votes = rng.binomial(NAMED, np.minimum(shares, 1))
    return Tally(question, NAMED, (*(int(count) for count in votes), 0), "simulated")


def _drops(tally: Tally, settings: SurveySettings) -> bool:
    return any(item.outcome is Outcome.DROP for item in decide(tally, settings))


def _question(options: int) -> Question:
    groups = [Option(str(at), (f"G{at}",), Role.GROUP) for at in range(options)]
    none = replace(groups[0], code="none", groups=(), role=Role.NONE)
    kind = QuestionKind.SELECT_ALL
    return Question("q-1", kind, "Craft", "They hum", (*groups, none))
