"""Which question a template is linked to."""

from dataclasses import replace

from curation.files.outcomes import Questions

NOT_ASKED = "no answers about its stereotype were read"
OTHER_GROUPS = "its stereotype was asked about other groups"
EXCHANGED = "its stereotype was asked with target and non-target exchanged"


def test_a_template_hangs_on_the_question_whose_options_are_its_groups(make):
    """Of several questions about one stereotype it is the one about its own groups."""
    other, own = make.choice("Bakers", "Weavers"), make.choice("Bakers", "Potters", id="q-9")
    template = make.template(target=["Bakers"], other=["Potters"])
    assert Questions([other, own]).match(template) == (own, "", False)


def test_the_text_of_the_stereotype_alone_decides_nothing(make):
    """About other groups, or with the two exchanged, a template is undecided and told so."""
    for target, other, problem in [
        (["Bakers"], ["Weavers"], OTHER_GROUPS),
        (["Potters"], ["Bakers"], EXCHANGED),
        (["Weavers"], ["Potters"], OTHER_GROUPS),
        ([], [], OTHER_GROUPS),
    ]:
        template = make.template(target=target, other=other)
        assert Questions([make.choice("Bakers", "Potters")]).match(template) == (
            None,
            problem,
            False,
        )


def test_a_person_may_be_of_some_of_the_target_groups(make):
    """The target's groups are among the template's target groups, the non-target's are not."""
    for other, match in [
        # The person is of one of the target groups, the other one of none.
        ("Potters", None),
        # Both people are of target groups: neither is the one that the stereotype is not about.
        ("Smiths", OTHER_GROUPS),
    ]:
        question = make.choice("Bakers", other)
        template = make.template(other=[other], target_groups=("Bakers", "Smiths"))
        found = Questions([question]).match(template)
        assert found == ((question, "", False) if match is None else (None, match, False))


def test_category_and_stereotype_are_compared_but_for_blanks(make):
    """Blanks and the capitals of the category make no other question; other words do."""
    for category, stereotype, found in [
        ("Craft", "They hum at work", True),
        ("craft", " They  hum\nat work ", True),
        ("Age", "They hum at work", False),
        ("Craft", "They hum", False),
        ("Craft", "they hum at work", False),
    ]:
        question = make.choice(category=category, stereotype=stereotype)
        match = Questions([question]).match(make.template())
        assert match == ((question, "", False) if found else (None, NOT_ASKED, False))


def test_counts_that_name_a_template_are_of_it(make):
    """Where no question has its groups; one that has them goes first, an exchanged one is none."""
    template = make.template(target=["Bakers"], other=["Potters"])
    named = make.choice("Village bakers", "Potters", id="q-7", templates=("craft-001",))
    strange = make.choice("Smiths", "Potters", id="q-8", templates=("craft-002",))
    assert Questions([strange, named]).match(template) == (named, "", True)
    own = make.choice("Bakers", "Potters")
    assert Questions([named, own]).match(template) == (own, "", False)
    exchanged = make.choice("Potters", "Bakers", templates=("craft-001",))
    assert Questions([exchanged]).match(template) == (None, EXCHANGED, False)
    other = replace(named, stereotype="They whistle")
    assert Questions([other]).match(template) == (None, NOT_ASKED, False)


def test_of_several_questions_that_fit_that_which_names_the_template_is_its_own(make):
    """A question of target selection and one of validation may both have its groups."""
    template = make.template(target=["Bakers"], other=["Potters"])
    named = make.choice("Bakers", "Potters", templates=("craft-001",))
    fits = make.select_all("Bakers", "Potters", "Weavers")
    assert Questions([fits, named]).match(template) == (named, "", False)
    twice = replace(named, id="q-7")
    problem = "several questions fit it: q-2, q-1, q-7"
    assert Questions([fits, named, twice]).match(template) == (None, problem, False)
