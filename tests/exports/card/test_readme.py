"""The dataset card, of records alone."""

import re
from dataclasses import replace

import pytest
import yaml
from markdown_it import MarkdownIt
from published import RELEASE, SAMPLE, SURVEY, culture, facts

from curation.records.culture import SurveyNotes
from curation.records.licences import Licence
from exports.card.facts import DrawnFact, FolderFact, SourceFact
from exports.card.limits import unstated
from exports.card.making import grouped, when
from exports.card.picture import PICTURE, alternative, bars, picture
from exports.card.readme import card

HOSTILE = 'a: # {} & | <b> "q" `x` [l](http://e.org)'


def matter(text: str) -> dict[str, object]:
    """Read the front matter as the hub does."""
    found = yaml.safe_load(text.split("---\n")[1])
    assert isinstance(found, dict)
    return found


def section(text: str, title: str) -> str:
    """Give the part under a heading."""
    return re.split(r"\n##+ ", text.split(f"# {title}\n", 1)[1], maxsplit=1)[0]


HEADINGS = [
    *("# Dataset Card for Nowhere BBQ", "## Dataset Details", "### Dataset Description"),
    *("## Uses", "### Direct Use", "### Out-of-Scope Use", "## Dataset Structure"),
    *("## Dataset Creation", "### Curation Rationale", "### Source Data"),
    *("#### Data Collection and Processing", "#### Who are the source data producers?"),
    *("### Annotations", "#### Annotation process", "#### Who are the annotators?"),
    *("#### Personal and Sensitive Information", "## Bias, Risks, and Limitations"),
    *("### Recommendations", "## Citation", "## More Information", "## Dataset Card Contact"),
]
"""The headings of the hub's template of a dataset card."""


def test_the_headings_are_those_of_the_hub() -> None:
    """In its order; the card has some of its own between them."""
    text = card(facts())
    lines = [line for line in text.splitlines() if line.startswith("#")]
    assert [line for line in lines if line in HEADINGS] == HEADINGS


def test_the_picture_has_the_numbers_of_the_templates() -> None:
    """A bar a category; what it shows is said to who does not see it."""
    made = facts()
    told = alternative(made)
    assert f"![{told}]({PICTURE})" in card(made)
    assert [(bar.name, *bar.counts) for bar in bars(made)] == [
        (
            made.names.get(row.category, row.category),
            row.templates,
            row.templates_before_survey - row.templates,
            row.sample_removed,
        )
        for row in made.categories[:-1]
    ]
    drawn = picture(made)
    assert drawn.startswith(b"\x89PNG") and drawn == picture(made)


def test_the_picture_shows_any_name() -> None:
    """Whatever characters it has; a long one is cut."""
    made = facts()
    names = dict.fromkeys((row.category for row in made.categories), f"{HOSTILE}{'x' * 40}")
    made = replace(made, names=names)
    assert {bar.name for bar in bars(made)} == {f"{HOSTILE}{'x' * 40}"[:27] + "…"}
    assert picture(made).startswith(b"\x89PNG")


def test_a_name_that_no_font_has_gives_way_to_the_id() -> None:
    """A picture of empty boxes says nothing."""
    made = facts()
    ids = [row.category for row in made.categories[:-1]]
    nowhere = "\U000f0000"  # a character of private use
    assert [bar.name for bar in bars(replace(made, names=dict.fromkeys(ids, nowhere)))] == ids


def test_the_front_matter_says_what_the_hub_asks_for() -> None:
    """In the hub's own words."""
    found = matter(card(facts()))
    assert found == {
        "license": "cc-by-4.0",
        "language": ["en"],
        "pretty_name": "Nowhere BBQ",
        "size_categories": ["n<1K"],
        "task_categories": ["question-answering", "multiple-choice"],
        "tags": [
            *("bias", "fairness", "social-bias", "stereotypes", "bbq", "benchmark", "evaluation"),
            "nowhere_bbq",
        ],
        "annotations_creators": ["crowdsourced", "expert-generated"],
        "language_creators": ["found", "expert-generated"],
        "multilinguality": ["monolingual"],
        "source_datasets": ["extended|other-bbq", "original"],
        "configs": [
            {
                "config_name": name,
                "data_files": [{"split": "test", "path": f"{name}/test-00000-of-00001.parquet"}],
                **({"default": True} if name == "test" else {}),
            }
            for name in ("test", "samples", "templates", "survey")
        ],
    }


