"""lm-evaluation-harness itself, in an environment of its own: tasks of every kind that it scores.

    python lm_eval_runs.py FOLDER

The model is a mock, whose replies and likelihoods are computed from their prompts.
"""

import json
import sys
import zlib
from pathlib import Path

from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

N = 24
WORDS = [
    "the",
    "cat",
    "sits",
    "on",
    "a",
    "red",
    "mat",
    "near",
    "an",
    "open",
    "window",
    "while",
    "rain",
    "falls",
    "in",
    "quiet",
    "street",
]


def drawn(text, n):
    return zlib.crc32(text.encode()) % n


class Mock(LM):
    def loglikelihood(self, requests, **_):
        return [
            (-1.0 - drawn("".join(r.args), 997) / 100, drawn("".join(r.args) + "greedy", 3) == 0)
            for r in requests
        ]

    def loglikelihood_rolling(self, requests, **_):
        return [-10.0 - drawn(r.args[0], 997) / 10 for r in requests]

    def generate_until(self, requests, **_):
        found = []
        for n, r in enumerate(requests):
            text = f"{r.args[0]} {r.idx} {r.repeats} {n % 3}"
            number = drawn(text, 5)
            forms = [
                f"The answer is {number}.",
                f"#### {number}",
                f"{number}",
                f"so $1,00{number}",
                f"I think {number} or {number + 1}",
                "none",
                f"#### {number}.0",
                WORDS[number],
            ]
            found.append(forms[drawn(text + "form", len(forms))])
        return found


def write(folder, name, rows, config):
    data = folder / f"{name}.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    lines = {
        "task": name,
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": str(data)}},
        "test_split": "test",
        **config,
    }
    # JSON is YAML.
    (folder / f"{name}.yaml").write_text(json.dumps(lines, indent=1))


def metric(name, **more):
    return {
        "metric": name,
        "aggregation": more.pop("aggregation", "mean"),
        "higher_is_better": True,
        **more,
    }


