# SPDX-License-Identifier: Apache-2.0
"""Writes tests/golden/bert/: tiny seeded BERT checkpoints and what `transformers` makes of them in double precision.

    python tests/golden/make_bert_golden.py     # needs torch, transformers, tokenizers, safetensors, numpy

Run it again only to change the cases; the files it writes are checked in. Each folder is a model folder as Hugging Face
lays it out, and expected/model.safetensors beside it holds
    ids.N, types.N       I32 [N]        the input of length N
    {mean,cls,max,first_last}.N   F32 [hidden]   pooled rows (first_last: mean of hidden_states[1] and [-1])
    hidden.37            F32 [37, hidden]        all rows of the last layer
and for the folder with a tokenizer also text.I.ids (I32) and text.I.vector (F32, mean, normalised) for TEXTS[I].
"""

import json
import pathlib
import shutil

import numpy
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertModel

HERE = pathlib.Path(__file__).parent / "bert"
TEXTS = ["", "a", "what is deep learning", "Caf\u00e9, \u00dcber-cool!", "the same text alone or in a batch", "x\u0000y \u4e2d\u6587"]
LENGTHS = [1, 2, 3, 5, 8, 15, 16, 17, 31, 32, 33, 37, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 600]

CASES = {
    "gelu_f32": dict(seed=1, dtype=torch.float32, hidden_size=48, num_attention_heads=6, intermediate_size=112,
                     num_hidden_layers=3, hidden_act="gelu", vocab_size=64, max_position_embeddings=600),
    "tanh_bf16_prefixed": dict(seed=2, dtype=torch.bfloat16, hidden_size=72, num_attention_heads=3,
                               intermediate_size=100, num_hidden_layers=2, hidden_act="gelu_new", vocab_size=50,
                               max_position_embeddings=140, prefix="bert.", architecture="BertForMaskedLM"),
    "relu_f16_sharded": dict(seed=3, dtype=torch.float16, hidden_size=64, num_attention_heads=4, intermediate_size=96,
                             num_hidden_layers=2, hidden_act="relu", vocab_size=40, max_position_embeddings=70,
                             shards=3, legacy_norms=True, layer_norm_eps=1e-5),
    "silu_odd": dict(seed=4, dtype=torch.float32, hidden_size=40, num_attention_heads=2, intermediate_size=37,
                     num_hidden_layers=1, hidden_act="silu", vocab_size=31, max_position_embeddings=40,
                     type_vocab_size=1),
}


def random_weights(model, seed):
    """Rows of length about one, so that attention and activations are far from their linear range."""
    generator = torch.Generator().manual_seed(seed)
    for name, tensor in model.state_dict().items():
        if not tensor.is_floating_point():
            continue
        noise = torch.randn(tensor.shape, generator=generator, dtype=torch.float64)
        if "LayerNorm.weight" in name:
            tensor.copy_(1 + 0.2 * noise)
        elif name.endswith("bias"):
            tensor.copy_(0.2 * noise)
        elif "embeddings" in name:
            tensor.copy_(noise)
        else:
            tensor.copy_(1.5 * noise / tensor.shape[1] ** 0.5)


def stored(model, dtype, prefix, legacy_norms):
    out = {}
    for name, tensor in model.state_dict().items():
        if name.startswith("pooler"):
            continue
        if legacy_norms:
            name = name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")
        out[prefix + name] = tensor.to(dtype).contiguous()
    # As many files on the hub: an integer tensor that must be ignored.
    out[prefix + "embeddings.position_ids"] = torch.arange(4).reshape(1, 4)
    return out


def write_weights(folder, tensors, shards):
    if shards == 1:
        save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
        return
    names = sorted(tensors)
    weight_map = {}
    for shard in range(shards):
        file = f"model-{shard + 1:05d}-of-{shards:05d}.safetensors"
        part = {name: tensors[name] for name in names[shard::shards]}
        weight_map.update({name: file for name in part})
        save_file(part, folder / file, metadata={"format": "pt"})
    index = {"metadata": {"total_size": sum(t.numel() * t.element_size() for t in tensors.values())},
             "weight_map": weight_map}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=1))


