"""What a call costs, in US dollars: from a maintained price list, or as the user says."""

from __future__ import annotations

from dataclasses import dataclass

from warehouse.errors import UsageError

BATCH_SHARE = 0.5
"""A batch costs half of what single calls cost."""


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens, and where the figures are from."""

    prompt: float
    completion: float
    source: str

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """What so many tokens cost."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1e6


def of_model(model: str) -> Price | None:
    """The list price of a model; None: the list does not know it."""
    # The list is a large module that no other command needs.
    from genai_prices import Usage, calc_price

    try:
        prompt = calc_price(Usage(input_tokens=1_000_000, output_tokens=0), model_ref=model)
        completion = calc_price(Usage(input_tokens=0, output_tokens=1_000_000), model_ref=model)
    except LookupError:
        return None
    return Price(
        float(prompt.total_price),
        float(completion.total_price),
        f"{prompt.provider.name}, {prompt.model.id}",
    )


def of_batch(price: Price) -> Price:
    """What the same costs in a batch."""
    return Price(price.prompt * BATCH_SHARE, price.completion * BATCH_SHARE, price.source)


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
