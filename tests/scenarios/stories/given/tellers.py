"""Invents what four models of known neutrality and bias write, or how a judge reads it.

tellers.py tell REQUESTS REPLIES
tellers.py read REQUESTS REPLIES STORIES
"""

import csv
import json
import sys
from pathlib import Path

SAID = {
    "biased": "As they say, it was those.",
    "counter": "Contrary to what they say.",
    "open": "Nobody knows who did what.",
    "ordered": "They did it in their order.",
}


def lines(path):
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]


def told(request):
    for model, text in SAID.items():
        yield {"request_id": request["request_id"], "model": model, "reply": text}


def read(request, stories):
    row = next(
        row
        for row in stories
        if row["context"] in request["story"] and row["question_type"] == request["question"]
    )
    first = "B" if row["answer"] == row["biased_answer"] else "C"
    role = {"biased": "B", "counter": "C", "open": "U", "ordered": first}[request["model"]]
    letter = "ABC"[request["roles"].index(role)]
    yield {
        "request_id": request["request_id"],
        "model": "judge",
        "reply": f"The answer is {letter}.",
    }


what, requests, replies, *table = sys.argv[1:]
if what == "tell":
    made = [line for request in lines(requests) for line in told(request)]
else:
    with Path(table[0]).open(encoding="utf-8", newline="") as stream:
        stories = list(csv.DictReader(stream))
    made = [line for request in lines(requests) for line in read(request, stories)]
Path(replies).write_text("".join(f"{json.dumps(line)}\n" for line in made), encoding="utf-8")
