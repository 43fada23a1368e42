"""A judge on this machine: a chat model in transformers, batched, greedy (extra `local`)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from judge.answer import Answer, Ask
from judge.budget import Budget
from judge.request import Request, messages_of, sampling_of
from judge.template import Template
from warehouse.connection import first_line
from warehouse.errors import EvalhouseError, UsageError
from warehouse.files.weights import extra_missing, model_name, pretrained

_REPLY_TOKENS = 32


class LocalModel:
    """A chat model in memory.

    Args:
        path: a folder or hub name that transformers loads, or a GGUF file.
        device: cpu, cuda, …; None: the GPU if there is one.

    Raises:
        UsageError: the extra `local` is not installed, or the model cannot be loaded.
    """

    def __init__(self, path: str, device: str | None = None) -> None:
        try:
            import torch
            from transformers import AutoModelForCausalLM, AutoTokenizer
            from transformers.utils.logging import disable_progress_bar
        except ImportError as error:
            raise extra_missing("--backend transformers", error) from error
        disable_progress_bar()  # the command has its own
        self._torch = torch
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        source: dict[str, Any] = pretrained(path)
        try:
            self._tokenizer: Any = AutoTokenizer.from_pretrained(**source)
            model: Any = AutoModelForCausalLM.from_pretrained(**source)
            self._model = model.to(self.device).eval()
        except (OSError, ValueError, ImportError, RuntimeError, KeyError) as error:
            raise UsageError(f"{path}: cannot be loaded: {first_line(error)}") from error
        if not self._tokenizer.chat_template:
            raise UsageError(f"{path}: has no chat template; a judge is a chat model")
        self._tokenizer.padding_side = "left"
        if self._tokenizer.pad_token is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token

    def reply(
        self, conversations: Sequence[list[dict[str, str]]], sampling: dict[str, Any]
    ) -> list[tuple[str, str, int, int]]:
        """Reply, finish reason, prompt tokens and completion tokens of each conversation.

        Greedy at temperature 0; above it drawn, with `sampling["seed"]` as the seed.
        """
        torch = self._torch
        texts = [
            self._tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
            for turns in conversations
        ]
        inputs = self._tokenizer(
            texts, return_tensors="pt", padding=True, add_special_tokens=False
        ).to(self.device)
        longest = int(
            sampling.get("max_completion_tokens") or sampling.get("max_tokens") or _REPLY_TOKENS
        )
        temperature = float(sampling.get("temperature") or 0.0)
        drawn: dict[str, Any] = {
            "do_sample": False,
            "temperature": None,
            "top_p": None,
            "top_k": None,
        }
        if temperature > 0:
            drawn = {
                "do_sample": True,
                "temperature": temperature,
                "top_p": sampling.get("top_p", 1.0),
            }
            torch.manual_seed(int(sampling["seed"]))
        with torch.inference_mode():
            output = self._model.generate(
                **inputs,
                **drawn,
                max_new_tokens=longest,
                pad_token_id=self._tokenizer.pad_token_id,
            )
        replies = []
        start = inputs["input_ids"].shape[1]
        ends = self._ends()
        for row, mask in zip(output, inputs["attention_mask"], strict=True):
            tokens = row[start:].tolist()
            stop = next((i for i, token in enumerate(tokens) if token in ends), None)
            kept = tokens if stop is None else tokens[:stop]
            replies.append(
                (
                    self._tokenizer.decode(kept, skip_special_tokens=True),
                    "length" if stop is None else "stop",
                    int(mask.sum()),
                    len(kept),
                )
            )
        return replies

    def _ends(self) -> set[int]:
        ends = self._model.generation_config.eos_token_id
        known = ends if isinstance(ends, list) else [ends]
        return {int(token) for token in (*known, self._tokenizer.eos_token_id) if token is not None}


@asynccontextmanager
async def opened(
    path: str, template: Template, budget: Budget, *, device: str | None
) -> AsyncIterator[Ask]:
    """A local judge as a backend. The model is loaded once, and answers off the event loop."""
    model = await asyncio.to_thread(LocalModel, path, device)
    name = model_name(path)
    one_at_a_time = asyncio.Lock()

    async def ask(requests: Sequence[Request]) -> Sequence[Answer]:
        for _ in requests:
            budget.take(0.0)
        try:
            async with one_at_a_time:
                return await asyncio.to_thread(_answers, model, name, template, requests)
        finally:
            for _ in requests:
                budget.settle(0.0, 0.0)

    yield ask


def _answers(
    model: LocalModel, name: str, template: Template, requests: Sequence[Request]
) -> list[Answer]:
    """The answers in order; requests of a batch that differ in sampling are answered apart."""
    answers: dict[str, Answer] = {}
    groups: dict[str, list[Request]] = {}
    for request in requests:
        sampling = sampling_of(request.content)
        drawn = float(sampling.get("temperature") or 0.0) > 0
        # A drawn reply depends on its own seed, so it is drawn alone.
        groups.setdefault(
            request.key if drawn else "greedy" + repr(sorted(sampling.items())), []
        ).append(request)
    for group in groups.values():
        sampling = {"seed": _seed(group[0]), **sampling_of(group[0].content)}
        begun = time.perf_counter()
        try:
            replies = model.reply(
                [messages_of(r.content, template) for r in group],
                sampling,
            )
        except RuntimeError as error:
            raise EvalhouseError(f"{name} on {model.device}: {first_line(error)}") from error
        seconds = (time.perf_counter() - begun) / len(group)
        for request, (text, finish, n_prompt, n_reply) in zip(group, replies, strict=True):
            answers[request.key] = Answer(
                request,
                reply=text,
                finish_reason=finish,
                returned_model=name,
                prompt_tokens=n_prompt,
                completion_tokens=n_reply,
                cost_usd=0.0,
                latency_seconds=round(seconds, 6),
                judged_at=datetime.now(UTC).replace(tzinfo=None),
            )
    return [answers[request.key] for request in requests]


def _seed(request: Request) -> int:
    return int(sha256(request.key.encode()).hexdigest()[:8], 16)
