"""The peers, each in a separate environment."""

from __future__ import annotations

import sys
import venv
from pathlib import Path

from bench import measure

PACKAGE = "ms-vlmeval==0.0.20"
INSPECT = "inspect-ai==0.3.285"
# The last build of torch that is small: newer ones bring several GB for graphics cards.
_TORCH = ("torch==2.13.0", "torchvision==0.28.0")
# What its package imports on the way to its evaluation, rather than all that it requires.
_NEEDED = (
    *("accelerate", "datasets", "decord", "huggingface_hub", "imageio", "jieba", "json_repair"),
    *("levenshtein", "math_verify", "matplotlib", "nltk", "num2words", "omegaconf>=2.4.0.dev4"),
    *("openai", "opencv-python-headless", "openpyxl", "pandas", "pillow", "portalocker"),
    *("pylatexenc", "python-dotenv", "qwen_vl_utils", "requests", "rich", "rouge"),
    *("scikit-learn", "sty", "tabulate", "termcolor", "timeout_decorator", "tqdm"),
    *("transformers", "validators", "xlsxwriter"),
)


def python_of_peer(folder: Path) -> Path:
    """The interpreter of VLMEvalKit's environment, which is made where it is not there."""
    python = folder / "bin" / "python"
    ready = folder / ".ready"
    if ready.exists():
        return python
    print(f"installing {PACKAGE} into {folder} (minutes)", file=sys.stderr)
    venv.create(folder, with_pip=True, clear=True)
    pip: list[str | Path] = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    measure.process([*pip, *_TORCH])
    measure.process([*pip, "--no-deps", PACKAGE])
    measure.process([*pip, *_NEEDED])
    ready.touch()
    return python


def python_of_inspect(folder: Path) -> Path:
    """The interpreter of Inspect's environment, which is made where it is not there."""
    python = folder / "bin" / "python"
    ready = folder / ".ready"
    if ready.exists():
        return python
    print(f"installing {INSPECT} into {folder}", file=sys.stderr)
    venv.create(folder, with_pip=True, clear=True)
    pip: list[str | Path] = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    # What samples_df needs in addition.
    measure.process([*pip, INSPECT, "pandas", "pyarrow"])
    ready.touch()
    return python
