# SPDX-License-Identifier: Apache-2.0
"""Text that must not stand in the project: unfinished work, silenced checks, paths of one machine, registry hosts,
compiler flags outside the one file that owns them, flags that change results."""
import re

import style

THIS = 'tests/style/'
FLAGS_OWNER = 'kernels/meson.build'

RULES = [(re.compile(pattern), message) for pattern, message in [
    (r'\b(TODO|FIXME|XXX|HACK)\b', 'unfinished work'),
    (r'\bNOLINT|\bclang-format off\b|\bDISABLED_\w+', 'a silenced check'),
    (r'(?<![\w.~/])/(work|root|home/[a-z]+|tmp)/[a-z]', 'a path of one machine'),
    (r'pypi\.org|files\.pythonhosted|deb\.debian|registry\.npmjs', 'a registry host'),
    (r'-ffast-math|-Ofast|-funsafe-math|-fassociative-math|#pragma\s+(GCC|clang)\s+optimize',
     'a flag that changes results'),
]]
MACHINE_FLAG = re.compile(r'''['"]-m[a-z]''')


def rule(path, text):
    for pattern, message in RULES:
        for match in pattern.finditer(text):
            yield style.line_of(text, match.start()), f'{message}: {match.group(0)}'
    if path.endswith('meson.build') and path != FLAGS_OWNER:
        for match in MACHINE_FLAG.finditer(text):
            yield style.line_of(text, match.start()), f'only {FLAGS_OWNER} knows -m flags'


ACCEPTED = [
    ('docs/a.md', 'See tests/golden/tmp/x and https://example.org/home/x.\n'),
    ('kernels/meson.build', "args = ['-mavx2', '-mno-avx512f']\n"),
    ('meson.build', "args = ['-Wmissing-include-dirs']\n"),
]
REFUSED = [
    ('base/a.cc', '// TODO: later\n'),
    ('base/a.cc', 'int x; // FIXME\n'),
    ('base/a.cc', 'int x; // NOLINT\n'),
    ('base/a_test.cc', 'TEST(A, DISABLED_B) {}\n'),
    ('base/a.cc', 'open("/home/someone/x");\n'),
    ('base/a.cc', 'open("/tmp/x");\n'),
    ('tools/a.py', 'https://pypi.org/simple\n'),
    ('meson.build', "args = ['-ffast-math']\n"),
    ('engine/meson.build', "args = ['-mavx2']\n"),
]

if __name__ == '__main__':
    # The rules quote what they forbid, so this folder does not obey them.
    style.main(rule, ACCEPTED, REFUSED, lambda path: style.is_text(path) and not path.startswith(THIS))
