# SPDX-License-Identifier: Apache-2.0
"""Form of every text file: licence line, no tabs, no trailing blanks, one final newline, width, size."""
import pathlib

import style

SOURCE_SUFFIXES = {'.h', '.cc', '.py', '.sh', '.build', '.options', '.wrap'}
UNLICENSED = {'LICENSE', '.gitignore', 'meson_options.txt'}
WIDTH, LINES, TEST_LINES = 120, 600, 800
# Data that a tool writes or that came from elsewhere is taken as it is.
DATA = ('tests/golden/', 'tests/data/')


def is_program(path, text):
    return pathlib.PurePosixPath(path).suffix in SOURCE_SUFFIXES or text.startswith('#!')


def licence(path, text):
    head = text.split('\n', 2)[:2]
    line = head[1] if head[0].startswith('#!') and len(head) > 1 else head[0]
    if 'SPDX-License-Identifier: Apache-2.0' not in line:
        yield 1, 'the first line (after #!) must be SPDX-License-Identifier: Apache-2.0'


def blanks(text):
    for number, line in enumerate(text.split('\n'), 1):
        if '\t' in line:
            yield number, 'tab'
        if '\r' in line:
            yield number, 'carriage return'
        if line != line.rstrip() and '\r' not in line:
            yield number, 'trailing blank'
    if text and (not text.endswith('\n') or text.endswith('\n\n')):
        yield text.count('\n') + 1, 'the file must end with one newline'


def size(path, text):
    for number, line in enumerate(text.split('\n'), 1):
        if len(line) > WIDTH and '://' not in line:
            yield number, f'{len(line)} columns, at most {WIDTH}'
    limit = TEST_LINES if path.startswith('tests/') else LINES
    if text.count('\n') > limit:
        yield limit, f'{text.count(chr(10))} lines, at most {limit}'


def rule(path, text):
    if path == 'LICENSE' or path.startswith(DATA):
        return
    yield from blanks(text)
    if is_program(path, text):
        if path not in UNLICENSED:
            yield from licence(path, text)
        yield from size(path, text)


SPDX = '// SPDX-License-Identifier: Apache-2.0\n'
ACCEPTED = [
    ('base/a.h', SPDX + '#pragma once\n'),
    ('quickstart', '#!/bin/bash\n# SPDX-License-Identifier: Apache-2.0\n'),
    ('docs/a.md', 'words ' * 50 + 'end\n'),
    ('base/a.cc', SPDX + 'x;\n' * 599),
    ('tests/a.cc', SPDX + 'x;\n' * 799),
]
REFUSED = [
    ('base/a.h', '#pragma once\n'),
    ('base/a.h', '#pragma once\n' + SPDX),
    ('quickstart', '#!/bin/bash\necho\n'),
    ('base/a.h', SPDX + '\tint x;\n'),
    ('docs/a.md', 'x \n'),
    ('docs/a.md', 'x'),
    ('docs/a.md', 'x\n\n'),
    ('docs/a.md', 'x\r\n'),
    ('base/a.h', SPDX + '// ' + 'x' * 118 + '\n'),
    ('base/a.cc', SPDX + 'x;\n' * 600),
    ('tests/a.cc', SPDX + 'x;\n' * 800),
]

if __name__ == '__main__':
    style.main(rule, ACCEPTED, REFUSED)
