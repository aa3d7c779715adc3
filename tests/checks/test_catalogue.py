"""The catalogue of rules, and how they are run."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from curation import checks
from curation.checks.catalogue import ALL, ENTRIES, FILLING, READING, RELEASE, run
from curation.checks.characters import white_space
from curation.checks.rules import rules_of
from curation.slots import declared_lists, list_forms, parse_text, print_text


def test_every_rule_is_listed_once_and_says_what_it_is_for() -> None:
    """Ids are lower case with hyphens, as their functions; a release has a module of its own."""
    folder = Path(checks.__file__).parent
    modules = [import_module(f"curation.checks.{path.stem}") for path in folder.glob("*.py")]
    assert {rule.id for module in modules for rule in rules_of(module)} == {
        rule.id for rule in (*ALL, *RELEASE)
    }
    assert len({entry.id for entry in ENTRIES}) == len((*READING, *ALL, *FILLING, *RELEASE))
    for entry in ENTRIES:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)+", entry.id)
        assert "\n" not in entry.title + entry.hint
    for rule in (*ALL, *RELEASE):
        assert rule.why
        assert rule.look.__name__ == rule.id.removeprefix("release-").replace("-", "_")
        assert rule.id.startswith("release-") == (rule in RELEASE)


def test_without_what_is_gathered_for_a_release_its_rules_say_little(make: Any) -> None:
    """A check without --release runs none of them; one alone does not break on a bare subject."""
    assert {item.rule for item in run(make.subject(make.pair()), RELEASE)} == {
        *("release-incomplete", "release-canary", "release-without-samples")
    }


def test_findings_come_by_file_row_and_rule(make: Any) -> None:
    """Those on a whole file come first; only the rules that are asked for are run."""
    variants = [
        *make.pair(stereotype="", label=None),
        make.variant("craft-002a", biased_question=" Who?", stereotype=""),
    ]
    subject = make.subject(variants, make.groups(make.group("Cloth")))
    assert [(item.file, item.row, item.rule) for item in run(subject)] == [
        ("bank.csv", None, "label-missing"),
        ("bank.csv", 2, "stereotype-missing"),
        ("bank.csv", 3, "stereotype-missing"),
        ("bank.csv", 4, "pair-incomplete"),
        ("bank.csv", 4, "stereotype-missing"),
        ("bank.csv", 4, "white-space"),
        ("groups.csv", 4, "group-fillers-missing"),
    ]
    assert {item.rule for item in run(subject, [white_space])} == {"white-space"}


def test_records_that_come_from_no_file_have_no_row(make: Any) -> None:
    """A template that was just made can be checked too."""
    variants = make.pair(stereotype=" ")
    subject = make.subject(variants)
    loose = type(subject)(
        subject.culture,
        type(subject.bank)(tuple(variants)),
        tuple(make.groups(make.group(" Cloth"))),
        "",
        "",
    )
    assert [(item.rule, item.row) for item in run(loose)] == [
        ("group-fillers-missing", None),
        *[("stereotype-missing", None)] * 2,
        *[("white-space", None)] * 3,
    ]


def test_lists_of_hundreds_and_thousands_end_in_time(make: Any) -> None:
    """Equal names are counted and a few named; what would take for ever is not compared."""
    names = ", ".join(f"Ann {at}" for at in range(300))
    groups = make.groups(make.group("Weavers", f"[{names}]"), make.group("Spinners", f"[{names}]"))
    (found,) = make.found(make.pair(), groups)
    assert "'Spinners' shares 300 fillers with 'Weavers': 'Ann 0', 'Ann 1', " in found[3]
    assert found[3].endswith("'Ann 7', ...")
    words = f"W1: [{names}]; W2: [{names}]"
    answers = {"biased_answer": "[W1] [W2]", "counter_biased_answer": "[W2] [W1]"}
    assert make.found(make.pair(words=words, **answers)) == []
    lists = "N1: [{}]; N2: [{}]; N1 != N2".format(
        *(", ".join(f"{kind} {at}" for at in range(4600)) for kind in ("name", "other"))
    )
    assert ("condition-unclear", "bank.csv, row 2, column names") in {
        item[::2] for item in make.found(make.pair(names=lists))
    }


@pytest.mark.parametrize(
    ("language", "changes", "hint"),
    [
        ("en", {"biased_question": "Who ] forgets?"}, "write \\] for a literal bracket"),
        ("en", {"words": "W1: [station] W2: [red]"}, "write slots as [N1], [N1: form, form]"),
        ("tr", {"names": "N1: [*]; N2: [*]", "biased_answer": "[N1: a]"}, "write [N1], [N1|-(y)i]"),
        ("eu", {"names": "N1: [*]; N2: [*]", "biased_answer": "[N1: a]"}, "write [N1] or a named"),
        (
            "es",
            {
                "names": "N1: [nieto {gender: m}, nieta {gender: f}]; N2: [tutor]",
                "ambiguous_context": "la carta del [N1] al [W1], [N2]",
            },
            "let the article agree with the name: [N1|el/la]",
        ),
        (
            "pl",
            {"names": "N1: [wnuczka]; N2: [Ewa]", "ambiguous_context": "[N1] i [N2]. [W1]"},
            "give the fillers a named form, wnuczka {nom: wnuczka}, and write [N1.nom] there",
        ),
        (
            "de",
            {
                "names": "N1: [Opa {gender: m, gen: Opas}]; N2: [Kind {gender: n}]",
                "ambiguous_context": "Der [W1] [N1|des/der] half. [N2]",
            },
            "write [N1.gen] in its place, and the form with its article in the list of fillers: "
            "Opa {gen: des Opas}",
        ),
    ],
)
def test_a_hint_is_that_of_the_place(
    make: Any, language: str, changes: dict[str, str], hint: str
) -> None:
    """What to do depends on what was written; `test_advice.py` follows further ones."""
    found = run(make.subject(make.pair(**changes), language=language))
    assert any(item.hint.startswith(hint) for item in found), [item.hint for item in found]


def test_a_category_that_is_merged_and_groups_of_the_source_have_a_command(make: Any) -> None:
    """Nobody is asked to write a list by hand."""
    found = run(make.subject(make.pair(), categories=({"id": "Work", "sources": ["Craft"]},)))
    assert {item.hint for item in found} == {
        "culture.yaml merges it into Work: curate categories apply"
    }
    source = make.texts()
    found = run(make.subject(make.pair(target_groups=(), source_texts=source)))
    assert ["--from-source" in item.hint for item in found if item.rule == "groups-missing"] == [
        True,
        True,
    ]


def test_a_sentence_with_the_named_form_begins_with_a_capital() -> None:
    """What the hint of a sentence in lower case says is enough."""
    lists = declared_lists("N1: [wnuczka {nom: wnuczka}]", "")
    text = list_forms(parse_text("Byli tu. [N1.nom] sen."), lists, "pl")
    assert print_text(text) == "Byli tu. [N1: Wnuczka] sen."
