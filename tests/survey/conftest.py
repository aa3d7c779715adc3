"""Questions, counts and templates of an invented survey."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from curation.records.bank import (
    Label,
    Template,
    TemplateId,
    Texts,
    Variant,
    VariantId,
    VariantLetter,
)
from curation.records.survey import Option, Question, QuestionKind, Role, Tally
from survey.answers import MISSING, SELECTED, SHOWN, Answers

STEREOTYPE = "They hum at work"


@dataclass(frozen=True)
class Make:
    """Makes records of one survey about potters, bakers and weavers, with changes."""

    stereotype: str = STEREOTYPE

    def choice(self, target="Bakers", other="Potters", **changes):
        """Make a validation question about two options, either of which may list groups."""
        options = (
            Option("1", tuple(target.split(", ")), Role.TARGET),
            Option("2", tuple(other.split(", ")), Role.NON_TARGET),
            Option("none", (), Role.NONE),
        )
        question = Question("q-1", QuestionKind.CHOICE, "Craft", self.stereotype, options)
        return replace(question, **changes)

    def select_all(self, *groups, uncounted=(), **changes):
        options = [
            Option(str(code), tuple(label.split(", ")), Role.GROUP, label not in uncounted)
            for code, label in enumerate((*groups, *uncounted), start=1)
        ]
        options.append(Option("none", (), Role.NONE))
        question = Question(
            "q-2", QuestionKind.SELECT_ALL, "Craft", self.stereotype, tuple(options)
        )
        return replace(question, **changes)

    def comprehension(self, template_id="craft-001", **changes):
        """Make a question of comprehension with one correct option and two wrong ones."""
        options = (
            Option("1", (), Role.WRONG),
            Option("2", (), Role.CORRECT),
            Option("3", (), Role.WRONG),
        )
        question = Question(
            f"c-{template_id}", QuestionKind.COMPREHENSION, "Craft", "", options, template_id
        )
        return replace(question, **changes)

    def tally(self, question, *votes, respondents=None, **changes):
        """Make counts; each respondent chose one option unless their number is given."""
        known = sum(votes) if respondents is None else respondents
        return replace(Tally(question, known, tuple(votes), "answers.csv"), **changes)

    def template(
        self,
        template_id="craft-001",
        target=("Bakers",),
        other=("Potters",),
        label=Label.SIMPLY_TRANSFERRED,
        **texts,
    ):
        """Make a template with variants a and b; the target is the second person of a."""
        parsed = TemplateId.parse(template_id)
        variants = []
        for letter in (VariantLetter.A, VariantLetter.B):
            people = (other, target) if letter is VariantLetter.A else (target, other)
            wording = Texts(
                stereotype=self.stereotype,
                target_groups=tuple(target),
                ambiguous_context="[N1] and [N2] came in.",
                disambiguating_context="[N1] hummed, [N2] was silent.",
                biased_question="Who hums?",
                counter_biased_question="Who does not hum?",
                biased_answer="[N1]",
                counter_biased_answer="[N2]",
                names="N1: [Ann]; N2: [Bob]",
                n1_groups=tuple(people[0]),
                n2_groups=tuple(people[1]),
            )
            variants.append(
                Variant(VariantId(parsed, letter), "Craft", label, replace(wording, **texts))
            )
        return Template(parsed, tuple(variants))


@pytest.fixture(scope="session")
def make():
    return Make()


def make_answers(questions, chosen, *, first=None, seconds=None, **attributes):
    """Make the answers of invented respondents.

    Args:
        questions: The questionnaire.
        chosen: What they chose; a question that one has not is not asked of him.
        first: By respondent and question, the option shown first, the others in their order;
            positions are not known where it says nothing.
        seconds: By respondent and question, the seconds taken.
        attributes: A value for each respondent, in the order of `chosen`.
    """
    rows = []
    for person, (name, answers) in enumerate(chosen.items()):
        for at, question in enumerate(questions):
            if question.id not in answers:
                continue
            picked = answers[question.id]
            codes = [option.code for option in question.options]
            leading = (first or {}).get(name, {}).get(question.id)
            shown = sorted(codes, key=lambda code: code != leading) if leading else []
            took = (seconds or {}).get(name, {}).get(question.id, float("nan"))
            for place, code in enumerate(codes):
                wanted = (picked,) if isinstance(picked, str) else picked or ()
                state = MISSING if picked is None else SELECTED if code in wanted else SHOWN
                position = shown.index(code) + 1 if shown else 0
                rows.append((person, at, place, state, position, took))
    columns = list(zip(*rows, strict=True))
    return Answers(
        source="answers.csv",
        questions=tuple(questions),
        respondents=tuple(chosen),
        respondent=np.array(columns[0], dtype=np.int64),
        question=np.array(columns[1], dtype=np.int64),
        option=np.array(columns[2], dtype=np.int64),
        state=np.array(columns[3], dtype=np.int8),
        position=np.array(columns[4], dtype=np.int32),
        duration=np.array(columns[5], dtype=np.float64),
        row=np.arange(2, len(rows) + 2, dtype=np.int64),
        attributes={name: tuple(values) for name, values in attributes.items()},
    )


@pytest.fixture(scope="session")
def answering():
    return make_answers


def voted(make, answering, *orders, **more):
    """Respondents who were shown an option first and chose so: 1, 2, or 0 for none."""
    codes = {"1": "1", "2": "2", "0": "none"}
    chosen, first = {}, {}
    for leading, votes in orders:
        for vote in votes:
            name = f"r{len(chosen)}"
            chosen[name] = {"q-1": codes[vote]}
            first[name] = {"q-1": leading} if leading else {}
    return answering([make.choice()], chosen, first=first, **more)


def turn(*said):
    """A decision that comes out otherwise."""
    return dict(zip(("subject", "rule", "outcome", "otherwise"), said, strict=True))
