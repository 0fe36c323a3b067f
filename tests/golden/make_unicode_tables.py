#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tokenize/unicode_tables.cc: what PyPI `tokenizers` takes each code point for, found by asking it.

usage: make_unicode_tables.py | clang-format-16 --assume-filename=x.cc > tokenize/unicode_tables.cc
"""
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers

CODE_POINTS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
HEAD = '''// SPDX-License-Identifier: Apache-2.0
// Written by tests/golden/make_unicode_tables.py; do not edit.
#include "tokenize/unicode_tables.h"

namespace quire::tokenize {
namespace {
'''


def bert(**on):
    options = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    return normalizers.BertNormalizer(**{**options, **on}).normalize_str


def cleaned():
    clean = bert(clean_text=True)
    return [c for c in CODE_POINTS if clean(chr(c)) == '']


def nonspacing():
    strip, nfd = bert(strip_accents=True), normalizers.NFD().normalize_str
    return [c for c in CODE_POINTS if nfd(chr(c)) == chr(c) and strip(chr(c)) == '']


def punctuation():
    split = pre_tokenizers.BertPreTokenizer().pre_tokenize_str
    return [c for c in CODE_POINTS if len(split(f'a{chr(c)}b')) == 3]


def reorders():
    """Those that change places with a neighbour of the lowest class, 1, or of the highest, 240."""
    nfd = normalizers.NFD().normalize_str
    for c in CODE_POINTS:
        before, behind = chr(c) + '\u0334', '\u0345' + chr(c)
        if nfd(chr(c)) == chr(c) and (nfd(before) != before or nfd(behind) != behind):
            yield c
    yield 0x0334
    yield 0x0345


def word_characters():
    """Those that keep a single_word token from matching beside them."""
    tokenizer = Tokenizer(models.WordPiece({'[UNK]': 0, 'q': 1}, unk_token='[UNK]'))
    tokenizer.add_tokens([AddedToken('q', single_word=True, normalized=False)])
    return [c for c in CODE_POINTS if 1 not in tokenizer.encode(f'{chr(c)}q').ids or chr(c) == 'q']


def ranges(code_points):
    out = []
    for c in sorted(set(code_points)):
        if out and out[-1][1] == c - 1:
            out[-1][1] = c
        else:
            out.append([c, c])
    return out


def write_table(name, entries):
    print(f'\nconstexpr CodePointRange {name}[] = {{')
    line = '   '
    for first, last in entries:
        entry = f' {{0x{first:X}, 0x{last:X}}},'
        if len(line) + len(entry) > 120:
            print(line)
            line = '   '
        line += entry
    print(line.rstrip(',') + '};')


def write_lower():
    lower = normalizers.Lowercase().normalize_str
    pairs = [(c, lower(chr(c))) for c in CODE_POINTS if lower(chr(c)) != chr(c)]
    assert [c for c, low in pairs if len(low) != 1] == [0x130] and lower('\u0130') == 'i\u0307'
    runs = []
    for c, low in pairs:
        if c == 0x130:
            continue
        shift = ord(low) - c
        for step in (1, 2):
            if runs and runs[-1][2] == shift and c - runs[-1][1] == step and runs[-1][3] in (0, step):
                runs[-1][1], runs[-1][3] = c, step
                break
        else:
            runs.append([c, c, shift, 0])
    print('\nconstexpr LowerCaseRange kLowerCase[] = {')
    line = '   '
    for first, last, shift, step in runs:
        entry = f' {{0x{first:X}, 0x{last:X}, {shift}, {max(step, 1)}}},'
        if len(line) + len(entry) > 120:
            print(line)
            line = '   '
        line += entry
    print(line.rstrip(',') + '};')


TABLES = {
    'cleaned': cleaned,
    'nonspacing': nonspacing,
    'punctuation': punctuation,
    'reorders': reorders,
    'word_characters': word_characters,
}


def main():
    print(HEAD, end='')
    names = {}
    for table, find in TABLES.items():
        names[table] = 'k' + ''.join(part.capitalize() for part in table.split('_'))
        write_table(names[table], ranges(find()))
    write_lower()
    print('\n}  // namespace\n')
    for table, name in names.items():
        print(f'std::span<const CodePointRange> {table}_ranges() {{ return {name}; }}')
    print('std::span<const LowerCaseRange> lower_case_ranges() { return kLowerCase; }')
    print('\n}  // namespace quire::tokenize')


if __name__ == '__main__':
    main()
