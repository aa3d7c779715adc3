"""Benchmarks of two cultures that share templates, in folders with what personas answered."""

import json
import shutil
from pathlib import Path

from benchmark import benchmark, write_samples

from curation.files.workspace import Workspace
from evaluation.qa.prepare import prepare
from evaluation.qa.samples import SampleFile


def right(sample, unknown):
    return unknown if sample.context_type == "amb" else sample.answer


def biased(sample, _unknown):
    return sample.biased_answer or sample.choices[0]


def biased_in(*templates):
    """Answer as the stereotype has it in some templates, and right in the others."""

    def answer(sample, unknown):
        return (biased if sample.template_id in templates else right)(sample, unknown)

    return answer


def sourced(sources, labels):
    """Make the samples of templates, each with the category and number of its source."""
    return [
        item._replace(
            source_category=sources[item.template_id][0],
            source_id=sources[item.template_id][1],
            label=labels.get(item.template_id, "ST"),
        )
        for item in benchmark(sources)
    ]


def answered(folder, samples, personas, language="en", prompts=("1",)):
    """Fill a folder with samples, the requests about them and what personas reply."""
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(samples, Path):
        path = folder / samples.name
        shutil.copy(samples, path)
    else:
        path = write_samples(folder / "samples.csv", samples)
    requests = folder / "requests.jsonl"
    given = {"prompt_ids": prompts, "language": language, "out": requests}
    prepare(Workspace(folder), path, **given)  # each as its option
    by_id = {item.sample_id: item for item in SampleFile(path)}
    with (folder / "replies.jsonl").open("w", encoding="utf-8") as stream:
        for line in requests.read_text("utf-8").splitlines():
            request = json.loads(line)
            sample, choices = by_id[request["sample_id"]], request["choices"]
            unknown = next(text for text in choices if text not in sample.choices[:2])
            for model, persona in personas.items():
                letter = "ABC"[choices.index(persona(sample, unknown))]
                reply = {"request_id": request["request_id"], "model": model, "reply": letter}
                stream.write(json.dumps(reply) + "\n")
    return folder
