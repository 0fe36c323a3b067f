#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`quire tokenize` beside PyPI `tokenizers`: ids, tokens and offsets, with and without published ids.

    tools/quality/compare_tokenizers.py [--tokenizer DIR] [--quire PROGRAM] [--lines 2000] [--stress 100000] [--seed 1]

Tries the inputs of data/token_ids (whose ids are published as well), lines of an English and a Chinese book, every code
point alone and between letters, characters that change places with their neighbours, and a random mixture of scripts.
Ends with 1 where anything differs. Pairs are tried by the C++ suite: tests/golden/make_tokenizer_golden.py. Needs the
Python packages of bench/peers/requirements.txt: .venv-peers/bin/python tools/quality/compare_tokenizers.py
"""
import argparse
import itertools
import json
import os
import struct
import subprocess
import sys
import tempfile

import tokenizers

import tokenizer_texts
from quire_cli import DEFAULT_QUIRE, shared_data

SHOWN = 5  # differences of one set that are printed
SPECIAL_TOKENS_BEHIND = 1  # [CLS] text [SEP]


def write_model(folder, tokenizer_json, vocabulary):
    """The smallest BERT with that vocabulary, its weights all 0: the program opens model folders only."""
    hidden, inner = 8, 8
    shapes = {"embeddings.word_embeddings.weight": [vocabulary, hidden],
              "embeddings.position_embeddings.weight": [512, hidden],
              "embeddings.token_type_embeddings.weight": [2, hidden]}
    layer = "encoder.layer.0."
    for name in ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
                 "intermediate.dense", "output.dense"]:
        shapes |= {f"{layer}{name}.weight": [inner, hidden], f"{layer}{name}.bias": [inner]}
    for name in ["embeddings.LayerNorm", layer + "attention.output.LayerNorm", layer + "output.LayerNorm"]:
        shapes |= {f"{name}.weight": [hidden], f"{name}.bias": [hidden]}
    header, end = {}, 0
    for name, shape in shapes.items():
        begin, end = end, end + 4 * shape[0] * (shape[1] if len(shape) > 1 else 1)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    with open(os.path.join(folder, "model.safetensors"), "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.truncate(8 + len(text) + end)
    config = {"model_type": "bert", "architectures": ["BertModel"], "vocab_size": vocabulary, "hidden_size": hidden,
              "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": inner, "hidden_act": "gelu",
              "max_position_embeddings": 512, "type_vocab_size": 2, "layer_norm_eps": 1e-12}
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(config, file)
    os.symlink(os.path.abspath(tokenizer_json), os.path.join(folder, "tokenizer.json"))


def quire_tokens(quire, model, texts):
    """(ids, tokens, byte offsets) per text."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as source:
        source.writelines(json.dumps({"text": text}) + "\n" for text in texts)
        source.flush()
        command = [quire, "tokenize", "--model", model, "--input", source.name]
        done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8")
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with status {done.returncode}")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    if [row["index"] for row in rows] != list(range(len(texts))):
        sys.exit(f"{len(texts)} texts went in, {len(rows)} items came out, or out of order")
    return [(row["ids"], row["tokens"], [tuple(span) for span in row["offsets"]]) for row in rows]


def byte_offsets(text, offsets):
    """The spans of code points, which is what `tokenizers` gives, as bytes of the text's UTF-8."""
    starts = [0, *itertools.accumulate(len(character.encode()) for character in text)]
    return [(starts[begin], starts[end]) for begin, end in offsets]


def peer_tokens(peer, texts):
    return [(one.ids, one.tokens, byte_offsets(text, one.offsets))
            for text, one in zip(texts, peer.encode_batch(texts), strict=True)]


class Comparison:
    def __init__(self, quire, model, peer):
        self.quire, self.model, self.peer = quire, model, peer
        self.texts = self.tokens = self.differences = 0

    def compare(self, name, batches):
        texts = tokens = differences = 0
        for batch in batches:
            texts += len(batch)
            ours = quire_tokens(self.quire, self.model, batch)
            for text, mine, wanted in zip(batch, ours, peer_tokens(self.peer, batch), strict=True):
                tokens += len(wanted[0])
                if mine == wanted:
                    continue
                differences += 1
                if differences <= SHOWN:
                    print(f"  {ascii(text)}\n    quire      {mine}\n    tokenizers {wanted}")
        print(f"{name}: {texts} texts, {tokens} tokens, {differences} differences", flush=True)
        self.add(texts, tokens, differences)

    def compare_published(self, name, pairs, padded_to=None):
        """Ids without special tokens, as other projects publish them."""
        ours = quire_tokens(self.quire, self.model, [text for text, _ in pairs])
        differences = 0
        for (text, wanted), (ids, _, _) in zip(pairs, ours, strict=True):
            ids = ids[1:len(ids) - SPECIAL_TOKENS_BEHIND]
            if padded_to:
                ids = (ids + [0] * padded_to)[:padded_to]
            if ids != wanted:
                differences += 1
                print(f"  {ascii(text)}\n    quire     {ids}\n    published {wanted}")
        print(f"{name}: {len(pairs)} published lists of ids, {differences} differences", flush=True)
        self.add(0, 0, differences)

    def add(self, texts, tokens, differences):
        self.texts += texts
        self.tokens += tokens
        self.differences += differences


def run(comparison, data, options):
    sets = [("token_ids/llamacpp", tokenizer_texts.llamacpp(data), None),
            ("token_ids/kitoken small", tokenizer_texts.kitoken(data, "small"), 512),
            ("token_ids/kitoken mixed", tokenizer_texts.kitoken(data, "mixed"), 512)]
    for name, pairs, padded_to in sets:
        comparison.compare(name, [[text for text, _ in pairs]])
        if not options.tokenizer:  # published for these words only
            comparison.compare_published(name, pairs, padded_to)
    for name in ["war-and-peace.en.txt", "hongloumeng.zh.txt"]:
        comparison.compare(name, [tokenizer_texts.lines_of(data, name, options.lines)])
    comparison.compare("every code point", tokenizer_texts.every_code_point())
    comparison.compare("combining characters", tokenizer_texts.every_mark_behind_marks())
    comparison.compare(f"random texts, seed {options.seed}", tokenizer_texts.stress(options.stress, options.seed))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tokenizer", help="folder with tokenizer.json (default: bert-base-uncased)")
    parser.add_argument("--quire", default=DEFAULT_QUIRE)
    parser.add_argument("--lines", type=int, default=2000, help="of each book")
    parser.add_argument("--stress", type=int, default=100_000, help="random texts")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    data = shared_data()
    folder = options.tokenizer or os.path.join(data, "tokenizers", "bert-base-uncased")
    file = os.path.join(folder, "tokenizer.json")
    peer = tokenizers.Tokenizer.from_file(file)
    peer.no_truncation()
    peer.no_padding()
    vocabulary = max(peer.get_vocab().values()) + 1
    with tempfile.TemporaryDirectory() as model:
        write_model(model, file, vocabulary)
        comparison = Comparison(options.quire, model, peer)
        run(comparison, data, options)
    print(f"quire and tokenizers {tokenizers.__version__}, {file}: {comparison.texts} texts, "
          f"{comparison.tokens} tokens, {comparison.differences} differences")
    sys.exit(1 if comparison.differences else 0)


if __name__ == "__main__":
    main()