def run(model, ids, types):
    with torch.no_grad():
        out = model(input_ids=torch.tensor([ids]), token_type_ids=torch.tensor([types]), output_hidden_states=True)
    return out.hidden_states[1][0], out.hidden_states[-1][0]


def pooled(first, last):
    return {"mean": last.mean(0), "cls": last[0], "max": last.max(0).values,
            "first_last": ((first + last) / 2).mean(0)}


def expected_by_length(model, case, rng):
    out = {}
    for length in [n for n in LENGTHS if n <= case["max_position_embeddings"]]:
        ids = rng.integers(0, case["vocab_size"], length).tolist()
        types = [int(i >= length // 2) if case.get("type_vocab_size", 2) > 1 else 0 for i in range(length)]
        first, last = run(model, ids, types)
        out[f"ids.{length}"] = torch.tensor(ids, dtype=torch.int32)
        out[f"types.{length}"] = torch.tensor(types, dtype=torch.int32)
        for name, vector in pooled(first, last).items():
            out[f"{name}.{length}"] = vector.float().contiguous()
        if length == 37:
            out["hidden.37"] = last.float().contiguous()
    return out


def make_tokenizer():
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *("##" + c for c in letters), "the", "is", "deep",
             "##ing", ",", "!", "-"]
    tokenizer = Tokenizer(models.WordPiece({w: i for i, w in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    tokenizer.add_special_tokens(words[:5])
    return tokenizer


def write_sentence_transformers(folder):
    kinds = [("0", "", "Transformer"), ("1", "1_Pooling", "Pooling"), ("2", "2_Normalize", "Normalize")]
    modules = [{"idx": i, "name": name, "path": path, "type": "sentence_transformers.models." + kind}
               for i, (name, path, kind) in enumerate(kinds)]
    (folder / "modules.json").write_text(json.dumps(modules, indent=1))
    (folder / "1_Pooling").mkdir()
    modes = {"pooling_mode_" + mode: mode == "mean_tokens"
             for mode in ("cls_token", "mean_tokens", "max_tokens", "mean_sqrt_len_tokens")}
    (folder / "1_Pooling/config.json").write_text(json.dumps({"word_embedding_dimension": 48, **modes}, indent=1))
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 48, "do_lower_case": false}')
    (folder / "tokenizer_config.json").write_text('{"model_max_length": 512}')
    (folder / "config_sentence_transformers.json").write_text(json.dumps({"prompts": {"query": "the query is "}}))


def expected_texts(model, tokenizer):
    out = {}
    for i, text in enumerate(TEXTS):
        ids = tokenizer.encode(text).ids
        _, last = run(model, ids, [0] * len(ids))
        out[f"text.{i}.ids"] = torch.tensor(ids, dtype=torch.int32)
        out[f"text.{i}.vector"] = torch.nn.functional.normalize(last.mean(0), dim=0).float().contiguous()
    return out


def write_case(name, case):
    case = dict(case)
    seed, dtype = case.pop("seed"), case.pop("dtype")
    prefix, shards = case.pop("prefix", ""), case.pop("shards", 1)
    legacy_norms, architecture = case.pop("legacy_norms", False), case.pop("architecture", "BertModel")
    folder = HERE / name
    folder.mkdir(parents=True)
    config = BertConfig(**case, attn_implementation="eager")
    model = BertModel(config, add_pooling_layer=False).double().eval()
    random_weights(model, seed)
    tensors = stored(model, dtype, prefix, legacy_norms)
    # What the file holds is what both sides compute with.
    model = model.to(dtype).double()
    write_weights(folder, tensors, shards)
    keys = {"architectures": [architecture], "model_type": "bert", "type_vocab_size": 2, "layer_norm_eps": 1e-12, **case}
    (folder / "config.json").write_text(json.dumps(keys, indent=1))
    expected = expected_by_length(model, case, numpy.random.default_rng(seed))
    if name == "gelu_f32":
        tokenizer = make_tokenizer()
        (folder / "tokenizer.json").write_text(tokenizer.to_str(pretty=False))
        write_sentence_transformers(folder)
        expected |= expected_texts(model, tokenizer)
    (folder / "expected").mkdir()
    save_file(expected, folder / "expected/model.safetensors")


def main():
    shutil.rmtree(HERE, ignore_errors=True)
    for name, case in CASES.items():
        write_case(name, case)


main()
