#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Quire beside `transformers` in fp32 on STS-B sentences, at every level this CPU has; and Quire beside itself.

    tools/quality/compare_transformers.py [--model DIR] [--quire PROGRAM] [--count 500] [--levels portable,avx2,...]

Holds when no component of a normalised vector differs by more than 2e-6 from transformers' at any level, and when the
same text alone, in a batch of 64, at another position, and with 1 or 2 threads has equal bits. Needs the Python
packages of bench/peers/requirements.txt: .venv-peers/bin/python tools/quality/compare_transformers.py
"""
import argparse
import os
import random
import subprocess
import sys

from quire_cli import DEFAULT_MODEL, DEFAULT_QUIRE, embed
from stsb_spearman import read_pairs

LARGEST_DIFFERENCE = 2e-6
NORMALIZED = ["--normalize", "--max-length", "256", "--truncate"]


def levels_here(quire, model):
    """The levels that `quire info` accepts on this CPU."""
    names = ["portable", "avx2", "avxvnni", "avx512", "avx512vnni", "avx512bf16", "amx"]
    runs = [n for n in names if subprocess.run([quire, "info", "--model", model, "--level", n],
                                               capture_output=True).returncode == 0]
    print("levels here:", " ".join(runs), "| not run here:", " ".join(n for n in names if n not in runs) or "none")
    return runs


def reference(model, texts):
    import numpy
    import torch
    import transformers
    tokenizer = transformers.AutoTokenizer.from_pretrained(model)
    trunk = transformers.AutoModel.from_pretrained(model, dtype=torch.float32, attn_implementation="eager").eval()
    vectors = []
    with torch.inference_mode():
        for text in texts:
            batch = tokenizer(text, truncation=True, max_length=256, padding=False, return_tensors="pt")
            vector = trunk(**batch).last_hidden_state[0].mean(dim=0)
            vectors.append((vector / vector.norm().clamp(min=1e-12)).numpy())
    return numpy.stack(vectors)


def check_levels(options, texts):
    import numpy
    expected = reference(options.model, texts)
    good = True
    for level in options.levels.split(",") if options.levels else levels_here(options.quire, options.model):
        ours = numpy.asarray(embed(options.quire, options.model, texts, [*NORMALIZED, "--level", level]), numpy.float32)
        worst = float(numpy.abs(ours.astype(numpy.float64) - expected).max())
        good &= worst <= LARGEST_DIFFERENCE
        print(f"{level:10} {len(texts)} texts: largest difference {worst:.2e} (at most {LARGEST_DIFFERENCE:.0e})")
    return good


def check_bits(options, texts):
    """Vectors read back to the same bits, so equal lists mean equal bits."""
    sample = texts[:64]
    def run(batch, threads):
        return embed(options.quire, options.model, batch, [*NORMALIZED, "--threads", str(threads)])
    batch = run(sample, 1)
    shuffled = list(range(len(sample)))
    random.Random(7).shuffle(shuffled)
    elsewhere = run([sample[i] for i in shuffled], 1)
    cases = {
        "alone": [run([text], 1)[0] for text in sample[:16]] == batch[:16],
        "at another position": all(elsewhere[at] == batch[i] for at, i in enumerate(shuffled)),
        "among 500": run(texts, 1)[:64] == batch,
        "2 threads": run(sample, 2) == batch if len(os.sched_getaffinity(0)) > 1 else None,
    }
    for name, equal in cases.items():
        print(f"equal bits, batch of 64 and {name}: {'not run here: one CPU' if equal is None else equal}")
    return all(equal is not False for equal in cases.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", default=DEFAULT_MODEL)
    parser.add_argument("--quire", default=DEFAULT_QUIRE)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--levels", default="")
    options = parser.parse_args()
    texts = [text for first, second, _ in read_pairs("test") for text in (first, second)][:options.count]
    good = check_levels(options, texts) & check_bits(options, texts)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