@pytest.mark.parametrize(
    ("licence", "written"),
    [
        ("", {"license": "unknown"}),
        ("Our own terms", {"license": "other", "license_name": "Our own terms"}),
        ("CC BY-SA 4.0", {"license": "cc-by-sa-4.0"}),
    ],
)
def test_a_licence_that_the_hub_does_not_know_keeps_its_name(
    licence: str, written: dict[str, str]
) -> None:
    """None is taken for another one."""
    found = matter(card(facts(culture=culture({**RELEASE, "licence": licence}))))
    assert {key: value for key, value in found.items() if key.startswith("license")} == written


@pytest.mark.parametrize(
    ("samples", "size"),
    [(999, "n<1K"), (1000, "1K<n<10K"), (76_568, "10K<n<100K"), (100_000, "100K<n<1M")],
)
def test_the_size_is_that_of_all_samples(samples: int, size: str) -> None:
    """In the hub's classes."""
    made = facts()
    rows = (*made.categories[:-1], replace(made.total, samples=samples))
    assert matter(card(replace(made, categories=rows)))["size_categories"] == [size]


def test_everything_that_is_not_stated_stands_as_such() -> None:
    """Each key that is listed as empty has its place in the card."""
    empty = culture({})
    text = card(facts(culture=empty))
    for said in (
        *("Description: not stated.", "| Version | 0.1 (date not stated) |"),
        *("| Licence | not stated |", "| Published by | not stated |", "| Contact | not stated |"),
        *("| Home page | not stated |", "| DOI | not stated |", "Canary: not stated."),
        *("Paper: not stated.", "Authors: not stated.", "| Population | not stated |"),
        *("| When | not stated |", "| Recruited by | not stated |", "| Payment | not stated |"),
        *("| Ethics | not stated |", "Who annotated and translated: not stated."),
        "Licence of this benchmark: not stated.",
    ):
        assert said in text
    assert "# Dataset Card for Nowhere bias benchmark\n" in text
    keys = [item.key for item in unstated(empty, surveyed=True)]
    assert len(keys) == len(set(keys)) == 17
    assert [key for key in keys if "survey" in key] == [
        f"release.survey.{name}"
        for name in ("began", "ended", "company", "population", "payment", "ethics")
    ]
    assert len(unstated(empty, surveyed=False)) == 11


def test_nothing_is_missing_where_everything_is_stated() -> None:
    """And the card does not say so anywhere."""
    assert unstated(culture(), surveyed=True) == ()
    assert "not stated" not in card(facts())


def test_what_is_stated_stands_in_its_place() -> None:
    """As it was written."""
    text = card(facts())
    assert "| Published by | Jo Doe (0000-0002-1825-0097); Lab |" in text
    assert "| When | 2025-01-02 to 2025-01-09 |" in text
    assert "```\ncanary-0123456789-nowhere\n```" in text
    assert "- Bakers are few." in section(text, "Bias, Risks, and Limitations")
    assert "- To teach." in section(text, "Direct Use")
    assert "- It must not be used to rank people." in section(text, "Out-of-Scope Use")
    assert '"choices": [\n    "Bob",\n    "Ann",\n    "Unknown"\n  ]' in text
    assert "Three linguists, paid by the hour." in section(text, "Who are the annotators?")
    assert "| Fleiss' kappa | 0.500 (3 templates) |" in text
    assert "2 annotators labelled 3 templates as ST, TM or SR; all of them labelled 3, and" in text


def test_limits_are_told_from_the_data() -> None:
    """Each with its numbers."""
    told = section(card(facts()), "Bias, Risks, and Limitations")
    assert [line for line in told.splitlines() if line] == [
        "- The survey has not decided on 1 of 2 templates. It is in the benchmark all the same: "
        "craft-002.",
        "- Of the 1 template labelled TM or NC, 1 names no reference that documents the "
        "stereotype.",
        "- 1 of 2 templates was not tested for comprehension.",
        "- 1 question of 3 is borderline: another sample of as many people could "
        "well have changed the decision. The configuration survey marks them.",
        "- 1 question kept has fewer than 30 respondents.",
        "- The survey had quotas for age band. The answers do not say it.",
        "- All 16 samples are fillings of 2 templates. Samples of one template are much alike, so "
        "intervals and tests have to be computed over templates, not over samples.",
        "- Bakers are few.",
    ]


def test_without_a_survey_none_is_told() -> None:
    """Neither its method nor its limits."""
    configurations = facts().configurations[:3]
    text = card(facts(survey=None, agreement=None, configurations=configurations))
    assert section(text, "Annotation process").strip() == "There was no survey."
    assert "**Validation.**" not in text
    assert "The labels of single annotators are not in the workspace" in text
    assert "- There was no survey. Which stereotypes" in section(
        text, "Bias, Risks, and Limitations"
    )
    assert "Columns of `survey`" not in text
    assert matter(text)["annotations_creators"] == ["expert-generated"]


