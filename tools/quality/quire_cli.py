# SPDX-License-Identifier: Apache-2.0
"""What the quality scripts share: where things are, and `quire embed` as a function."""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEFAULT_MODEL = os.path.join(ROOT, "models", "all-MiniLM-L6-v2")
DEFAULT_QUIRE = os.path.join(ROOT, "build", "cli", "quire")


def shared_data():
    folder = os.environ.get("QUIRE_SHARED_DATA") or os.path.join(os.path.dirname(ROOT), "shared", "data")
    if not os.path.isdir(folder):
        sys.exit(f"{folder} is missing: name the folder of test data by QUIRE_SHARED_DATA")
    return folder


def embed(quire, model, texts, arguments=(), environment=None):
    """One vector (list of floats) per text, in order; every item must succeed."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as source:
        for text in texts:
            source.write(json.dumps({"text": text}) + "\n")
        source.flush()
        command = [quire, "embed", "--model", model, "--input", source.name, *arguments]
        done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8",
                              env={**os.environ, **(environment or {})})
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with status {done.returncode}")
    items = [json.loads(line) for line in done.stdout.splitlines()]
    if [item["index"] for item in items] != list(range(len(texts))):
        sys.exit(f"{len(texts)} texts went in, {len(items)} items came out, or out of order")
    return [item["embedding"] for item in items]
