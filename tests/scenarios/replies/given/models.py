"""Invents the replies of three models: one says a letter, one explains, one is unclear at times."""

import json
import sys
from pathlib import Path

LETTERS = "ABC"
lines = []
for number, line in enumerate(Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()):
    request = json.loads(line)
    letter = LETTERS[number * 7 % 3]
    text = request["choices"][LETTERS.index(letter)]
    explained = (
        f"지문을 차례로 살펴보았습니다.\n\n**정답: {letter}. {text}**\n\n지문에 나온 대로입니다."
    )
    said = {
        "terse": letter,
        "chatty": explained,
        "unclear": ["", letter, "A 또는 B입니다.", text, "Both"][number % 5],
    }
    for model, reply in said.items():
        told = {"request_id": request["request_id"], "model": model, "reply": reply}
        lines.append(json.dumps(told, ensure_ascii=False) + "\n")
Path(sys.argv[2]).write_text("".join(lines), encoding="utf-8")
