"""What is said of the invented benchmark as a whole, by its hash.

A change that is meant shows here which text it alters: look at it, and write the new hash.
"""

import re
from dataclasses import replace
from hashlib import sha256

from published import culture, facts

from curation.annotation.agreement import Statistic
from curation.files.manifest import FileRecord
from exports.card.citation import citation
from exports.card.readme import card
from exports.hub_files import croissant

HASHES = {
    "card all": "5e8061463122",
    "citation all": "2ec65257bfff",
    "croissant all": "4dbf56a1d093",
    "card little": "b26e98fe9f28",
    "citation little": "381f30caf5c4",
    "croissant little": "a40d9bdf3582",
}


def test_the_texts_of_the_example_come_out_the_same():
    """With all that can be said, and with little of it."""
    full, bare = facts(), replace(facts(culture=culture({})), survey=None, agreement=None)
    found = {}
    for name, made in (("all", full), ("little", bare)):
        files = {item.path: FileRecord("0" * 64, 100) for item in made.tables}
        for kind, text in (
            ("card", card(made)),
            ("citation", citation(made.culture)),
            ("croissant", croissant(made, files)),
        ):
            found[f"{kind} {name}"] = sha256(text.encode()).hexdigest()[:12]
    assert found == HASHES
    unfolded = re.sub(r"(?s)^---.*?---|<details>.*?</details>", "", card(full))
    assert len(unfolded.split()) <= 1500  # with the marks of its tables


def test_new_templates_that_were_judged_are_told_by_who_wrote_them():
    """Nothing is said of rules where they refused none, or at all where there are none."""
    said = Statistic(0.5, 4, "", 0.2, 0.8)
    own = {"writer": "people", "written": 4, "refused": {}, "judged": 4, "accepted": 2}
    own |= dict.fromkeys(("share", "percent", "alpha"), said)
    model = own | {"writer": "openai:m", "written": 9, "refused": {"biased": 3, "general": 2}}
    text = card(replace(facts(), drafts=(own, model)))
    assert "not told who or what had written them. Drafts in which rules found a fault" in text
    cells = "0.500 [0.200, 0.800] | 0.500 [0.200, 0.800] | 0.500 [0.200, 0.800] |"
    assert f"| people | 4 | 0 | 4 | 2 | {cells}\n| openai:m | 9 | 5 | 4 | 2 | {cells}\n" in text
    text = card(replace(facts(), drafts=(own,)))
    assert "who or what had written" in text and "rules found a fault" not in text
    assert "who or what had written" not in card(facts())
