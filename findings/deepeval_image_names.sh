#!/bin/sh
# deepeval 4.3.1: a question with a picture has another text each time that it is made. The picture
# stands in the text as a mark with a random name, and the name is not made of the picture: so a run
# that is saved has questions that no other run has, and who joins two runs of the same model on the
# text of the question finds no pair. Of a question without a picture the texts are equal.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet deepeval==4.3.1
cd "$folder"
DEEPEVAL_TELEMETRY_OPT_OUT=YES "$folder/env/bin/python" - <<'PYTHON'
import re
from importlib.metadata import version

from deepeval.test_case import LLMTestCase, MLLMImage

PICTURE = {"dataBase64": "AAAA", "mimeType": "image/png"}


def asked(picture):
    mark = f"{MLLMImage(**PICTURE)} " if picture else ""
    return LLMTestCase(input=f"{mark}What is it?", actual_output="a cat").input


with_picture = [asked(True) for _ in range(3)]
without = [asked(False) for _ in range(3)]
print("deepeval", version("deepeval"))
print("with the same picture, three times:", with_picture)
print("without one:", without)
assert all(re.fullmatch(r"\[DEEPEVAL:IMAGE:\w+\] What is it\?", text) for text in with_picture)
assert len(set(with_picture)) == 3, "the mark no longer changes"
assert len(set(without)) == 1
PYTHON
