# SPDX-License-Identifier: Apache-2.0
"""What library code may not do: print, end the process, throw, allocate or ask the system behind the back of base/.

Only programs print. Only base/ reads the environment, CPUID, affinity and cgroups. Only base/aligned_memory, over
base/heap, allocates raw memory, and kernels allocate nothing at all.
"""
import re

import style

LIBRARY = ('base', 'kernels', 'loader', 'tokenize', 'engine', 'quire')

CALL = r'(?<![\w.>])(std::)?'
PRINTS = (r'<(iostream|print)>|\bstd::(cout|cerr|clog)\b|\b(stdout|stderr)\b|' +
          CALL + r'(printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|putc|perror)\s*\(')
ENDS = CALL + r'(exit|_exit|_Exit|quick_exit|abort|terminate)\s*\('
THROWS = r'\bthrow\b'
SYSTEM = (r'\b(secure_)?getenv\s*\(|\b__get_cpuid\w*|\b__cpuid\w*|\b__builtin_cpu_\w+|\barch_prctl\b|'
          r'\bsched_[gs]etaffinity\b|\bsysconf\s*\(|\bhardware_concurrency\b')
ALLOCATES = (r'\bmi_\w+\s*\(|\boperator new\b|' +
             CALL + r'(malloc|calloc|realloc|aligned_alloc|posix_memalign)\s*\(')
KERNEL_ALLOCATES = (r'\bnew\b|\bdelete\b(?!\s*;)|\bstd::(make_unique|make_shared)\b|'
                    r'\bstd::(vector|string|map|unordered_map|set|deque|function)\b|'
                    r'<(vector|string|map|unordered_map|set|deque|functional|memory)>')

# (pattern, rooms where it is forbidden, path prefix that is exempt, what to say)
RULES = [(re.compile(pattern), rooms, exempt, message) for pattern, rooms, exempt, message in [
    (PRINTS, LIBRARY, None, 'the library prints'),
    (ENDS, LIBRARY, None, 'the library ends the process'),
    (THROWS, LIBRARY, None, 'the library throws; errors are values'),
    (SYSTEM, LIBRARY + ('cli',), 'base/', 'only base/ asks the system'),
    (ALLOCATES, LIBRARY + ('cli',), ('base/aligned_memory', 'base/heap'), 'only base/ allocates raw memory'),
    (KERNEL_ALLOCATES, ('kernels',), None, 'kernels allocate nothing and keep std containers out'),
]]


def rule(path, text):
    code = style.bare_code(text)
    for pattern, rooms, exempt, message in RULES:
        if style.room(path) not in rooms or (exempt and path.startswith(exempt)):
            continue
        for match in pattern.finditer(code):
            yield style.line_of(code, match.start()), f'{message}: {match.group(0).strip()}'


ACCEPTED = [
    ('engine/model.cc', '// never calls abort() or printf("x")\nstd::snprintf(buffer, size, "printf(%d)", 3);\n'),
    ('engine/model.cc', 'session.exit(); status->abort(); auto n = 1\'000\'000;\n'),
    ('cli/main.cc', '#include <iostream>\nint main() { std::cout << 1; std::exit(3); }\n'),
    ('base/limits.cc', 'const char* cap = std::getenv("QUIRE_LEVEL");\n'),
    ('base/aligned_memory.cc', 'void* p = mi_malloc_aligned(bytes, 64);\n'),
    ('kernels/gemm/gemm.cc', 'Foo(const Foo&) = delete;\nfloat c[6] = {};\n'),
    ('tests/support/data.cc', 'std::getenv("X"); std::cout << 1; throw 1;\n'),
]
REFUSED = [
    ('engine/model.cc', '#include <iostream>\n'),
    ('engine/model.cc', 'std::cerr << "bad";\n'),
    ('loader/weights.cc', 'std::printf("%d", 1);\n'),
    ('loader/weights.cc', 'fprintf(stderr, "x");\n'),
    ('tokenize/bpe.cc', 'abort();\n'),
    ('tokenize/bpe.cc', 'if (x) std::exit(1);\n'),
    ('engine/model.cc', 'throw std::runtime_error("x");\n'),
    ('engine/model.cc', 'auto v = std::getenv("QUIRE_LEVEL");\n'),
    ('cli/main.cc', 'auto v = getenv ("QUIRE_LEVEL");\n'),
    ('kernels/select.cc', 'if (__builtin_cpu_supports("avx2")) {}\n'),
    ('engine/session.cc', 'auto* p = std::malloc(3);\n'),
    ('engine/session.cc', 'auto* p = mi_malloc(3);\n'),
    ('kernels/gemm/gemm.cc', 'std::vector<float> scratch(k);\n'),
    ('kernels/gemm/gemm.cc', '#include <vector>\n'),
    ('kernels/gemm/gemm.cc', 'auto* p = new float[3];\n'),
    ('include/quire/encoder.h', 'inline void f() { throw 1; }\n'),
]

if __name__ == '__main__':
    style.main(rule, ACCEPTED, REFUSED, style.is_cpp)
