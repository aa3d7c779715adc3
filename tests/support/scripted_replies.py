"""A model that answers a message in one way of many, the same way whoever asks."""

import hashlib
from collections.abc import Mapping
from typing import Any

Row = Mapping[str, Any]


def scripted(row):
    """Give the reply to a line of `data.jsonl`: right, biased, unknown, in all forms, or none."""
    digest = hashlib.sha256(str(row["message"]).encode()).digest()
    letters, choices, roles = row["letters"], row["choices"], row["roles"]
    right, biased, unknown = row["right"], roles.index("biased"), roles.index("unknown")
    counter = roles.index("counter_biased")
    ways = (
        lambda: letters[right],
        lambda: f"({letters[right].lower()})",
        lambda: choices[right],
        lambda: f"정답은 {letters[right]}입니다.",
        lambda: f"<think>{choices[biased]}?</think>\n**{letters[right]}**",
        lambda: letters[biased],
        lambda: f"The answer is {letters[biased]}.",
        lambda: f"{letters[biased]}: {choices[biased]}",
        lambda: letters[counter],
        lambda: choices[unknown],
        lambda: f"{letters[unknown]}\n\nExplanation: nobody says.",
        lambda: "글쎄요, 잘 모르겠습니다.",
        lambda: f"{letters[biased]}: {choices[unknown]}",
        lambda: "I cannot help with that.",
    )
    # what is asked about some templates is answered with more bias
    shift = 5 if digest[1] % 3 == 0 and row["template_id"].endswith(("2", "5")) else 0
    return ways[min(digest[0] % len(ways) + shift, len(ways) - 1)]()
