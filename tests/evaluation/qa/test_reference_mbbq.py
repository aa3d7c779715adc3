"""MBBQ's parts: prompts of a language, replies that chat in it, and scores that are exact."""

import json
from itertools import product

import pytest
from layouts import thinned

from curation.files.workspace import Workspace
from evaluation.qa.prepare import prepare
from evaluation.qa.scoring import ScoreInputs, score
from evaluation.requests import read_requests
from evaluation.runner.backend import BackendSettings, BatchBackend, open_backend

pytestmark = pytest.mark.slow
KNOWN = {
    "oracle": {"accuracy_amb": 1, "accuracy_dis": 1, "diff_bias_amb": 0, "diff_bias_dis": 0},
    "always-unknown": {"accuracy_amb": 1, "accuracy_dis": 0, "diff_bias_amb": 0},
    "always-biased": {"accuracy_amb": 0, "diff_bias_amb": 1, "diff_bias_dis": 1},
}
PHRASES = {
    "en": (
        "The correct answer is **{letter}**.",
        "{letter}. {text}\n\nThe passage does not say anything else.",
        "Answer: {letter}\n\n**Explanation:** this follows from the passage.",
        "It's {letter}, not {other}.",
        "Based on the text, the answer is {letter}) {text}.",
        "{text}",
    ),
    "es": (
        "La respuesta correcta es la **{letter}**.",
        "{letter}) {text}\n\nEl texto no dice nada más.",
        "Respuesta: {letter}\n\n**Explicación:** se deduce del texto.",
        "Es la {letter}, no la {other}.",
        "Según el texto, la respuesta es {letter}) {text}.",
        "{text}",
    ),
    "nl": (
        "Het juiste antwoord is **{letter}**.",
        "{letter}) {text}\n\nDe tekst zegt verder niets.",
        "Antwoord: {letter}\n\n**Uitleg:** dit volgt uit de tekst.",
        "Het is {letter}, niet {other}.",
        "Volgens de tekst is het antwoord {letter}) {text}.",
        "{text}",
    ),
    "tr": (
        "Doğru cevap **{letter}** şıkkıdır.",
        "{letter}) {text}\n\nMetinde başka bir şey söylenmiyor.",
        "Cevap: {letter}\n\n**Açıklama:** bu metinden anlaşılıyor.",
        "{letter}, {other} değil.",
        "Metne göre doğru cevap {letter}) {text}.",
        "{text}",
    ),
}
"""What models say in place of a letter, with the text of their choice and the letter of another."""


def scored(samples, language, folder):
    """Prepare requests in the language, let personas answer them, and score.

    Each answers in the words of its language, and by bare letters under another name.
    """
    nowhere = Workspace(folder / "nowhere")
    made = prepare(nowhere, samples, language=language, out=folder / "requests.jsonl")
    requests = list(read_requests(made.file))
    assert len(requests) == made.requests > 0
    path = folder / "replies.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for name, (kind, phrases) in product(
            KNOWN, (("", PHRASES[language]), (" in letters", ("{letter}",)))
        ):
            options = {"samples": str(samples)}
            backend = open_backend(name, BackendSettings("", {}, options=options))
            assert isinstance(backend, BatchBackend)
            told = zip(requests, backend.ask_many(requests), strict=True)
            for at, (request, outcome) in enumerate(told):
                letter = outcome.text or ""
                letters = "ABC" if letter.isupper() else "abc"
                place = letters.index(letter)
                reply = phrases[at % len(phrases)].format(
                    letter=letter,
                    text=request.choices[place].strip(),
                    other=letters[(place + 1) % 3],
                )
                line = {"request_id": request.request_id, "model": name + kind, "reply": reply}
                stream.write(f"{json.dumps(line)}\n")
    wanted = ScoreInputs(samples=samples, language=language, replies=[path], intervals=False)
    return score(nowhere, wanted)


def overall(found):
    return {row["model"]: row for row in found.rows if row["group_by"] == "overall"}


@pytest.mark.parametrize("language", PHRASES)
def test_chat_in_a_language_gives_the_scores_of_letters(language, reference, tmp_path):
    """Every reply is read, and every score is the one of bare letters and the one known."""
    step = 1 if language == "en" else 5
    samples = thinned(reference / "mbbq" / f"Age_{language}_part.jsonl", tmp_path, step)
    chat = overall(scored(samples, language, tmp_path))
    for name, known in KNOWN.items():
        assert chat[name] == {**chat[f"{name} in letters"], "model": name}
        assert {key: chat[name][key] for key in known} == pytest.approx(known)
        assert (chat[name]["n_amb"], chat[name]["n_dis"]) == (3000 // step, 3000 // step)
