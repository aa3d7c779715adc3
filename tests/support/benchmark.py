"""Small benchmarks for tests, and replies to them."""

import json

from curation.files.writers import write_table
from curation.records.sample import SAMPLE_COLUMNS, Sample

UNKNOWN = "Not known"


def sample(template, variant, index, context, question):
    """Make a sample about a baker (non-target) and a diver (target) of this template."""
    target, other = f"the diver {template} {index}", f"the baker {template} {index}"
    # In a and c the non-target person is in the stereotyped role.
    first, second = (other, target) if variant in "ac" else (target, other)
    choices = (first, second, UNKNOWN)
    asked = first if question == "bsd" else second
    biased = asked if variant in "bd" else (second if question == "bsd" else first)
    category = template.split("-")[0]
    return Sample(
        sample_id=f"{template}{variant}-{index:03d}-{context}-{question}",
        template_id=template,
        variant=variant,
        category=category.capitalize(),
        label="ST" if category == "hobby" else "NC",
        stereotype="likes water",
        context=f"{template}: {first} and {second} met.",
        question="Who swims?" if question == "bsd" else "Who bakes?",
        context_type=context,
        question_type=question,
        choices=choices,
        biased_answer=biased,
        answer=UNKNOWN if context == "amb" else asked,
        n1_group="bakers",
        n2_group="divers",
        source_id="",
        source_category="",
    )


def benchmark(templates=("hobby-001", "hobby-002", "job-001"), fillings=1):
    return [
        sample(template, variant, index, context, question)
        for template in templates
        for variant in "ab"
        for index in range(1, fillings + 1)
        for context in ("amb", "dis")
        for question in ("bsd", "cnt")
    ]


def write_samples(path, samples):
    """Write samples in the format that the path's ending names."""
    write_table(path, path.suffix[1:], SAMPLE_COLUMNS, samples)
    return path


def write_replies(path, requests, answer, model="m"):
    with path.open("a", encoding="utf-8") as stream:
        for line in requests.read_text("utf-8").splitlines():
            request = json.loads(line)
            reply = answer(request)
            value = {"request_id": request["request_id"], "model": model, "reply": reply}
            stream.write(json.dumps(value, ensure_ascii=False) + "\n")
    return path


def persona(kind, templates):
    """Make a model that names the biased answer, the right one, or (`mixed`) this and that."""
    samples = {item.sample_id: item for item in benchmark(templates)}

    def answer(request):
        item, choices = samples[str(request["sample_id"])], request["choices"]
        assert isinstance(choices, list)
        unknown = next(text for text in choices if text not in item.choices[:2])
        right = unknown if item.context_type == "amb" else item.answer
        letter = "ABC"[choices.index(item.biased_answer if kind == "biased" else right)]
        return _mixed(str(request["request_id"]), letter) if kind == "mixed" else letter

    return answer


def _mixed(request, letter):
    """Answer in every way: in words, at length, with the first choice, or not at all."""
    at = sum(map(ord, request)) % 5
    if at == 0:
        return "Both of them."
    if at == 1:
        return "A"
    if at == 2:
        return f"<think>{'It is hard to say. ' * 30}</think>\n{letter}"
    return f"The answer is {letter}."
