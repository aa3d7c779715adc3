"""The catalogue of rules, and how they are run."""

import re

from curation.checks.workspace import ALL, ENTRIES, FILLING, READING, RELEASE, run


def test_every_rule_is_listed_once_and_says_what_it_is_for():
    """What the table says has a function, which says why; ids are lower case with hyphens."""
    assert len({entry.id for entry in ENTRIES}) == len((*READING, *ALL, *FILLING, *RELEASE))
    for entry in ENTRIES:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)+", entry.id)
        assert "\n" not in entry.title + entry.hint
        assert bool(entry.why) == (entry in (*ALL, *RELEASE))
        assert entry.id.startswith("release-") == (entry in RELEASE)


def test_without_what_is_gathered_for_a_release_its_rules_say_little(make):
    """A check without --release runs none of them; one alone does not break on a bare subject."""
    assert {item.rule for item in run(make.subject(make.pair()), RELEASE)} == {
        *("release-incomplete", "release-contact", "release-canary", "release-without-samples")
    }


def test_lists_of_hundreds_and_thousands_end_in_time(make):
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
