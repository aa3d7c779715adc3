"""A survey that people answered, and models that are asked the same."""

from dataclasses import dataclass

import pandas as pd
import pytest

from curation.records.culture import Category, Culture, SurveySettings
from curation.records.letters import choice_letters
from curation.records.survey import Option, Question, QuestionKind, Role, Tally, TargetRow
from evaluation.replies.files import load_replies
from evaluation.simulate.comparing import Request, compare, make_requests, read_prompts
from survey.rules import target_rows

CULTURE = Culture(
    culture="Nowhere",
    language="en",
    unknown="Unknown",
    categories=(Category(id="Craft", name="Trades"), Category(id="Season")),
)
NONE = Option("none", (), Role.NONE, counts=False, text="No such stereotype")


def choice(name, category="Craft"):
    options = (
        Option("1", ("Bakers",), Role.TARGET, text="Bakers"),
        Option("2", ("Potters", "Weavers"), Role.NON_TARGET, text="Potters, Weavers"),
        NONE,
    )
    return Question(name, QuestionKind.CHOICE, category, f"They do {name}", options)


def select_all(name, category="Season"):
    options = [
        Option(str(code), (group,), Role.GROUP, text=group)
        for code, group in enumerate(("Spring", "Summer", "Autumn", "Winter"), start=1)
    ]
    return Question(name, QuestionKind.SELECT_ALL, category, f"They do {name}", (*options, NONE))


# Bakers; no such stereotype; a tie; potters and weavers.
CHOICES = {"c1": (60, 30, 10), "c2": (10, 20, 70), "c3": (40, 40, 20), "c4": (10, 50, 40)}
# With 25, 20 and 25 a uniform share: spring and summer; nothing; autumn.
SELECTIONS = {"s1": (60, 55, 10, 5, 0), "s2": (30, 30, 30, 30, 20), "s3": (5, 5, 80, 5, 0)}


@dataclass(frozen=True)
class Survey:
    questions: tuple[Question, ...]
    tallies: tuple[Tally, ...]
    targets: tuple[TargetRow, ...]

    def requests(self, seed=42, prompts=1):
        made = make_requests(self.questions, read_prompts("en")[:prompts], CULTURE, seed)
        return {
            str(line["request_id"]): Request(
                str(line["question_id"]), str(line["prompt_id"]), tuple(line["choices"])
            )
            for line in made
        }

    def compare(self, requests, replies):
        """Compare models with people; replies are `(model, request, text)`."""
        table = load_replies(pd.DataFrame(replies, columns=["model", "request_id", "reply"]))
        return compare(requests, self.questions, self.tallies, self.targets, table)[0]


@pytest.fixture(scope="session")
def survey():
    """Four questions of validation and three of target selection, answered by 100 each."""
    tallies = [Tally(choice(name), sum(votes), votes, "a.csv") for name, votes in CHOICES.items()]
    tallies += [Tally(select_all(name), 100, votes, "a.csv") for name, votes in SELECTIONS.items()]
    settings = SurveySettings()
    return Survey(
        tuple(tally.question for tally in tallies),
        tuple(tallies),
        tuple(row for tally in tallies for row in target_rows(tally, settings)),
    )


@pytest.fixture(scope="session")
def answering():
    """Make the replies of a model that names texts, by question; other replies are as given."""

    def replies(requests, named, model="m", joint=", "):
        found = []
        for name, request in requests.items():
            wanted = named.get(request.question_id)
            if isinstance(wanted, str):
                found.append((model, name, wanted))
            elif wanted is not None:
                letters = choice_letters(len(request.choices))
                shown = [letters[request.choices.index(text)] for text in wanted]
                found.append((model, name, joint.join(sorted(shown))))
        return found

    return replies
