"""Items in the formats of common evaluation tools: files by name, ready to be written.

- ``jsonl``: one item per line, with everything that is known about it
- ``openai``: OpenAI Evals, for its templates Match and Includes
- ``lm-eval``: two tasks of the LM Evaluation Harness, by likelihood and by generated text
- ``huggingface``: a dataset folder with its card
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ninefold.evals.items import Item

Files: TypeAlias = dict[str, str]


def _lines(rows: Sequence[Mapping[str, Any]]) -> str:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def _jsonl(name: str, items: Sequence[Item]) -> Files:
    return {f"{name}.jsonl": _lines([item.as_data() for item in items])}


def _openai(name: str, items: Sequence[Item]) -> Files:
    rows = [
        {
            "input": [{"role": "user", "content": item.prompt}],
            "ideal": [*item.answers],
            "metadata": {"id": item.id, "kind": item.kind, "moves": item.moves},
        }
        for item in items
    ]
    return {f"{name}.jsonl": _lines(rows)}


def _lm_eval(name: str, items: Sequence[Item]) -> Files:
    rows = [
        {**item.as_data(), "gold": [item.options.index(answer) for answer in item.answers]}
        for item in items
    ]
    data, task = f"{name}.jsonl", name.replace("-", "_")
    return {
        data: _lines(rows),
        f"{task}_choice.yaml": _LM_EVAL.format(task=f"{task}_choice", data=data) + _CHOICE,
        f"{task}_generate.yaml": _LM_EVAL.format(task=f"{task}_generate", data=data) + _GENERATE,
    }


_LM_EVAL = """\
task: {task}
dataset_path: json
dataset_kwargs:
  data_files:
    test: {data}
test_split: test
"""
_CHOICE = """\
output_type: multiple_choice
doc_to_text: "{{prompt}}\\n\\nAnswer:"
doc_to_choice: options
doc_to_target: gold
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
metadata:
  version: 1.0
"""
_GENERATE = """\
output_type: generate_until
doc_to_text: "{{prompt}}"
doc_to_target: answers
generation_kwargs:
  until: ["</s>"]
  do_sample: false
filter_list:
  - name: last-line
    filter:
      - function: regex
        regex_pattern: "(?:^|\\\\n)(?:Answer:)?[ \\\\t]*([^\\\\n]+?)[ \\\\t]*$"
        group_select: -1
      - function: take_first
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
    ignore_case: true
metadata:
  version: 1.0
"""


def _huggingface(name: str, items: Sequence[Item]) -> Files:
    # Every row has every column, as its readers expect.
    rows = [item._asdict() for item in items]
    kinds = sorted({item.kind for item in items})
    card = _CARD.format(name=name, count=len(items), kinds=", ".join(kinds))
    return {"README.md": card, "data/test.jsonl": _lines(rows)}


_CARD = """\
---
pretty_name: {name}
language: en
configs:
  - config_name: default
    data_files:
      - split: test
        path: data/test.jsonl
---

# {name}

{count} items ({kinds}) with exact answers, written by Ninefold.

| column | |
|---|---|
| `id`, `kind` | which item it is, and what it asks |
| `prompt` | the whole text to ask |
| `options` | every answer that counts |
| `answers` | those that are right |
| `moves` | the position, as moves from the start |
| `kept` | of a move: the share of what is at stake that each option keeps |
"""

FORMATS: Mapping[str, Callable[[str, Sequence[Item]], Files]] = {
    "jsonl": _jsonl,
    "openai": _openai,
    "lm-eval": _lm_eval,
    "huggingface": _huggingface,
}
