#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/golden/tokenize/<name>/{tokenizer.json,cases.jsonl}: small tokenizers and what PyPI `tokenizers` makes of
hand-picked texts. tests/tokenize/golden_test.cc compares.

usage: make_tokenizer_golden.py [FOLDER]

A case: text, pair (where there is one), special (special tokens added, default true), match (special tokens found in
texts, default true), max (truncation), truncated; ids, types, offsets in bytes, sequences (-1: special token).
"""
import itertools
import json
import pathlib
import sys

from tokenizers import Tokenizer

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
WORDS = ["hello", "world", "un", "##aff", "##able", "##ing", "embed", "##ding", "the", "##e", "cafe", "naive", "ab", "abc",
         "##cd", "##bcd", "a-b", "中", "文", "漢", "##字", "か", "##な", "ㄱ", "ᄒ", "##ᅡ", "##ᆫ", "σ", "##σ", "ο", "##ο", "φ", "##φ",
         "ß", "##ß", "é", "##é", "É", "##É", "ï", "##ï", "İ", "##İ", "##\u0307", "\u0307", "ǆ", "ǅ", "я", "##я", "Я", "ж", "##ж",
         "ก", "##ำ", "ह", "##ि", "##न", "😀", "##😀", "\u200d", "##\u200d", "\u0301", "##\u0301", "##\u0323", "\u2b82",
         "\U0002b820", "\U0002b920", "#", "##", "[", "]", ".", ",", "!", "?", "-", "'", "\"", "/", "\\", "¿", "。", "€",
         "##€", "\x01", "##\x01", "\x00", "Hello", "WORLD", "H", "##W", "hello world", " ", "\n", "fi", "ﬁ", "①", "½"]
BERT_SPECIAL = {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]},
                "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}


def piece(name, type_id=0):
    return {"Sequence" if name in "AB" else "SpecialToken": {"id": name, "type_id": type_id}}


BERT_TEMPLATE = {"type": "TemplateProcessing", "single": [piece("[CLS]"), piece("A"), piece("[SEP]")],
                 "pair": [piece("[CLS]"), piece("A"), piece("[SEP]"), piece("B", 1), piece("[SEP]", 1)],
                 "special_tokens": BERT_SPECIAL}


def added(token_id, content, special=False, **flags):
    return {"id": token_id, "content": content, "single_word": False, "lstrip": False, "rstrip": False,
            "normalized": not special, "special": special, **flags}


def normalizer(clean, chinese, strip, lower):
    return {"type": "BertNormalizer", "clean_text": clean, "handle_chinese_chars": chinese, "strip_accents": strip,
            "lowercase": lower}


def tokenizer(**changes):
    vocabulary = dict.fromkeys(SPECIAL + list(LETTERS) + ["##" + c for c in LETTERS] + WORDS)
    prefix = changes.pop("prefix", "##")
    words = [prefix + word[2:] if word.startswith("##") and word != "##" else word for word in vocabulary]
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": prefix,
             "max_input_chars_per_word": changes.pop("longest", 20),
             "vocab": {word: i for i, word in enumerate(dict.fromkeys(words))}}
    return {"version": "1.0", "truncation": None, "padding": None,
            "added_tokens": [added(i, word, special=True) for i, word in enumerate(SPECIAL)],
            "normalizer": normalizer(True, True, None, True), "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": BERT_TEMPLATE, "decoder": None, "model": model, **changes}


MORE_ADDED = [
    added(0, "[PAD]", special=True), added(1, "[UNK]", special=True), added(2, "[CLS]", special=True),
    added(3, "[SEP]", special=True), added(4, "[MASK]", special=True, lstrip=True),
    added(900, "<r>", rstrip=True, normalized=False), added(901, "<lr>", lstrip=True, rstrip=True, normalized=False),
    added(902, "word", single_word=True, normalized=False), added(903, "NORM"), added(904, "Ünï"),
    added(905, "both", single_word=True, lstrip=True, rstrip=True), added(906, "<a"), added(907, "<a>", normalized=False),
    added(908, "<a>b", normalized=False), added(3, "hello", normalized=False), added(909, "中中"),
    added(910, "<s>", special=True, normalized=True), added(911, "é", normalized=False, single_word=True)]
ODD_TEMPLATE = {
    "type": "TemplateProcessing", "single": [piece("A", 3), piece("<two>", 7)],
    "pair": [piece("<two>", 5), piece("B", 2), piece("[SEP]", 4), piece("A", 1), piece("<two>")],
    "special_tokens": {"<two>": {"id": "<two>", "ids": [4, 2], "tokens": ["[MASK]", "[CLS]"]},
                       "[SEP]": BERT_SPECIAL["[SEP]"]}}
BERT_PROCESSING = {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]}
TOKENIZERS = {
    "uncased": tokenizer(),
    "cased": tokenizer(normalizer=normalizer(True, False, False, False), post_processor=BERT_PROCESSING),
    "lower_only": tokenizer(normalizer=normalizer(False, True, False, True), prefix="@@"),
    "strip_only": tokenizer(normalizer=normalizer(True, True, True, False), post_processor=ODD_TEMPLATE),
    "added": tokenizer(added_tokens=MORE_ADDED),
    "added_cased": tokenizer(added_tokens=MORE_ADDED, normalizer=normalizer(False, False, False, False)),
    "bare": tokenizer(normalizer=None, pre_tokenizer=None, post_processor=None, prefix="", longest=5),
    "stored": tokenizer(
        truncation={"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0},
        padding={"strategy": {"Fixed": 12}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0,
                 "pad_type_id": 0, "pad_token": "[PAD]"}),
}

TEXTS = [
    "", " ", "\t\n\r\n ", "a", "hello", "Hello, World!", "  hello   world  ", "unaffable", "UNAFFABLE", "embedding the cafe",
    "abcd", "abcdx", "abc-abc", "a-b", "ab cd", "hello\tworld\nhello\rworld", "don't", "3.14", "a/b\\c", "[", "##ing", "## #",
    "x" * 20, "x" * 21, "é" * 20, "é" * 21, "e\u0301" * 10, "e\u0301" * 11, "中" * 21, "hello€", "€hello", "hello ☃ world",
    "café", "CAFÉ", "cafe\u0301", "CAFE\u0301", "naïve NAÏVE", "Straße STRASSE", "ÅÄÖ åäö", "ñ n\u0303", "Ǆ ǅ ǆ", "ΣΟΦΟΣ σοφος",
    "İstanbul", "İİ", "I\u0307", "ıI", "ЯЖ яж й й", "ﬁne", "①½Ⅷ", "中文", "中 文", "a中b", "漢字かな", "かな漢字", "ザガ パ", "ザ",
    "한국", "ㄱㄴ", "ᄒ\u1161\u11ab", "ก\u0e33", "กำ", "हिन्दी", "العربية", "עִבְרִית", "שׁ שׂ", "ẛ\u0323", "ự ử",
    "😀", "a😀b", "👩\u200d💻", "🇩🇪", "\u3400\u4dbf\u4e00\u9fff", "\uf900\ufaff", "\U00020000\U0002a6df",
    "\U0002b81f\U0002b820\U0002b91f\U0002b920x", "\U0002ceaf\U0002ceb0", "\U0002f800\U0002fa1f", "\u3005\u3006\u3007",
    "\u0000", "a\u0000b", "a\ufffdb", "a\u0001b", "a\u007fb", "a\u0085b", "a\u000bb\u000cc", "a\u00a0b", "a\u00adb",
    "a\u200bb", "a\u200db", "a\u2028b\u2029c", "a\u3000b", "\ufeffhello", "hello\ufeff", "a\ue000b", "a\U000f0000b",
    "a\U000e0041b", "a\u0378b", "a\u2060b", "a\u061cb", "a\u180eb", "a\u1680b", "a\u202fb",
    "\u0301", "\u0301a", " \u0301", "a\u0301\u0323", "a\u0323\u0301", "q\u0323\u0307", "q\u0307\u0323", "\u0344", "\u0f73",
    "\u0f71\u0f72", "a\u0345\u0334b", "a\u0334\u0345b", "\u1e69\u0323", "s\u0307\u0323", "\U0001d15e", "\U000110ab",
    "\u0958", "a\u08d4b", "a\u1dfbb", "a\u20ddb", "a\u0903b", "\u0301\u0301\u0301", "가\u11a8", "a" + "\u0301" * 40 + "b",
    "a.b,c!d?e", "¿qué?", "€5 ×3 °C ™", "“quoted”—dash…", "。、「中」", "،؟", "$+<=>^`|~", "a\u2e2eb", "a_b", "a\u2010b",
    "[CLS]", "[SEP]", "hello[SEP]world", "hello [SEP] world", "[CLS] a [SEP] b [SEP]", "[MASK]", "a [MASK] b", "a \t[MASK]\n b",
    "[MASK][MASK]", " [MASK] [MASK] ", "[mask]", "[SEP", "SEP]", "[[SEP]]", "[UNK] [PAD]", "[CLS\u200b]", "[ＣＬＳ]",
]
ADDED_TEXTS = [
    "<r>", "a <r> b", "a <r>  \t\u3000b", "<r><r> <r> ", "<lr>", "a  <lr>  b", "<lr> <lr>  <lr>", "  <lr>[MASK]  [MASK]<lr>",
    "a  [MASK]", "\u3000[MASK]", "a\u0085 [MASK]", "a<r> [MASK]b", "word", "a word b", "words", "sword", "word-word", "wordword",
    "word word", "_word", "word_", "éword", "word\u0301", "中word", "word中", "1word", "word.", "word\u200d", "(word)", "NORM",
    "norm", "aNORMb", "anormb", "N\u00adORM", "NÓRM", "Ünï", "uni", "UNI", "un", "U\u0308ni", "ünïün", "both", "BOTH", "a both b",
    "a  BOTH\t b", "bothboth", "ab both.", "<a", "<a>", "<a>b", "<a>c", "<a<a>", "<A>", "<A>b", "hello", "ahellob", "HELLO",
    "中中", "中中中", "中 中", "a中中b", "<s>", "<S>", "a<s>b", "< s>", "é", "aé", "é é", "éé", "e\u0301", "<r>\u0000<r>",
    "<r> \u0000 b", "[SEP]<s>NORM", " both  both ", "[MASK] both", "both [MASK]", "<lr> both <lr>", "<r> hello", "word<r> word",
]
PAIRS = [("hello", "world"), ("", ""), ("hello", ""), ("", "hello"), ("a b c d e f g h", "a b"), ("a b", "a b c d e f g h"),
         ("中文", "é [SEP] 😀"), ("a\u0000b ", " [MASK]"), ("unaffable", "embedding unaffable embedding")]


def byte_starts(text):
    return [0, *itertools.accumulate(len(character.encode()) for character in text)]


def answer(peer, text, pair, special):
    encoding = peer.encode(text, pair, add_special_tokens=special)
    sequences = [-1 if s is None else s for s in encoding.sequence_ids]
    starts = [byte_starts(text), byte_starts(pair or ""), [0]]  # the last one for -1: special tokens have (0, 0)
    return {"ids": encoding.ids, "types": encoding.type_ids, "sequences": sequences,
            "offsets": [[starts[s][begin], starts[s][end]] for s, (begin, end) in zip(sequences, encoding.offsets)]}


def case(peer, text, pair=None, special=True, match=True, limit=None):
    peer.no_truncation()
    peer.encode_special_tokens = not match
    whole = len(peer.encode(text, pair, add_special_tokens=special).ids)
    if limit:
        peer.enable_truncation(limit)
    head = {"text": text, "pair": pair, "special": None if special else False, "match": None if match else False,
            "max": limit, "truncated": True if limit and whole > limit else None}
    return {**{key: value for key, value in head.items() if value is not None}, **answer(peer, text, pair, special)}


def cases(name, peer):
    texts = TEXTS + ADDED_TEXTS if name.startswith("added") else TEXTS[:20] if name == "stored" else TEXTS
    for text in texts:
        yield case(peer, text)
    for text in ["hello[SEP]world", "a [MASK] b", "[CLS]", "<s> word <r>"]:
        yield case(peer, text, match=False)
    for (first, second), special in itertools.product(PAIRS, [True, False]):
        yield case(peer, first, second, special=special)
    yield case(peer, "hello", special=False)
    added_tokens = peer.num_special_tokens_to_add(True)
    lengths = [(0, 5), (5, 0), (1, 6), (6, 1), (2, 7), (7, 2), (3, 4), (4, 3), (4, 4), (5, 5), (7, 7)]
    for (first, second), room in itertools.product(lengths if name in ("uncased", "strip_only") else [], range(11)):
        if room + added_tokens > 0:
            yield case(peer, " ".join(LETTERS[:first]), " ".join(LETTERS[10:10 + second]), limit=room + added_tokens)
    for limit in range(max(1, peer.num_special_tokens_to_add(False)), 9):
        yield case(peer, "hello unaffable world", limit=limit)


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "tokenize")
    for name, description in TOKENIZERS.items():
        text = json.dumps(description, ensure_ascii=False, separators=(",", ":"))
        peer = Tokenizer.from_str(text)
        peer.no_padding()
        target = folder / name
        target.mkdir(parents=True, exist_ok=True)
        (target / "tokenizer.json").write_text(text + "\n", encoding="utf-8")
        lines = [json.dumps(one, ensure_ascii=True, separators=(",", ":")) for one in cases(name, peer)]
        (target / "cases.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{name}: {len(lines)} cases")


if __name__ == "__main__":
    main()
