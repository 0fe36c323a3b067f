# SPDX-License-Identifier: Apache-2.0
"""`quire tokenize`, `quire info`, and model folders that are broken."""

import json
import struct

import quire_program
from quire_program import Case, quire


class Tokenize(Case):
    def test_ids_tokens_and_byte_offsets(self):
        row = self.rows("tokenize", "--text", "Caf\u00e9 is")[0]
        self.assertEqual(row["tokens"], ["[CLS]", "c", "##a", "##f", "##e", "is", "[SEP]"])
        self.assertEqual(row["offsets"], [[0, 0], [0, 1], [1, 2], [2, 3], [3, 5], [6, 8], [0, 0]])
        self.assertEqual(row["ids"][0], 2)
        self.assertEqual(row["index"], 0)

    def test_same_input_options(self):
        path = self.file("texts.jsonl", '{"id": 5, "text": "a"}\n{"ids": [2, 3]}\n{"text": 1}\n')
        rows = self.rows("tokenize", "--text", "b", "--input", path, status=3)
        self.assertEqual([row.get("ids") for row in rows][2], [2, 3])
        self.assertEqual(rows[1]["id"], 5)
        self.assertEqual(rows[2]["tokens"], ["[CLS]", "[SEP]"])
        self.assertIn("error", rows[3])
        self.assertEqual([row["tokens"] for row in self.rows("tokenize", stdin="a\n")], [["[CLS]", "a", "[SEP]"]])

    def test_no_limit_unless_asked_for(self):
        self.assertEqual(len(self.rows("tokenize", "--text", "a " * 100)[0]["ids"]), 102)
        self.rows("tokenize", "--text", "a " * 100, "--max-length", 10, status=3)
        row = self.rows("tokenize", "--text", "a " * 100, "--max-length", 10, "--truncate")[0]
        self.assertEqual((len(row["ids"]), row["truncated"]), (10, True))

    def test_invalid_utf8_is_the_items_error(self):
        rows = self.rows("tokenize", stdin=b"a\nb\xffc\n", status=3)
        self.assertIn("1", rows[1]["error"])


class Info(Case):
    def info(self, *args, **more):
        code, out, err = quire("info", "--json", *args, **more)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def test_model_limits_level_threads(self):
        facts = self.info("--threads", 1, "--level", "portable")
        expected = {"hidden_size": 48, "layers": 3, "max_tokens": 48, "position_limit": 600, "pooling": "mean",
                    "normalize": True, "level": "portable", "threads": 1, "precision": "f32", "family": "bert",
                    "max_tokens_source": "sentence_bert_config.json max_seq_length", "prompts": ["query"]}
        self.assertEqual({key: facts[key] for key in expected}, expected)
        self.assertIn("portable", facts["level_reason"])
        self.assertTrue(facts["threads_reason"])

    def test_bytes_for_a_length(self):
        short, long, longer = (self.info("--threads", 1, "--length", n) for n in (1024, 2048, 4096))
        self.assertEqual(short["weight_bytes"], long["weight_bytes"])
        self.assertEqual(short["plan_tokens"], 1024)
        first, second = (b["workspace_bytes"] - a["workspace_bytes"] for a, b in ((short, long), (long, longer)))
        self.assertAlmostEqual(second / first, 2, delta=0.01)
        last = long["regions"][-1]
        self.assertEqual(-(-(last["offset"] + last["bytes"]) // 64) * 64, long["workspace_bytes"])

    def test_words_for_people(self):
        code, out, err = quire("info")
        self.assertEqual(code, 0, err)
        for word in (b"parameters", b"level", b"threads", b"workspace", b"weights packed"):
            self.assertIn(word, out)

    def test_impossible_length(self):
        self.refused("info", "--length", 2**40, status=2)
        self.refused("info", "--length", 0, status=2)


class BrokenModels(Case):
    def broken(self, words, status=1, verbs=("embed", "info")):
        for verb in verbs:
            extra = ["--text", "a"] if verb == "embed" else []
            self.refused(verb, *extra, model=self.model, status=status, words=words)

    def setUp(self):
        super().setUp()
        self.model = self.copied_model()
        self.weights = self.model / "model.safetensors"

    def replace(self, name, old, new):
        content = (self.model / name).read_bytes()
        self.assertIn(old, content)
        (self.model / name).write_bytes(content.replace(old, new, 1))

    def test_missing_file(self):
        self.weights.unlink()
        self.broken(["model.safetensors"])

    def test_missing_folder(self):
        self.model = "/nonexistent/model"
        self.broken(["/nonexistent/model"])

    def test_empty_file(self):
        self.weights.write_bytes(b"")
        self.broken(["model.safetensors", "empty"])

    def test_cut_file(self):
        self.weights.write_bytes(self.weights.read_bytes()[:-10])
        self.broken(["model.safetensors"])

    def test_wrong_dtype(self):
        self.replace("model.safetensors", b'"embeddings.LayerNorm.bias":{"dtype":"F32"',
                     b'"embeddings.LayerNorm.bias":{"dtype":"I32"')
        self.broken(["embeddings.LayerNorm.bias", "I32"])

    def test_wrong_shape(self):
        self.replace("model.safetensors", b'"shape":[64,48]', b'"shape":[48,64]')
        self.broken(["word_embeddings", "[48, 64]", "[64, 48]"])

    def test_missing_tensor(self):
        self.replace("model.safetensors", b"layer.2.output.dense.weight", b"layer.2.output.dense.heavyy")
        self.broken(["encoder.layer.2.output.dense.weight"])

    def test_header_length_two_to_63(self):
        self.weights.write_bytes(struct.pack("<Q", 1 << 63) + self.weights.read_bytes()[8:])
        self.broken(["model.safetensors", str(1 << 63)])

    def test_nan_weights(self):
        content = bytearray(self.weights.read_bytes())
        start = 8 + struct.unpack("<Q", content[:8])[0]
        content[start + 224:start + 228] = struct.pack("<f", float("nan"))
        self.weights.write_bytes(content)
        self.broken(["embeddings.LayerNorm.weight"], verbs=["embed"])

    def test_config_without_a_key(self):
        self.replace("config.json", b'"num_attention_heads"', b'"num_attention_feet"')
        self.broken(["config.json", "num_attention_heads"])

    def test_unknown_architecture(self):
        self.replace("config.json", b'"model_type": "bert"', b'"model_type": "yoda"')
        self.broken(["config.json", "yoda"])


if __name__ == "__main__":
    quire_program.main()