def test_counts_without_respondents_say_so() -> None:
    """Nobody is made up."""
    text = card(facts(survey=replace(SURVEY, people=None, exclusions=())))
    assert "| Respondents | only the counts are known |" in text
    assert "Who the respondents were is not known." in section(text, "Bias, Risks, and Limitations")
    assert "gender" not in section(text, "Annotation process")


def test_hostile_texts_do_nothing() -> None:
    """Every text of culture.yaml and of the bank is shown as it is written."""
    release = {
        **RELEASE,
        **dict.fromkeys(("title", "description", "contact", "licence"), HOSTILE),
        "authors": [{"name": HOSTILE}, {"family": "김", "given": "서연", "affiliation": HOSTILE}],
        "survey": dict.fromkeys(("company", "population", "payment", "ethics"), HOSTILE),
        **{key: [HOSTILE] for key in ("annotators", "limits", "uses")},
        "paper": {"title": HOSTILE, "venue": HOSTILE, "year": 2026},
    }
    made = facts(
        culture=culture(release, culture=HOSTILE, unknown=HOSTILE),
        example=SAMPLE._replace(context=f"```\n{HOSTILE}\n````"),
        sources=(replace(facts().sources[0], title=HOSTILE),),
        names={"Craft": HOSTILE},
    )
    text = card(made)
    found = matter(text)
    assert (found["pretty_name"], found["license_name"]) == (HOSTILE, HOSTILE)
    page = MarkdownIt("commonmark").enable("table").render(text.split("---\n", 2)[2])
    assert "<b>" not in page
    assert 'href="http://e.org"' not in page
    assert page.count("&lt;b&gt;") >= 15
    # Every row of a table has the cells of its header, or it would have lost some.
    for one in re.findall(r"<table>.*?</table>", page, re.DOTALL):
        rows = [row.count("<t") - 1 for row in re.findall(r"<tr>.*?</tr>", one, re.DOTALL)]
        assert len(set(rows)) == 1
    assert page.count("<h2>") == card(facts()).count("\n## ")


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"a": 5, "b": 9}, {"a": 5, "b": 9}),
        ({"a": 20, "b": 3, "": 2}, {"a": 20, "others": 5}),
        ({"a": 20, "b": 6, "c": 1}, {"a": 20, "others": 7}),
        ({"a": 1}, {"others": 1}),
        ({"a": 7, "": 8}, {"a": 7, "not known": 8}),
        ({"others": 40, "a": 3, "b": 3}, {"others": 46}),
        ({"": 10, "not known": 7}, {"not known": 17}),
    ],
)
def test_nobody_stands_out_by_an_attribute(values: dict[str, int], told: dict[str, int]) -> None:
    """Values that few share are told together, with as many more as that needs."""
    assert grouped(values) == told
    assert sum(told.values()) == sum(values.values())


@pytest.mark.parametrize(
    ("began", "ended", "said"),
    [
        ("2025-01-02", "2025-01-02", "2025-01-02"),
        ("2025-01-02", None, "from 2025-01-02, end not stated"),
        (None, "2025-01-02", "until 2025-01-02, beginning not stated"),
        (None, None, "not stated"),
    ],
)
def test_half_a_time_is_told_as_half(began: str | None, ended: str | None, said: str) -> None:
    """The other end is not guessed."""
    assert when(SurveyNotes.model_validate({"began": began, "ended": ended})) == said


def test_each_source_is_credited_with_what_was_done() -> None:
    """Creator, licence, address and changes, as CC BY asks."""
    shared = replace(facts().sources[0].licence, name="CC-BY-SA-4.0", share_alike=True)  # type: ignore[type-var]
    unknown = SourceFact("elsewhere", "elsewhere", None, "", 0, 1, 2, 0, 0)
    terms = Licence("", "A. Maker", "https://example.org/free")
    free = SourceFact("free", "Free", terms, "", 1, 0, 0, 0, 0)
    others = (unknown, free, replace(facts().sources[0], licence=shared))
    made = facts(sources=(*facts().sources, *others))
    told = section(card(made), "Who are the source data producers?")
    assert [line for line in told.splitlines() if line] == [
        "Licence of this benchmark: CC-BY-4.0 (<https://spdx.org/licenses/CC-BY-4.0.html>).",
        "- **BBQ** by Alicia Parrish et al., <https://example.org/bbq>, licensed under CC-BY-4.0 "
        "(<https://spdx.org/licenses/CC-BY-4.0.html>). Changes were made. Of its 3 templates 1 was "
        "taken over (translated from `en` and adapted); 1 was removed, because the culture has no "
        "such stereotype; 1 was dropped by the survey or by a person.",
        "- **elsewhere.** Its licence is not stated: no published file of this name was imported "
        "into the workspace. Changes were made. Of its 3 templates 1 was given other groups or "
        "another wording for the culture; 2 were taken over that its makers had newly written "
        "for their own culture.",
        "- **Free** by A. Maker, <https://example.org/free>. It states no licence: without "
        "permission nothing of it may be published. Changes were made. Of its 1 template 1 was "
        "taken over.",
        "- **BBQ** by Alicia Parrish et al., <https://example.org/bbq>, licensed under "
        "CC-BY-SA-4.0 (<https://spdx.org/licenses/CC-BY-SA-4.0.html>), which texts derived from "
        "it must carry too. Changes were made. Of its 3 templates 1 was taken over (translated "
        "from `en` and adapted); 1 was removed, because the culture has no such stereotype; 1 was "
        "dropped by the survey or by a person.",
        "- Newly written: 1 template of those that are retained.",
    ]