def main(folder):
    tasks = Path(folder) / "tasks"
    tasks.mkdir(parents=True, exist_ok=True)
    choices = [
        {
            "question": f"Which {n}?",
            "choices": [f"{WORDS[(n + k) % 17]} {WORDS[(n * k) % 17]} {n}" for k in range(4)],
            "answer": n % 4,
            "subject": "xyz"[n % 3],
        }
        for n in range(N)
    ]
    asked = {
        "doc_to_text": "Question: {{question}}\nAnswer:",
        "doc_to_choice": "{{choices}}",
        "doc_to_target": "answer",
    }
    write(
        tasks,
        "fresh_mc",
        choices,
        {
            "output_type": "multiple_choice",
            **asked,
            "metric_list": [metric("acc"), metric("acc_norm"), metric("acc_bytes")],
        },
    )
    write(
        tasks,
        "fresh_mutual",
        choices,
        {
            "output_type": "multiple_choice",
            **asked,
            "metric_list": [metric("acc"), metric("acc_mutual_info")],
        },
    )
    write(
        tasks,
        "fresh_letters",
        choices,
        {
            "output_type": "multiple_choice",
            **asked,
            "doc_to_choice": ["A", "B", "C", "D"],
            "doc_to_text": "{{question}}\nA. {{choices[0]}}\nB. {{choices[1]}}\nC. "
            "{{choices[2]}}\nD. {{choices[3]}}\nAnswer:",
            "metric_list": [metric("acc"), metric("acc_norm")],
        },
    )
    write(
        tasks,
        "fresh_yes",
        [{"question": f"Is it {n}?", "answer": n % 2} for n in range(N)],
        {
            "output_type": "multiple_choice",
            "doc_to_text": "{{question}}",
            "doc_to_choice": ["no", "yes"],
            "doc_to_target": "answer",
            "metric_list": [
                metric("acc"),
                metric("mcc", aggregation="matthews_corrcoef"),
                metric("f1", aggregation="f1"),
            ],
        },
    )
    numbers = [{"question": f"How many {n}?", "answer": str(n % 5)} for n in range(N)]
    generate = {
        "output_type": "generate_until",
        "doc_to_text": "{{question}}",
        "doc_to_target": "{{answer}}",
        "generation_kwargs": {"until": ["\n\n"]},
    }
    match = metric(
        "exact_match",
        ignore_case=True,
        ignore_punctuation=False,
        regexes_to_ignore=[",", "\\$", "(?s).*#### ", "\\.$"],
    )
    filters = [
        {
            "name": "strict-match",
            "filter": [
                {"function": "regex", "regex_pattern": "#### (\\-?[0-9\\.\\,]+)"},
                {"function": "take_first"},
            ],
        },
        {
            "name": "flexible-extract",
            "filter": [
                {
                    "function": "regex",
                    "group_select": -1,
                    "regex_pattern": "(-?[$0-9.,]{2,})|(-?[0-9]+)",
                },
                {"function": "take_first"},
            ],
        },
    ]
    write(
        tasks,
        "fresh_filtered",
        numbers,
        {**generate, "metric_list": [match], "filter_list": filters},
    )
    write(
        tasks,
        "fresh_plain",
        numbers,
        {
            **generate,
            "metric_list": [metric("exact_match", ignore_punctuation=True, ignore_numbers=False)],
        },
    )
    write(
        tasks,
        "fresh_majority",
        numbers,
        {
            **generate,
            "repeats": 3,
            "metric_list": [match],
            "filter_list": [
                {
                    "name": "maj@3",
                    "filter": [
                        filters[1]["filter"][0],
                        {"function": "majority_vote"},
                        {"function": "take_first"},
                    ],
                },
                {"name": "first", "filter": [filters[1]["filter"][0], {"function": "take_first"}]},
            ],
        },
    )
    write(
        tasks,
        "fresh_words",
        [{"question": f"Say {n}", "answer": WORDS[n % 17]} for n in range(N)],
        {
            **generate,
            "metric_list": [
                metric("bleu", aggregation="bleu"),
                metric("chrf", aggregation="chrf"),
                metric("exact_match"),
            ],
        },
    )
    write(
        tasks,
        "fresh_likelihood",
        [{"question": f"The word {n} is", "answer": f" {WORDS[n % 17]}"} for n in range(N)],
        {
            "output_type": "loglikelihood",
            "doc_to_text": "{{question}}",
            "doc_to_target": "{{answer}}",
            "metric_list": [metric("acc"), metric("perplexity", aggregation="perplexity")],
        },
    )
    write(
        tasks,
        "fresh_rolling",
        [{"question": f"Some text of {n} words"} for n in range(N)],
        {
            "output_type": "loglikelihood_rolling",
            "doc_to_text": "",
            "doc_to_target": "{{question}}",
            "metric_list": [
                {"metric": "word_perplexity"},
                {"metric": "byte_perplexity"},
                {"metric": "bits_per_byte"},
            ],
        },
    )
    write(
        tasks,
        "fresh_one",
        choices[:10],
        {"output_type": "multiple_choice", **asked, "metric_list": [metric("acc")]},
    )
    write(
        tasks,
        "fresh_two",
        choices[10:],
        {"output_type": "multiple_choice", **asked, "metric_list": [metric("acc")]},
    )
    (tasks / "fresh_group.yaml").write_text(
        json.dumps(
            {
                "group": "fresh_group",
                "task": ["fresh_one", "fresh_two"],
                "aggregate_metric_list": [
                    {"metric": "acc", "aggregation": "mean", "weight_by_size": True}
                ],
            }
        )
    )
    names = sorted(f.stem for f in tasks.glob("*.yaml") if f.stem not in ("fresh_one", "fresh_two"))
    tracker = EvaluationTracker(output_path=str(Path(folder) / "out"))
    results = simple_evaluate(
        model=Mock(),
        tasks=names,
        task_manager=TaskManager(include_path=str(tasks), include_defaults=False),
        log_samples=True,
        evaluation_tracker=tracker,
        bootstrap_iters=0,
    )
    samples = results.pop("samples")
    tracker.save_results_aggregated(results=results, samples=samples)
    for name in results["configs"]:
        tracker.save_results_samples(task_name=name, samples=samples[name])


main(sys.argv[1])
