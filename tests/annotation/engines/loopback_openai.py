"""A model that translates and answers, behind the server of chat completions on this machine."""

import json

from tests.evaluation import loopback

KEY = "sk-loopback-77"
_NO_TEMPERATURE = json.dumps(
    {
        "error": {
            "message": "Unsupported value: 'temperature' does not support 0 with this model.",
            "type": "invalid_request_error",
            "param": "temperature",
            "code": "unsupported_value",
        }
    }
).encode()


def serve(answer=lambda _question: "ST", faults=(), code=""):
    """Run a server while the block lasts.

    Args:
        answer: What it says to a question in one message, which is no translation.
        faults: What happens at a request, by its number from 1: a status, "drop", "no temperature"
            as OpenAI says it of models that reason, or a text that is the model's answer.
        code: Of errors.
    """

    def persona(body):
        if len(body["messages"]) == 1:
            return answer(body["messages"][0]["content"])
        asked = json.loads(body["messages"][1]["content"])
        listed = {"translations": [f"«{text}»" for text in asked["texts"]]}
        return f"Here:\n```json\n{json.dumps(listed, ensure_ascii=False)}\n```"

    def fault(number, _body):
        what = dict(faults).get(number)
        if what == "drop":
            return loopback.DROP
        if what == "no temperature":
            return loopback.Fault(status=400, raw=_NO_TEMPERATURE)
        if isinstance(what, int):
            return loopback.status(what, code=code)
        return what and loopback.Fault(change=lambda reply: _said(reply, what))

    return loopback.serve(persona=persona, faults=fault, key=KEY)


def _said(reply, text):
    reply["choices"][0]["message"]["content"] = text
    return reply
