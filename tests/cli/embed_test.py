# SPDX-License-Identifier: Apache-2.0
"""The contract of `quire embed`, one test per statement."""

import json
import math
import os
import struct
import subprocess
import unittest

import quire_program
from quire_program import Case, MODEL, quire


def float_bits(value):
    return struct.pack("<f", value)


class Input(Case):
    def test_text_options_in_their_order(self):
        rows = self.rows("embed", "--text", "a", "--text", "what is deep", "--text", "")
        self.assertEqual([row["tokens"] for row in rows], [3, 8, 2])
        self.assertEqual([row["index"] for row in rows], [0, 1, 2])

    def test_without_text_and_input_reads_stdin(self):
        self.assertEqual(len(self.rows("embed", stdin="a\nb\n")), 2)

    def test_dash_is_stdin(self):
        self.assertEqual(len(self.rows("embed", "--input", "-", stdin="a\nb\nc")), 3)

    def test_texts_come_before_the_input(self):
        rows = self.rows("embed", "--input", "-", "--text", "the", stdin="a b c d\n")
        self.assertEqual([row["tokens"] for row in rows], [3, 6])

    def test_lines_of_a_file_one_text_each(self):
        rows = self.rows("embed", "--input", self.file("texts.txt", "a\n\na b\r\nlast without end"))
        self.assertEqual([row["tokens"] for row in rows], [3, 2, 4, 2 + 4 + 7 + 3])

    def test_brackets_and_commas_are_text(self):
        rows = self.rows("tokenize", "--text", "[a,b]")
        self.assertEqual(rows[0]["offsets"], [[0, 0], [0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [0, 0]])

    def test_a_text_may_begin_with_a_dash(self):
        self.assertEqual(self.rows("tokenize", "--text=-a")[0]["tokens"], ["[CLS]", "-", "a", "[SEP]"])

    def test_byte_order_mark_is_dropped(self):
        rows = self.rows("tokenize", stdin=b"\xef\xbb\xbfa\n\xef\xbb\xbfa\n")
        self.assertEqual(rows[0]["offsets"][1], [0, 1])
        self.assertEqual(rows[1]["offsets"][1], [3, 4])

    def test_empty_input_gives_nothing(self):
        self.assertEqual(self.rows("embed", stdin=""), [])

    def test_text_with_nul(self):
        self.assertEqual(len(self.rows("embed", stdin=b"a\0b\n")), 1)

    def test_line_of_a_megabyte(self):
        rows = self.rows("embed", stdin=b"a " * (1 << 19) + b"\nb\n", status=3)
        self.assertIn("48", rows[0]["error"])
        self.assertEqual(rows[1]["tokens"], 3)

    def test_many_lines(self):
        rows = self.rows("embed", stdin="".join("a" * (i % 5) + "\n" for i in range(3000)))
        self.assertEqual([row["index"] for row in rows], list(range(3000)))
        self.assertEqual([row["tokens"] for row in rows], [2 + i % 5 for i in range(3000)])


class JsonLines(Case):
    def test_jsonl_by_name_and_by_option(self):
        path = self.file("texts.jsonl", '{"text": "a"}\n')
        other = self.file("texts.txt", '{"text": "a"}\n')
        self.assertEqual(self.rows("embed", "--input", path)[0]["tokens"], 3)
        self.assertEqual(self.rows("embed", "--input", other, "--input-format", "jsonl")[0]["tokens"], 3)
        self.assertGreater(self.rows("embed", "--input", path, "--input-format", "lines")[0]["tokens"], 3)

    def test_ids_as_they_are(self):
        text = self.rows("tokenize", "--text", "what is")[0]
        line = json.dumps({"ids": text["ids"]})
        by_ids = self.rows("embed", "--input-format", "jsonl", stdin=line)[0]
        by_text = self.rows("embed", "--text", "what is")[0]
        self.assertEqual(by_ids["embedding"], by_text["embedding"])
        self.assertEqual(by_ids["tokens"], len(text["ids"]))

    def test_id_comes_back_as_it_was(self):
        ids = ['"x"', '"\\u00e9\\n"', "7", "-1.50e+3", "123456789012345678901234567890"]
        lines = "".join('{"id": %s , "text": "a"}\n' % spelled for spelled in ids)
        code, out, err = quire("embed", "--input-format", "jsonl", stdin=lines)
        self.assertEqual(code, 0, err)
        for line, spelled in zip(out.decode().splitlines(), ids):
            self.assertIn('"id":%s,' % spelled, line)

    def test_text_with_escapes_and_nul(self):
        row = self.rows("tokenize", "--input-format", "jsonl", stdin='{"text": "a\\u0000 \\u00e9"}')[0]
        self.assertEqual(row["tokens"], ["[CLS]", "a", "e", "[SEP]"])
        self.assertEqual(row["offsets"][1:3], [[0, 1], [3, 5]])

    def test_a_bad_line_fails_its_item_only(self):
        bad = ["", "{", "[1]", '"a"', "{}", '{"text": 1}', '{"text": "a", "ids": [1]}', '{"ids": []}',
               '{"ids": [1.5]}', '{"ids": [-1]}', '{"ids": [99999999999]}', '{"ids": "1"}', '{"ids": [64]}',
               '{"text": "a", "id": {}}', '{"text": "a", "id": 01}', '{"text": "a"} {"text": "b"}',
               '{"text": "a", "text": "b"}', '{"text": "\\ud800"}', '{"text": "\\x"}']
        lines = [line.encode() for line in bad] + [b'{"text": "\xff"}', b'{"text": "a"}']
        rows = self.rows("embed", "--input-format", "jsonl", stdin=b"\n".join(lines), status=3)
        self.assertEqual(len(rows), len(lines))
        for i, row in enumerate(rows[:-1]):
            self.assertIn("error", row, lines[i])
            self.assertNotIn("embedding", row)
            self.assertEqual(row["index"], i)
        self.assertIn("embedding", rows[-1])

    def test_unknown_keys_are_ignored(self):
        self.rows("embed", "--input-format", "jsonl", stdin='{"x": [1, {"text": "b"}], "text": "a", "y": null}')


class Output(Case):
    def test_one_object_per_text(self):
        row = self.rows("embed", "--text", "a")[0]
        self.assertEqual(sorted(row), ["embedding", "index", "tokens", "truncated"])
        self.assertIs(row["truncated"], False)
        self.assertEqual(len(row["embedding"]), 48)

    def test_numbers_read_back_to_the_same_bits(self):
        texts = ["a", "what is deep learning", "x"]
        path = self.folder / "out.npy"
        args = [part for text in texts for part in ("--text", text)]
        rows = self.rows("embed", *args)
        self.rows("embed", *args, "--format", "npy", "--output", path)
        data = path.read_bytes()[128:]
        self.assertEqual(b"".join(float_bits(x) for row in rows for x in row["embedding"]), data)

    def test_npy_to_stdout_equals_the_file(self):
        path = self.folder / "out.npy"
        self.rows("embed", "--text", "a", "--text", "b", "--format", "npy", "--output", path)
        code, out, _ = quire("embed", "--text", "a", "--text", "b", "--format", "npy")
        self.assertEqual(code, 0)
        self.assertEqual(out, path.read_bytes())
        header = out[10:128].decode()
        self.assertEqual(out[:10], b"\x93NUMPY\x01\x00" + struct.pack("<H", 118))
        self.assertEqual(eval(header), {"descr": "<f4", "fortran_order": False, "shape": (2, 48)})
        self.assertEqual(len(out), 128 + 2 * 48 * 4)

    def test_npy_of_nothing(self):
        code, out, _ = quire("embed", "--format", "npy", stdin="")
        self.assertEqual((code, len(out)), (0, 128))
        self.assertIn(b"(0, 48)", out)
        path = self.folder / "none.npy"
        quire("embed", "--format", "npy", "--output", path, stdin="")
        self.assertEqual(path.read_bytes(), out)

    def test_npy_row_of_a_failed_item_is_nan(self):
        code, out, err = quire("embed", "--format", "npy", stdin=b"a\n\xff\nb\n")
        self.assertEqual(code, 3)
        self.assertIn("item 1", err)
        values = struct.unpack("<144f", out[128:])
        self.assertEqual([math.isnan(x) for x in values], [False] * 48 + [True] * 48 + [False] * 48)

    def test_output_file_and_nothing_on_stdout(self):
        path = self.folder / "out.jsonl"
        self.assertEqual(self.rows("embed", "--text", "a", "--output", path), [])
        self.assertEqual(json.loads(path.read_text())["index"], 0)

    def test_a_run_that_cannot_start_leaves_the_file_alone(self):
        path = self.file("out.jsonl", "precious")
        quire("embed", "--text", "a", "--output", path, "--prompt", "nobody")
        quire("embed", "--text", "a", "--output", path, model="/nonexistent")
        self.assertEqual(path.read_text(), "precious")

    def test_results_to_stdout_all_else_to_stderr(self):
        code, out, err = quire("embed", stdin=b"a\n\xff\n")
        self.assertEqual(code, 3)
        self.assertEqual([json.loads(line)["index"] for line in out.splitlines()], [0, 1])
        self.assertIn("1 of 2 items failed", err)
        self.assertEqual(quire("embed", "--text", "a")[2], "")

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_full_disk(self):
        for extra in ([], ["--format", "npy"]):
            code, _, err = quire("embed", "--text", "a", "--output", "/dev/full", *extra)
            self.assertEqual(code, 1)
            self.assertIn("/dev/full", err)

    def test_reader_that_went_away(self):
        command = [quire_program.PROGRAM, "embed", "--model", str(MODEL)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            run.stdout.close()
            _, err = run.communicate(b"a\n" * 200)[0], run.stderr
        self.assertEqual(run.returncode, 1)


class Refusals(Case):
    def test_output_may_not_be_the_input(self):
        path = self.file("io.txt", "a\nb\n")
        for verb in ["embed", "tokenize"]:
            self.refused(verb, "--input", path, "--output", path, status=2, words=["io.txt", "input"])
        with path.open("rb") as source:
            status = subprocess.run([quire_program.PROGRAM, "embed", "--model", str(MODEL), "--output", str(path)],
                                    stdin=source, capture_output=True, timeout=60).returncode
        self.assertEqual(status, 2)
        self.assertEqual(path.read_text(), "a\nb\n")

    def test_numbers_that_are_none(self):
        for option in ["--threads", "--max-length"]:
            for value in ["0", "-1", "x", "1e3", "99999999999999999999"]:
                self.refused("embed", "--text", "a", f"{option}={value}", status=2, words=[option, f'"{value}"'])

    def test_empty_values(self):
        for option in ["--input", "--output", "--level"]:
            self.refused("embed", "--text", "a", option, "", status=2, words=[option, "empty"])

    def test_flags_take_no_value(self):
        for flag in ["--normalize=foo", "--no-normalize=5", "--truncate=7"]:
            self.refused("embed", "--text", "a", flag, status=2, words=["--"])

    def test_tokenize_cuts_where_embed_does(self):
        row = self.rows("tokenize", "--truncate", "--text", "a " * 200)[0]
        self.assertEqual((len(row["ids"]), row["truncated"]), (48, True))


class Choices(Case):
    def vector(self, *args, **more):
        return self.rows("embed", "--text", "what is deep", *args, **more)[0]["embedding"]

    def test_pooling(self):
        names = ["mean", "cls", "max", "first-last"]
        vectors = [tuple(self.vector("--pooling", name)) for name in names]
        self.assertEqual(len(set(vectors)), 4)
        self.assertEqual(tuple(self.vector()), vectors[0])

    def test_pooling_absent_from_the_folder(self):
        model = self.copied_model()
        (model / "modules.json").unlink()
        self.refused("embed", "--text", "a", model=model, status=2, words=["pooling"])
        self.rows("embed", "--text", "a", "--pooling", "cls", model=model)

    def test_normalize_and_not(self):
        length = lambda vector: math.sqrt(sum(x * x for x in vector))
        self.assertAlmostEqual(length(self.vector()), 1, places=5)
        self.assertAlmostEqual(length(self.vector("--normalize")), 1, places=5)
        self.assertGreater(abs(length(self.vector("--no-normalize")) - 1), 0.1)

    def test_prompt(self):
        self.assertEqual(self.vector("--prompt", "query"),
                         self.rows("embed", "--text", "the query is what is deep")[0]["embedding"])
        self.refused("embed", "--text", "a", "--prompt", "nobody", status=2, words=["nobody", "query"])

    def test_too_long_is_an_error_of_the_item_unless_truncate(self):
        text = "a " * 60
        rows = self.rows("embed", "--text", text, "--text", "a", status=3)
        self.assertEqual(sorted(rows[0]), ["error", "index"])
        self.assertIn("62", rows[0]["error"])
        self.assertIn("embedding", rows[1])
        row = self.rows("embed", "--text", text, "--truncate")[0]
        self.assertEqual((row["tokens"], row["truncated"]), (48, True))

    def test_max_length(self):
        row = self.rows("embed", "--text", "a b c d", "--max-length", 4, "--truncate")[0]
        self.assertEqual((row["tokens"], row["truncated"]), (4, True))
        self.assertEqual(self.rows("embed", "--text", "a " * 60, "--max-length", 62)[0]["tokens"], 62)
        self.refused("embed", "--text", "a", "--max-length", 601, status=2, words=["601", "600"])

    def test_threads_give_equal_bits(self):
        one = quire("embed", "--text", "what is deep", "--threads", 1)
        two = quire("embed", "--text", "what is deep", "--threads", 2)
        if two[0] == 2:
            self.skipTest("not run here: " + two[2])
        self.assertEqual(one[1], two[1])

    def test_level(self):
        base = self.vector("--level", "portable")
        for got, want in zip(self.vector(), base):
            self.assertAlmostEqual(got, want, delta=2e-6)
        self.refused("embed", "--text", "a", "--level", "avx1024", status=2, words=["avx1024"])

    def test_level_by_environment(self):
        named = self.vector(environment={"QUIRE_LEVEL": "portable"})
        self.assertEqual(named, self.vector("--level", "portable"))
        self.refused("embed", "--text", "a", environment={"QUIRE_LEVEL": "fast"}, status=2, words=["fast"])

    def test_precision(self):
        self.assertEqual(self.vector("--precision", "f32"), self.vector())
        self.refused("embed", "--text", "a", "--precision", "int4", status=2, words=["f32"])

    def test_wrong_usage(self):
        for args in (["--pooling", "sum"], ["--format", "csv"], ["--threads", "-1"], ["--threads", "x"],
                     ["--max-length", "0"], ["--nonsense"], ["--input-format", "xml"], ["--threads", "99999"]):
            self.refused("embed", "--text", "a", *args, status=2)

    def test_no_verb_is_wrong_usage(self):
        done = subprocess.run([quire_program.PROGRAM], capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        done = subprocess.run([quire_program.PROGRAM, "--help"], capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"embed", done.stdout)

    def test_missing_input_file(self):
        self.refused("embed", "--input", "/nonexistent.txt", status=1, words=["/nonexistent.txt"])
        self.refused("embed", "--input", self.folder, status=1, words=[str(self.folder)])


if __name__ == "__main__":
    quire_program.main()
