# SPDX-License-Identifier: Apache-2.0
"""The allowed directions between rooms (docs/architecture.md), read off the #include lines.

    base <- kernels  <- engine <- include/quire (implementation) <- cli, bench, tests
    base <- loader   <- engine
    base <- tokenize <- engine/text_encoder only
"""
import re

import style

MAY_INCLUDE = {
    'base': {'base'},
    'kernels': {'kernels', 'base'},
    'loader': {'loader', 'base'},
    'tokenize': {'tokenize', 'base'},
    'engine': {'engine', 'kernels', 'loader', 'base', 'quire'},
    'quire': {'quire'},
    'cli': {'cli', 'quire'},
    'bench': {'bench', 'engine', 'kernels', 'loader', 'tokenize', 'base', 'quire', 'tests'},
    'tests': {'tests', 'cli', 'engine', 'kernels', 'loader', 'tokenize', 'base', 'quire'},
    'tools': {'tools', 'quire'},
}
# docs/decisions/0001: errors are vocabulary; the public header that spells them depends on nothing.
VOCABULARY = {'quire/status.h', 'quire/export.h'}
INTRINSICS = re.compile(r'^(xsimd/.*|\w*intrin\.h|arm_neon\.h|arm_sve\.h|cpuid\.h)$')
CPUID = 'cpuid.h'


def target_allowed(path, target):
    here, there = style.room(path), target.split('/')[0]
    if target in VOCABULARY and here == 'base':
        return True
    if there == 'tokenize' and here == 'engine':
        return path.startswith('engine/text_encoder')
    if target.startswith('kernels/simd/') and here != 'kernels':
        return path.startswith(('tests/kernels/', 'bench/kernels/'))
    return there in MAY_INCLUDE.get(here, set())


def rule(path, text):
    for line, kind, target in style.includes(text):
        if INTRINSICS.match(target):
            owner = 'base' if target == CPUID else 'kernels'
            if style.room(path) != owner:
                yield line, f'only {owner}/ may include {target}'
        elif kind == 'quoted' and '/' not in target:
            yield line, f'"{target}": includes are spelled "room/file.h" from the root'
        elif kind == 'quoted' and not target_allowed(path, target):
            yield line, f'{style.room(path)}/ may not include "{target}"'
        elif path.startswith('include/') and kind == 'angled' and ('/' in target or '.' in target):
            yield line, f'a public header includes the standard library and quire/ only, not <{target}>'


ACCEPTED = [
    ('base/status.h', '#include "quire/status.h"\n#include <string>\n'),
    ('base/cpu_features.cc', '#include <cpuid.h>\n'),
    ('kernels/gemm/gemm_f32.h', '#include "base/matrix_view.h"\n#include "kernels/simd/math.h"\n'),
    ('kernels/simd/batch.h', '#include <xsimd/xsimd.hpp>\n#include <immintrin.h>\n'),
    ('engine/text_encoder.cc', '#include "tokenize/tokenizer.h"\n#include "quire/encoder.h"\n'),
    ('engine/model.cc', '#include "loader/weights.h"\n#include "kernels/gemm/gemm_f32.h"\n'),
    ('tests/kernels/simd_test.cc', '#include "kernels/simd/math.h"\n#include "tests/support/levels.h"\n'),
    ('bench/kernels/peak_impl.h', '#include "kernels/simd/fma.h"\n'),
    ('cli/main.cc', '#include "quire/encoder.h"\n#include "cli/verbs.h"\n#include <CLI/CLI.hpp>\n'),
]
REFUSED = [
    ('base/status.h', '#include "quire/encoder.h"\n'),
    ('base/clock.h', '#include "kernels/kernel_list.h"\n'),
    ('kernels/gemm/gemm.cc', '#include "loader/weights.h"\n'),
    ('kernels/gemm/gemm.cc', '#include "engine/spec.h"\n'),
    ('loader/weights.cc', '#include "kernels/gemm/gemm_f32.h"\n'),
    ('loader/weights.cc', '#include "tokenize/tokenizer.h"\n'),
    ('tokenize/tokenizer.cc', '  #  include "loader/weights.h"\n'),
    ('engine/model.cc', '#include "tokenize/tokenizer.h"\n'),
    ('engine/model.cc', '#include "kernels/simd/math.h"\n'),
    ('engine/model.cc', '#include <xsimd/xsimd.hpp>\n'),
    ('bench/end_to_end/forward_times.cc', '#include "kernels/simd/math.h"\n'),
    ('engine/model.cc', '#include "cli/verbs.h"\n'),
    ('engine/model.cc', '#include "spec.h"\n'),
    ('base/half.cc', '#include <immintrin.h>\n'),
    ('kernels/select.cc', '#include <cpuid.h>\n'),
    ('tests/engine/model_test.cc', '#include "kernels/simd/math.h"\n'),
    ('tests/kernels/gemm_test.cc', '#include <xsimd/xsimd.hpp>\n'),
    ('cli/main.cc', '#include "engine/model.h"\n'),
    ('include/quire/encoder.h', '#include "base/status.h"\n'),
    ('include/quire/encoder.h', '#include <simdjson.h>\n'),
]

if __name__ == '__main__':
    style.main(rule, ACCEPTED, REFUSED, style.is_cpp)
