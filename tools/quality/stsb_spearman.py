#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Spearman's rank correlation of Quire's cosine similarities with human scores on the STS-B English test split.

    tools/quality/stsb_spearman.py [--model DIR] [--quire PROGRAM] [--expect 82.03 --within 0.01] [-- embed options]

Texts are cut at 256 tokens. Exit status 1 when the figure is not within the bound.
"""
import argparse
import csv
import gzip
import math
import os
import sys

from quire_cli import DEFAULT_MODEL, DEFAULT_QUIRE, embed, shared_data


def read_pairs(split):
    path = os.path.join(shared_data(), "quality", "stsbenchmark.en.tsv.gz")
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(row["sentence1"], row["sentence2"], float(row["score"])) for row in rows if row["split"] == split]


def ranks(values):
    """1-based ranks; equal values share the mean of theirs."""
    order = sorted(range(len(values)), key=values.__getitem__)
    result, start = [0.0] * len(values), 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for i in order[start:end]:
            result[i] = (start + end + 1) / 2
        start = end
    return result


def pearson(a, b):
    mean_a, mean_b = math.fsum(a) / len(a), math.fsum(b) / len(b)
    covariance = math.fsum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    return covariance / math.sqrt(math.fsum((x - mean_a) ** 2 for x in a) * math.fsum((y - mean_b) ** 2 for y in b))


def cosine(a, b):
    dot = math.fsum(x * y for x, y in zip(a, b))
    return dot / math.sqrt(math.fsum(x * x for x in a) * math.fsum(y * y for y in b))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", default=DEFAULT_MODEL)
    parser.add_argument("--quire", default=DEFAULT_QUIRE)
    parser.add_argument("--split", default="test", choices=["train", "dev", "test"])
    parser.add_argument("--expect", type=float, default=82.03)
    parser.add_argument("--within", type=float, default=0.01)
    parser.add_argument("embed_options", nargs="*", help="after --: passed to quire embed")
    options = parser.parse_args()
    pairs = read_pairs(options.split)
    texts = [text for first, second, _ in pairs for text in (first, second)]
    vectors = embed(options.quire, options.model, texts, ["--max-length", "256", "--truncate", *options.embed_options])
    similarities = [cosine(vectors[2 * i], vectors[2 * i + 1]) for i in range(len(pairs))]
    figure = 100 * pearson(ranks(similarities), ranks([score for _, _, score in pairs]))
    print(f"STS-B English {options.split}: {len(pairs)} pairs, Spearman x 100 = {figure:.4f} "
          f"(expected {options.expect} ± {options.within})")
    # Half a unit of the last digit: the expected figure itself is rounded.
    sys.exit(0 if abs(figure - options.expect) <= options.within + 0.005 else 1)


if __name__ == "__main__":
    main()
