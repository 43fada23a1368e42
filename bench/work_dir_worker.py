"""VLMEvalKit's evaluation of a work dir, in its own environment.

    python work_dir_worker.py MODEL FOLDER

evaluates every file of answers `{model}_{dataset}.xlsx` or `.tsv` in a folder that rules alone score,
and prints, as JSON, the seconds of its import, of each dataset, and the datasets that it cannot
evaluate. The questions lie in the folder LMUData of the environment. It leaves results next to the
files, so each run needs fresh ones.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import torch

try:
    import torchvision  # noqa: F401
except RuntimeError:
    # As in vlmevalkit_worker.py.
    for name in ("nms", "qnms"):
        torch.library.define(
            f"torchvision::{name}", "(Tensor dets, Tensor scores, float n) -> Tensor"
        )

begun = time.perf_counter()
from vlmeval.dataset import build_dataset  # noqa: E402  # timed
from vlmeval.dataset.image_base import ImageBaseDataset  # noqa: E402

imported = time.perf_counter()


def without_digests(cls: Any) -> None:
    """Take the questions that lie there, which are no published file, for the dataset's."""
    if isinstance(getattr(cls, "DATASET_MD5", None), dict):
        cls.DATASET_MD5 = dict.fromkeys(cls.DATASET_MD5)
    for one in cls.__subclasses__():
        without_digests(one)


without_digests(ImageBaseDataset)
model, folder = sys.argv[1], Path(sys.argv[2])
seconds, failed, n_rows = {}, {}, 0
for path in sorted(folder.glob(f"{model}_*")):
    if path.suffix not in (".xlsx", ".tsv"):
        continue
    dataset = path.stem.removeprefix(f"{model}_")
    start = time.perf_counter()
    try:
        built = build_dataset(dataset)
        built.evaluate(str(path), model="exact_matching", nproc=1)
    except (Exception, SystemExit) as error:
        failed[dataset] = f"{type(error).__name__}: {error}"[:200]
        continue
    seconds[dataset] = time.perf_counter() - start
    n_rows += len(built.data)
print()
print(
    json.dumps({"import": imported - begun, "seconds": seconds, "failed": failed, "n_rows": n_rows})
)
