# SPDX-License-Identifier: Apache-2.0
"""A kernel is a folder: contract header, code, tests and a place in docs/kernels.md, all found by its name."""
import re
import sys

import style


def complaints(paths, kernels_doc):
    """What the kernel folders among `paths` lack."""
    names = sorted({match.group(1) for path in paths if (match := re.match(r'kernels/(\w+)/', path))})
    for name in names:
        if not any(re.fullmatch(rf'kernels/{name}/\w+\.h', path) for path in paths):
            yield f'kernels/{name}/ has no header'
        if not any(re.fullmatch(rf'tests/kernels/(\w*{name}\w*|{name}/\w+)_test\.cc', path) for path in paths):
            yield f'kernels/{name}/ has no test: tests/kernels/*{name}*_test.cc'
        if f'kernels/{name}/' not in kernels_doc and f'`{name}/`' not in kernels_doc:
            yield f'kernels/{name}/ is not named in docs/kernels.md'
    if not names:
        yield 'no kernel folder found'


WHOLE = ['kernels/gemm/gemm_f32.h', 'kernels/gemm/gemm_f32.cc', 'tests/kernels/gemm_f32_test.cc']


def prove():
    doc = 'Here is kernels/gemm/.'
    assert not list(complaints(WHOLE, doc))
    for lost in (WHOLE[0], WHOLE[2]):
        assert list(complaints([path for path in WHOLE if path != lost], doc)), lost
    assert list(complaints(WHOLE, 'Nothing here.'))
    assert list(complaints([], doc))


if __name__ == '__main__':
    prove()
    document = style.ROOT / 'docs/kernels.md'
    found = list(complaints(style.project_files(), document.read_text() if document.exists() else ''))
    sys.exit('\n'.join(found) if found else 0)
