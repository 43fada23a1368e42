"""What a call used, and what it costs in US dollars: from a maintained price list, or as the user says.

Servers write usage in several shapes. Some count what came from a cache into the prompt, some do not;
some count thoughts into the completion, some do not. The total tells, where there is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from warehouse.errors import UsageError

_NAMES = (
    ("prompt_tokens", "completion_tokens"),
    ("input_tokens", "output_tokens"),
    ("promptTokenCount", "candidatesTokenCount"),
    ("prompt_eval_count", "eval_count"),
)
_TOTAL = ("total_tokens", "totalTokenCount")
_PROMPT_DETAILS = ("prompt_tokens_details", "input_tokens_details")
_COMPLETION_DETAILS = ("completion_tokens_details", "output_tokens_details")
_READ = (
    "cached_tokens", "cache_read_input_tokens", "cache_read_tokens", "prompt_cache_hit_tokens",
    "cached_prompt_text_tokens", "cachedContentTokenCount",
)  # fmt: skip
_WRITTEN = ("cache_write_tokens", "cache_creation_tokens", "cache_creation_input_tokens")


@dataclass(frozen=True)
class Usage:
    """The tokens of a call. What is cached, or sound, is a part of the prompt or the completion.

    Attributes:
        prompt: all that the model was given; None: not reported.
        completion: all that it wrote, its thoughts included; None: not reported.
        read: of the prompt, read from a cache.
        written: of the prompt, written to a cache.
        written_for_an_hour: of these, to be kept for an hour.
        sound_in: of the prompt, audio.
        sound_read: of that, read from a cache.
        sound_out: of the completion, audio.
    """

    prompt: int | None
    completion: int | None
    read: int = 0
    written: int = 0
    written_for_an_hour: int = 0
    sound_in: int = 0
    sound_read: int = 0
    sound_out: int = 0


def counts(usage: object) -> tuple[int | None, int | None]:
    """Tokens of prompt and completion under the names and as the server counts them."""
    if not isinstance(usage, Mapping):
        return None, None
    for prompt, completion in _NAMES:
        if prompt in usage or completion in usage:
            return count(usage.get(prompt)), count(usage.get(completion))
    return None, None


def count(value: object) -> int | None:
    """A number of tokens; None: it is none."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and 0 <= value < 2**31 else None  # type: ignore[operator, return-value]


def of(usage: object) -> Usage:
    """What a server's `usage` says is to be paid. What contradicts itself is cut to what can be."""
    prompt, completion = counts(usage)
    if prompt is None or not isinstance(usage, Mapping):
        return Usage(prompt, completion)
    given, written_out = (
        _details(usage, names) for names in (_PROMPT_DETAILS, _COMPLETION_DETAILS)
    )
    read, written = _largest(_READ, usage, given), _largest(_WRITTEN, usage, given)
    said = completion or 0
    total = _largest(_TOTAL, usage)
    thoughts = _largest(("thoughtsTokenCount", "reasoning_tokens"), usage, written_out)
    cached, left = read + written, total - prompt - said
    # Anthropic's prompt is what no cache had a part in; a total tells of others that count so.
    is_apart = "input_tokens" in usage and not given
    if total:
        is_apart = left in (cached, cached + thoughts)
    if cached and (is_apart or cached > prompt):
        prompt += cached
        left -= cached
    if not total and "thoughtsTokenCount" in usage:
        left = thoughts
    said += max(0, left)
    read = min(read, prompt)
    written = min(written, prompt - read)
    sound_in = min(_sound(usage, given, "promptTokensDetails"), prompt)
    sound_read = max(_sound(usage, {}, "cacheTokensDetails"), read + written + sound_in - prompt)
    for_an_hour = _largest(("ephemeral_1h_input_tokens",), _part(usage, "cache_creation"))
    return Usage(
        prompt,
        None if completion is None and not said else said,
        read,
        written,
        min(for_an_hour, written),
        sound_in,
        min(sound_read, sound_in, read),
        min(_sound(usage, written_out, "candidatesTokensDetails"), said),
    )


