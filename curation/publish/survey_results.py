"""What stands beside published results of a survey: which files there are, and what they hold."""

from curation.model.culture import Culture

RESULTS = "survey_results.json"
"""The counts, in the shape of published surveys of the kind."""
TALLIES = "tallies.csv"
"""The same counts as a table."""
README = "README.md"

_COUNTS = f"""\
- `{RESULTS}`: one entry a question. `survey_stats` holds the votes of each option by its groups,
  `no_stereo` those for "no such stereotype exists"; `respondents` gave a usable answer. `options`
  says more of each option: its code, its groups, its role (`target`, `non_target`, `group`, `none`;
  `correct` and `wrong` for comprehension) and whether the equal share is divided by it.
- `{TALLIES}`: the same counts, one row an option.
"""
_ANSWERS = """\
- `responses.csv`: one row a respondent, question and option; `state` is `selected`, `shown` or
  `missing`. Respondents have new numbers that follow from nothing but these rows. Where an option
  was shown and how long an answer took are left out.
- `respondents.csv`: the attributes of each respondent. No combination of them is that of fewer
  than {k} people. Who would have stood out has none.
- `questionnaire.csv`: the questions and their options, by which `responses.csv` is read.
"""
_KNOWLEDGE = """\
The survey asked whether people know of a stereotype, not whether it holds, nor whether they share
it. Respondents whose answers were doubtful are left out as the benchmark's settings say.
"""


def readme(culture: Culture, questions: int, k: int | None = None) -> str:
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