def test_the_size_is_that_of_the_samples_in_the_folder() -> None:
    """Which may be the test set alone."""
    made = facts()
    many = replace(made.total, samples=2_000)
    tables = [
        replace(item, rows=2_000) if item.name == "samples" else item
        for item in made.configurations
    ]
    both = replace(made, categories=(many, many), configurations=tuple(tables))
    assert matter(card(both))["size_categories"] == ["1K<n<10K"]
    test = [item for item in tables if item.name != "samples"]
    assert matter(card(replace(both, configurations=tuple(test))))["size_categories"] == ["n<1K"]


def test_sentences_on_annotators_open_no_list() -> None:
    """They are paragraphs, whatever they begin with."""
    made = culture({**RELEASE, "annotators": ["- a dash", "1. a number"]})
    part = section(card(facts(culture=made)), "Who are the annotators?")
    assert "\n\\- a dash\n\n1\\. a number\n" in part


def test_a_card_says_which_samples_were_drawn() -> None:
    """Of how many, how, and what was left out; without a draw it says nothing of one."""
    drawn = DrawnFact(4_000_000, 12, 100, 5, 42)
    text = card(facts(drawn=drawn))
    assert "16 of the 4,000,000 samples that all combinations give" in text
    assert "by the seed 42 and the template's id alone, evenly over pairs of groups" in text
    assert "At most 100 samples of a template are included, but at least one filling" in text
    assert "5 names of one person were drawn, and for each of them as many names" in text
    assert "12 samples of all combinations that repeat others of their template are left" in text
    assert "- The 16 samples are fillings of 2 templates." in text
    assert "filled with names and words that were drawn" in text
    assert "every combination" not in text
    plain = card(facts())
    assert "Each is filled with every combination of its names and words; filling *n*" in plain
    assert "drawn evenly" not in plain
    assert "- All 16 samples are fillings of 2 templates." in plain
    whole = card(facts(drawn=DrawnFact(16, 12, None, None, 42)))
    assert "12 samples that repeat others of their template are left out." in whole
    assert "Each is filled with every combination of its names and words; filling *n*" in whole


@pytest.mark.parametrize(("number", "whose"), [(1, "conditions"), (2, "its conditions")])
def test_a_card_says_that_conditions_choose_among_combinations(number: int, whose: str) -> None:
    """Where some templates have them, and where all have."""
    text = card(facts(conditioned=number))
    assert f"every combination of its names and words that {whose} allow;" in text
    drawn = card(facts(conditioned=number, drawn=DrawnFact(4_000, 0, 8, None, 42)))
    assert f"of the combinations of its names and words that {whose} allow, drawn by" in drawn


def test_a_package_says_which_folders_it_has_and_which_it_lacks() -> None:
    """With the reason; a dataset folder alone promises none."""
    lacks = "there are no prompts in 'pt'"
    folders = (
        FolderFact("lm_eval", "tasks of one", lacks),
        FolderFact("inspect", "tasks of the other", lacks),
        FolderFact("workspace", "what it is made from"),
    )
    made = facts(folders=folders, unasked=lacks)
    there = section(card(made), "Dataset Structure")
    assert "| `workspace/` | what it is made from |" in there
    assert "| `lm_eval/` |" not in there
    for name, holds in (("lm_eval", "tasks of one"), ("inspect", "tasks of the other")):
        assert f"Not in this package: `{name}/`, {holds}: there are no prompts in 'pt'." in there
    scoring = section(card(made), "Scoring a model")
    assert "of Inspect, with `--prompts FILE`, as there are no prompts in 'pt'. Scores" in scoring
    whole = facts(folders=tuple(replace(item, lacks="") for item in folders))
    assert "they are here in `lm_eval/` and `inspect/`. " in section(card(whole), "Scoring a model")
    alone = card(facts())
    assert "lm_eval/" not in alone and "`workspace/`" not in alone
    assert "of the LM Evaluation Harness and of Inspect. Scores" in alone
