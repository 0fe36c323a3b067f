# SPDX-License-Identifier: Apache-2.0
"""Every public header compiles alone, with nothing but the public include folder to look in.

    headers_alone.py COMPILER [ARGUMENT...]
"""
import pathlib
import subprocess
import sys
import tempfile

import style

FLAGS = ['-std=c++20', '-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Werror', '-fsyntax-only']


def errors(compiler, include, header):
    """What the compiler says of a file that holds this one #include twice."""
    with tempfile.NamedTemporaryFile('w', suffix='.cc') as source:
        source.write(f'#include "{header}"\n#include "{header}"\n')
        source.flush()
        return subprocess.run([*compiler, *FLAGS, f'-I{include}', source.name], capture_output=True, text=True).stderr


def prove(compiler):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for name, text in {'good.h': '#pragma once\n#include <string>\nstruct A { std::string s; };\n',
                           'needs.h': '#pragma once\nstruct A { std::string s; };\n',
                           'twice.h': 'struct A {};\n',
                           'inner.h': '#pragma once\n#include "base/status.h"\n'}.items():
            (folder / name).write_text(text)
        assert not errors(compiler, folder, 'good.h')
        for bad in ('needs.h', 'twice.h', 'inner.h'):
            assert errors(compiler, folder, bad), bad


if __name__ == '__main__':
    prove(sys.argv[1:])
    public = style.ROOT / 'include'
    headers = sorted(path.relative_to(public) for path in public.rglob('*.h'))
    complaints = [text for header in headers if (text := errors(sys.argv[1:], public, header))]
    print(f'{len(headers)} headers')
    sys.exit('\n'.join(complaints) if complaints else 0 if headers else 'no public header found')
