"""The counts of a survey as they are published: nothing of single respondents."""

from dataclasses import replace
from pathlib import Path

from curation.files.atomic import atomic_text
from curation.files.tables import read_text
from curation.files.workspace import Workspace
from curation.records.culture import Culture
from curation.records.messages import CurateError
from curation.records.survey import Tally
from survey.bank import TALLIES as COUNTED
from survey.building.plan import FILE as PREREGISTRATION
from survey.counts import read_tallies, write_counts, write_tallies

RESULTS = "survey_results.json"
"""The counts, in the shape of published surveys of the kind."""
TALLIES = "tallies.csv"
"""The same counts as a table."""
README = "README.md"

_COUNTS = f"""\
- `{RESULTS}`: one entry for each question. `survey_stats` has the votes of each option by its
  groups, `no_stereo` the votes for "no such stereotype exists", `respondents` the number of usable
  answers. `options` describes each option: its code, its groups, its role (`target`,
  `non_target`, `group`, `none`; `correct` and `wrong` for comprehension)
  and whether it counts for the uniform share.
- `{TALLIES}`: the same counts, one row for each option.
"""
_ANSWERS = """\
- `responses.csv`: one row for each respondent, question and option; `state` is `selected`, `shown`
  or `missing`. The numbers of the respondents are new and follow only from these rows. Where an
  option was shown and how long an answer took are left out.
- `respondents.csv`: the attributes of each respondent. Every combination of attributes is
  that of at least {k} people. Respondents who would have stood out have no attributes.
- `questionnaire.csv`: the questions and options of `responses.csv`.
"""
_KNOWLEDGE = """\
The survey asked whether people know of a stereotype, not whether it is true, nor whether they share
it. Respondents whose answers were doubtful are excluded as the benchmark's settings say.
"""


def write_survey(workspace: Workspace, folder: Path, k: int | None = None) -> dict[str, int]:
    """Write the counts of the survey: aggregated results, nothing of single respondents.

    Args:
        workspace: The workspace; counts are in the names that the survey was asked with.
        folder: Where to write.
        k: Size of the smallest class, where answers of respondents are written beside.

    Returns:
        How many questions there are, and votes.

    Raises:
        CurateError: If nothing has been counted yet, or a file cannot be written.
    """
    tallies = counted_tallies(workspace)
    write_counts(folder / RESULTS, tallies)
    write_tallies(folder / TALLIES, tallies)
    plan = workspace.responses_folder / PREREGISTRATION
    if plan.exists():
        with atomic_text(folder / PREREGISTRATION) as stream:
            stream.write(read_text(plan))
    with atomic_text(folder / README) as stream:
        stream.write(_readme(workspace.culture, len(tallies), k))
    return {
        "questions": len(tallies),
        "votes": sum(sum(tally.votes) for tally in tallies),
    }


def counted_tallies(workspace: Workspace) -> list[Tally]:
    """The counts as what they are published as, without the names of received files.

    Args:
        workspace: The workspace.

    Raises:
        CurateError: If nothing has been counted yet, or they cannot be read.
    """
    tallies = read_tallies(workspace.responses_folder / COUNTED, workspace.book)
    if not tallies:
        raise CurateError(
            "the survey has not been counted yet",
            str(workspace.responses_folder / COUNTED),
            "run 'curate filter --survey FILE' first",
        )
    return [replace(tally, source=RESULTS) for tally in tallies]


def _readme(culture: Culture, questions: int, k: int | None) -> str:
    """Say what the files hold.

    Args:
        culture: The settings.
        questions: How many questions were counted.
        k: Size of the smallest class, where answers of respondents are among the files.
    """
    title = culture.release.title or culture.culture
    lines = [
        f"# Survey results of {title} {culture.version}",
        "",
        f"What was answered to {questions} questions.",
        "",
        _COUNTS + (_ANSWERS.format(k=k) if k else ""),
        _KNOWLEDGE,
    ]
    return "\n".join(lines)