def _part(usage: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = usage.get(name)
    return part if isinstance(part, Mapping) else {}


def _details(usage: Mapping[str, Any], names: tuple[str, ...]) -> Mapping[str, Any]:
    return next((part for name in names if (part := _part(usage, name))), {})


def _largest(names: tuple[str, ...], *places: Mapping[str, Any]) -> int:
    """The same is often said under several names."""
    return max(count(place.get(name)) or 0 for place in places for name in names)


def _sound(usage: Mapping[str, Any], details: Mapping[str, Any], of_google: str) -> int:
    listed = usage.get(of_google)
    found = [
        count(one.get("tokenCount")) or 0
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, Mapping) and one.get("modality") == "AUDIO"
    ]
    return sum(found) or _largest(("audio_tokens",), details)


BATCH_SHARE = 0.5
"""A batch costs half of what single calls cost."""


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens, and where the figures are from.

    Attributes:
        prompt, completion: of a short call; what is cached counts like the rest of the prompt.
        is_tiered: whether long prompts cost more.
        share: of that, so much is to be paid.
    """

    prompt: float
    completion: float
    source: str
    is_tiered: bool = False
    share: float = 1.0

    def cost_of(self, usage: Usage) -> float:
        """What a call costs by what it used."""
        tokens = (usage.prompt or 0) * self.prompt + (usage.completion or 0) * self.completion
        return self.share * tokens / 1e6

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """What a call with so many tokens costs, nothing of it cached."""
        return self.cost_of(Usage(prompt_tokens, completion_tokens))

    def most(self, prompt_tokens: int, completion_tokens: int) -> float:
        """What it costs at most: to write a prompt into a cache can cost more than to read it."""
        written = Usage(prompt_tokens, completion_tokens, written=prompt_tokens)
        return max(self.cost(prompt_tokens, completion_tokens), self.cost_of(written))


@dataclass(frozen=True)
class ListPrice(Price):
    """The price list's, which has one for each kind of token, by how long the prompt is.

    Attributes:
        model: as the list is asked for it.
    """

    model: str = ""

    def cost_of(self, usage: Usage) -> float:
        """What a call costs by what it used."""
        return self.share * _listed(self.model, usage)


def of_model(model: str) -> Price | None:
    """The list price of a model; None: the list does not know it."""
    # The list is a large module that no other command needs.
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    try:
        short, long = (
            calc_price(Tokens(input_tokens=n, output_tokens=n), model_ref=model)
            for n in (1, 1_000_000)
        )
    except LookupError:
        return None
    prompt, completion = short.input_price * 1_000_000, short.output_price * 1_000_000
    return ListPrice(
        float(prompt),
        float(completion),
        f"{short.provider.name}, {short.model.id}",
        is_tiered=long.input_price + long.output_price > prompt + completion,
        model=model,
    )


@lru_cache(maxsize=65_536)
def _listed(model: str, usage: Usage) -> float:
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    both = {"input_tokens": usage.prompt or 0, "output_tokens": usage.completion or 0}
    parts = {
        "cache_read_tokens": usage.read,
        "cache_write_tokens": usage.written,
        "cache_write_1h_tokens": usage.written_for_an_hour,
        "input_audio_tokens": usage.sound_in,
        "output_audio_tokens": usage.sound_out,
    }
    known = {name: n for name, n in parts.items() if n}
    if usage.sound_in:
        # The list wants to know how much of the sound was cached, also where none was.
        known |= {"cache_audio_read_tokens": usage.sound_read, "cache_audio_write_tokens": 0}
    try:
        found = calc_price(Tokens(**both, **known), model_ref=model)
    except ValueError:
        # Parts that cannot be those of one call: as if nothing had been cached.
        found = calc_price(Tokens(**both), model_ref=model)
    return float(found.total_price)


def of_batch(price: Price) -> Price:
    """What the same costs in a batch."""
    return replace(price, share=price.share * BATCH_SHARE)


def parse(text: str) -> Price:
    """A price as the user gives it: `IN,OUT` in US dollars per million tokens.

    Raises:
        UsageError: it is something else.
    """
    try:
        prompt, completion = (float(part) for part in text.split(","))
    except ValueError as error:
        raise UsageError(
            f"--price {text!r}: two numbers, US dollars per million tokens: 0.15,0.6"
        ) from error
    if not (0 <= prompt < 1e6 and 0 <= completion < 1e6):
        raise UsageError(f"--price {text!r}: prices are not negative")
    return Price(prompt, completion, "as given")


def estimated_tokens(text: str) -> int:
    """About how many tokens a text is: one per four bytes, as is usual for English."""
    return len(text.encode()) // 4 + 1


def most_tokens(text: str) -> int:
    """How many tokens a text is at most: a token is at least a byte."""
    return len(text.encode())
