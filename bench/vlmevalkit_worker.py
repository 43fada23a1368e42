"""VLMEvalKit's own evaluation of prediction files, in its own environment.

    python vlmevalkit_worker.py DATASET FILE…

prints, as JSON, the seconds of its import, of reading the dataset and of all evaluations, and the
accuracies. It rewrites the files and leaves its results next to them, so each run needs fresh ones.
"""

import json
import sys
import time

import torch

try:
    import torchvision  # noqa: F401
except RuntimeError:
    # Built for graphics cards, with a torch that is not: its compiled operators, which no text
    # needs, do not load. Its Python wants two of them declared.
    for name in ("nms", "qnms"):
        torch.library.define(
            f"torchvision::{name}", "(Tensor dets, Tensor scores, float n) -> Tensor"
        )

begun = time.perf_counter()
# What `build_dataset` makes of the names of MMBench's and SEED-Bench's datasets.
from vlmeval.dataset.image_mcq import ImageMCQDataset  # noqa: E402  # timed

imported = time.perf_counter()
dataset = ImageMCQDataset(sys.argv[1])
built = time.perf_counter()
found = {}
for path in sys.argv[2:]:
    table = dataset.evaluate(path, model="exact_matching")
    found[path] = {str(name): float(table[name][0]) for name in table if name != "split"}
done = time.perf_counter()
seconds = {"import": imported - begun, "dataset": built - imported, "evaluate": done - built}
print()
print(json.dumps({"seconds": seconds, "accuracy": found}))
