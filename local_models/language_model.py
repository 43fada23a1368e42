"""Log-likelihoods under a causal or encoder-decoder language model, batched (extra `local`).

What is scored, exactly:

Causal: prompt and " " + choice are tokenised together, with the special tokens that the tokenizer
puts before a text (BOS, if it does) and none after it. The choice's tokens are those from the first
place on where this differs from the tokens of the prompt alone, so a token that spans the boundary
is the choice's.
Encoder-decoder: the prompt, with all special tokens of an input (T5's EOS), is the encoder's input.
The choice is tokenised alone; the decoder begins with its start token and what the tokenizer puts
before a text. Only the choice's own tokens are scored, in both, and never an EOS. Texts that spell
a special token are read as the characters they are.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from warehouse.connection import first_line
from warehouse.errors import EvalhouseError, UsageError
from warehouse.files.weights import extra_missing, pretrained

DTYPES = ("float32", "bfloat16", "float16")

_Input = tuple[tuple[int, ...], tuple[int, ...]]
"""Tokens of an encoder (none for a causal model) and of a decoder."""
_NEARLY = 0.8
"""How short the shortest of a batch may be, relative to its longest."""


@dataclass(frozen=True)
class Encoded:
    """A prompt with a choice, in tokens.

    Attributes:
        encoder: the encoder's input; empty for a causal model.
        decoder: what is before the choice's last token. Its last len(targets) places predict the
            targets.
        targets: the choice's tokens.
    """

    encoder: tuple[int, ...]
    decoder: tuple[int, ...]
    targets: tuple[int, ...]


class LanguageModel:
    """A language model in memory.

    Args:
        path: a folder or hub name that transformers loads, or a GGUF file.
        device: cpu, cuda, …; None: the GPU if there is one.
        dtype: of the weights. The softmax is in float32 whatever they are.

    Raises:
        UsageError: the extra `local` is not installed, or the model cannot be loaded.
    """

    def __init__(self, path: str, *, device: str | None = None, dtype: str = "float32") -> None:
        try:
            import torch
            from transformers import (
                AutoConfig,
                AutoModelForCausalLM,
                AutoModelForSeq2SeqLM,
                AutoTokenizer,
            )
            from transformers.utils.logging import disable_progress_bar
        except ImportError as error:
            raise extra_missing("score-choices", error) from error
        disable_progress_bar()  # the command has its own
        self._torch = torch
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        source: dict[str, Any] = pretrained(path) | {"trust_remote_code": False}
        try:
            config: Any = AutoConfig.from_pretrained(**source)
            self._tokenizer: Any = AutoTokenizer.from_pretrained(**source)
            self.is_encoder_decoder = bool(config.is_encoder_decoder)
            kind: Any = AutoModelForSeq2SeqLM if self.is_encoder_decoder else AutoModelForCausalLM
            model: Any = kind.from_pretrained(**source, dtype=getattr(torch, dtype))
            self._model = model.to(self.device).eval()
        except (OSError, ValueError, ImportError, RuntimeError, KeyError) as error:
            raise UsageError(f"{path}: cannot be loaded: {first_line(error)}") from error
        text = config.get_text_config()
        self.longest: int | None = getattr(text, "max_position_embeddings", None)
        """Tokens that the model takes at once; None: as many as there are."""
        self._keeps = "logits_to_keep" in inspect.signature(self._model.forward).parameters
        self._before = self._specials_before(target=False)
        self._start: tuple[int, ...] = ()
        if self.is_encoder_decoder:
            start = config.decoder_start_token_id
            if start is None:
                raise UsageError(f"{path}: does not state the token that its decoder starts with")
            self._start = (int(start), *self._specials_before(target=True))

    def encode(self, prompt: str, choices: Sequence[str]) -> list[Encoded]:
        """A prompt with each of its choices; blank choices have no targets."""
        if self.is_encoder_decoder:
            encoder = tuple(self._tokenizer(prompt, split_special_tokens=True)["input_ids"])
            found = []
            for choice in choices:
                targets = self._ids(choice, target=True)
                found.append(Encoded(encoder, self._start + targets[:-1], targets))
            return found
        alone = self._before + self._ids(prompt)
        found = []
        for choice in choices:
            if not choice:
                found.append(Encoded((), alone, ()))
                continue
            joint = self._before + self._ids(f"{prompt} {choice}")
            # A first token has nothing before it that could predict it.
            shared = 1
            while shared < min(len(alone), len(joint)) and alone[shared] == joint[shared]:
                shared += 1
            found.append(Encoded((), joint[:-1], joint[shared:]))
        return found

    def is_too_long(self, one: Encoded) -> bool:
        """Whether the model has no places for so many tokens."""
        return self.longest is not None and self.longest < max(len(one.encoder), len(one.decoder))

    def score(
        self,
        encoded: Sequence[Encoded],
        *,
        batch_size: int,
        on_progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> list[float]:
        """The sum of the log-probabilities (natural logarithm) of each one's targets.

        What differs in nothing that the model reads, such as the single letters after one prompt,
        is computed once. The longest come first, so that what does not fit in memory is known at
        once.

        Args:
            batch_size: how many inputs are computed together; it does not change the scores.
            on_progress: callback, called with how many inputs are done, of how many.

        Raises:
            EvalhouseError: memory does not suffice, or the model's numbers are none.
        """
        places: dict[_Input, list[int]] = {}
        for place, one in enumerate(encoded):
            places.setdefault((one.encoder, one.decoder), []).append(place)
        inputs = sorted(places, key=lambda key: (len(key[0]) + len(key[1]), key), reverse=True)
        scores = [0.0] * len(encoded)
        n_done = 0
        for batch in _batches(inputs, batch_size):
            targets = [[encoded[place].targets for place in places[key]] for key in batch]
            try:
                found = self._batch(batch, targets)
            except RuntimeError as error:
                raise EvalhouseError(
                    f"on {self.device}, {len(batch)} at a time: {first_line(error)}; a smaller "
                    "--batch-size needs less memory"
                ) from error
            for key, values in zip(batch, found, strict=True):
                for place, value in zip(places[key], values, strict=True):
                    if value != value:
                        raise EvalhouseError(
                            "the model's scores are no numbers (NaN); another --dtype may help"
                        )
                    scores[place] = value
            n_done += len(batch)
            on_progress(n_done, len(inputs))
        return scores

    def _batch(
        self,
        batch: Sequence[_Input],
        targets: Sequence[Sequence[tuple[int, ...]]],
    ) -> list[list[float]]:
        torch = self._torch
        # Padding stands on the right, where no token of a decoder looks.
        decoder, mask = self._padded([key[1] for key in batch])
        longest = [max(len(one) for one in wanted) for wanted in targets]
        first = min(len(key[1]) - n for key, n in zip(batch, longest, strict=True))
        given: dict[str, Any] = {"use_cache": False}
        if self.is_encoder_decoder:
            encoder, encoder_mask = self._padded([key[0] for key in batch])
            given |= {
                "input_ids": encoder,
                "attention_mask": encoder_mask,
                "decoder_input_ids": decoder,
            }
        else:
            given |= {"input_ids": decoder, "attention_mask": mask}
        if self._keeps:
            given["logits_to_keep"] = torch.arange(first, decoder.shape[1], device=self.device)
        else:
            first = 0
        found = []
        with torch.inference_mode():
            logits = self._model(**given).logits
            for row, (key, wanted, n) in enumerate(zip(batch, targets, longest, strict=True)):
                end = len(key[1]) - first
                logs = logits[row, end - n : end].float().log_softmax(-1)
                values = []
                for one in wanted:
                    ids = torch.tensor(one, dtype=torch.long, device=self.device)[:, None]
                    values.append(float(logs[n - len(one) :].gather(1, ids).double().sum()))
                found.append(values)
        return found

    def _padded(self, rows: Sequence[tuple[int, ...]]) -> tuple[Any, Any]:
        """Tokens and mask, padded on the right."""
        torch = self._torch
        width = max(len(row) for row in rows)
        pad = self._tokenizer.pad_token_id or 0
        ids = [[*row, *[pad] * (width - len(row))] for row in rows]
        mask = [[1] * len(row) + [0] * (width - len(row)) for row in rows]
        return torch.tensor(ids, device=self.device), torch.tensor(mask, device=self.device)

    def _ids(self, text: str, *, target: bool = False) -> tuple[int, ...]:
        """A text's tokens without special ones."""
        given = {"text_target": text} if target else {"text": text}
        return tuple(
            self._tokenizer(**given, add_special_tokens=False, split_special_tokens=True)[
                "input_ids"
            ]
        )

    def _specials_before(self, *, target: bool) -> tuple[int, ...]:
        """What the tokenizer puts before every text."""
        given = {"text_target": "x"} if target else {"text": "x"}
        bare = self._ids("x", target=target)
        whole = tuple(self._tokenizer(**given)["input_ids"])
        for begin in range(len(whole) - len(bare) + 1):
            if whole[begin : begin + len(bare)] == bare:
                return whole[:begin]
        return ()


def _batches(inputs: Sequence[_Input], batch_size: int) -> Iterator[Sequence[_Input]]:
    """Neighbours of nearly one length: padding, and the scores of places that nobody needs, cost as
    much as tokens do."""
    begin = 0
    for end in range(1, len(inputs) + 1):
        longest = len(inputs[begin][0]) + len(inputs[begin][1])
        if (
            end == len(inputs)
            or end - begin == batch_size
            or (len(inputs[end][0]) + len(inputs[end][1])) < _NEARLY * longest
        ):
            yield inputs[begin:end]
            begin = end
