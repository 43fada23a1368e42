"""What a call costs, in US dollars: from a maintained price list, or as the user says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from judge.usage import Usage
from warehouse.errors import UsageError

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
