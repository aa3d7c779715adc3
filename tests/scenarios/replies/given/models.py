"""Invents the replies of three models: one says a letter, one explains, one is unclear at times."""

import json
import sys

LETTERS = "ABC"


def place(request: dict, text: str) -> str:
    """The letter of a choice as this request shows it."""
    return LETTERS[request["choices"].index(text)]


requests = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
with open(sys.argv[2], "w", encoding="utf-8") as out:
    for number, request in enumerate(requests):
        letter = LETTERS[number * 7 % 3]
        text = request["choices"][LETTERS.index(letter)]
        said = {
            "terse": letter,
            "chatty": f"지문을 차례로 살펴보았습니다.\n\n**정답: {letter}. {text}**\n\n다른 보기는 지문과 맞지 않습니다.",
            "unclear": ["", f"{letter}", "A 또는 B입니다.", text][number % 4],
        }
        for model, reply in said.items():
            line = {"request_id": request["request_id"], "model": model, "reply": reply}
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
