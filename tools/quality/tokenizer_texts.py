# SPDX-License-Identifier: Apache-2.0
"""The texts that compare_tokenizers.py tries, in named sets. A set is made batch by batch: some are large."""
import os
import random
import unicodedata

CODE_POINTS = 0x110000
BATCH = 1 << 16


def read(*path):
    with open(os.path.join(*path), encoding="utf-8", newline="") as file:
        return file.read()


def llamacpp(data):
    """(text, published ids without special tokens)."""
    folder = os.path.join(data, "token_ids", "llamacpp")
    texts = read(folder, "input.txt").split("\n__ggml_vocab_test__\n")
    lines = read(folder, "bert-bge.out").split("\n")
    return [(text, [int(word) for word in line.split()]) for text, line in zip(texts, lines, strict=True)]


def kitoken(data, name):
    r"""The same. The files hold \n and \s for line end and blank; the ids are cut or padded (by 0) to 512."""
    folder = os.path.join(data, "token_ids", "kitoken")
    texts = read(folder, f"{name}_input.txt").split("\n")[:-1]
    lines = read(folder, f"{name}_tokens_gte.txt").split("\n")[:-1]
    plain = [text.replace("\\n", "\n").replace("\\s", " ") if name == "small" else text for text in texts]
    return [(text, [int(word) for word in line.split(",")]) for text, line in zip(plain, lines, strict=True)]


def lines_of(data, name, count):
    """The first lines that are not empty, as the CLI would read them."""
    return [line for line in read(data, "text", name).splitlines() if line.strip()][:count]


def every_code_point():
    """Alone and between two letters."""
    for begin in range(0, CODE_POINTS, BATCH):
        characters = [chr(c) for c in range(begin, begin + BATCH) if not 0xD800 <= c < 0xE000]
        if characters:
            yield characters
            yield [f"a{c}b" for c in characters]


def every_mark_behind_marks():
    """Characters that decompose or combine, between marks of other combining classes: order and offsets."""
    special = [chr(c) for c in range(CODE_POINTS) if not 0xD800 <= c < 0xE000 and
               (unicodedata.combining(chr(c)) or unicodedata.decomposition(chr(c)))]
    for begin in range(0, len(special), BATCH):
        some = special[begin:begin + BATCH]
        yield [f"x\u0345{c}\u0334\u0301y" for c in some]
        yield [f"{c}\u093c\u0e38{c} \u05b0{c}" for c in some]


WORDS = ["the", "Unaffable", "EMBEDDING", "naïve", "Straße", "don't", "3.14159", "x" * 99, "x" * 100, "x" * 101,
         "é" * 100, "é" * 101, "中文", "漢字かな", "ひらがな", "ザガ", "한국어", "ㄱㄴ", "हिन्दी", "ไทยกำ", "العربية",
         "עִבְרִית", "ΣΟΦΟΣ", "İstanbul", "ﬁne", "①½", "Ⅷ", "😀", "👩‍💻", "🇩🇪", "🏴\U000e0067\U000e0062\U000e007f",
         "\ufffd", "\ufeff", "\u200b", "\u00ad", "\u2028", "\u3000", "\u00a0", "\u0085", "\u000b", "\u0000",
         "\u007f", "\U0002b820", "\U0002b920", "\U0002f800", "##ing", "##", "[unused1]", "[CLS]", "[SEP]",
         "[MASK]", "[PAD]", "[UNK]", "[sep]", "[SEP", "SEP]", "[[MASK]]", "[MASK][MASK]", "e\u0301",
         "a\u0323\u0307", "a\u0307\u0323", "\u0f73\u0f71", "\U0001d15e", "\u1e9b\u0323", "Å", "ǅ", "¿qué?"]
JOINTS = ["", "", " ", " ", "  ", "\t", "\n", "\r\n", "-", ".", "\u0301", "\u0334", "\u200d", "\u3000"]
SCRIPTS = [(0x20, 0x7F), (0x80, 0x250), (0x300, 0x370), (0x370, 0x590), (0x590, 0x800), (0x900, 0xE80), (0xF00, 0x1400),
           (0x1A00, 0x2100), (0x2000, 0x2C00), (0x3000, 0x3400), (0x4E00, 0x5200), (0xAC00, 0xAE00), (0xE000, 0xE010),
           (0xF900, 0xFB50), (0xFE00, 0x10000), (0x10000, 0x11000), (0x1D100, 0x1D200), (0x1F300, 0x1F700),
           (0x2B700, 0x2B930), (0xE0000, 0xE0200)]


def random_text(rng):
    parts = []
    for _ in range(rng.randrange(1, 12)):
        if rng.random() < 0.5:
            parts.append(rng.choice(WORDS))
        else:
            first, last = rng.choice(SCRIPTS)
            parts.append("".join(chr(rng.randrange(first, last)) for _ in range(rng.randrange(1, 6))))
        parts.append(rng.choice(JOINTS))
    return "".join(parts)


def stress(count, seed):
    rng = random.Random(seed)
    for begin in range(0, count, BATCH):
        yield [random_text(rng) for _ in range(min(BATCH, count - begin))]
