# SPDX-License-Identifier: Apache-2.0
"""What the built library calls and what it shows.

    library_symbols.py calls LIBRARY...    our own objects never print nor end the process
    library_symbols.py exports SHARED      the library shows the public API and nothing else
"""
import re
import sys

import symbols

PRINTS = {'printf', 'fprintf', 'vprintf', 'vfprintf', 'puts', 'fputs', 'putchar', 'putc', 'perror', 'stdout', 'stderr',
          '__printf_chk', '__fprintf_chk', '__vprintf_chk', '__vfprintf_chk', '_ZSt4cout', '_ZSt4cerr', '_ZSt4clog'}
ENDS = {'exit', '_exit', '_Exit', 'quick_exit', 'abort'}
# What the linker adds to every shared library, and instantiations of std templates, which libstdc++ declares visible.
NOT_OURS = re.compile(r'^(_init|_fini|__bss_start|_edata|_end)$|^[\w:<>,*& ]+ std::|__gnu_cxx::|'
                      r'^(guard variable for |typeinfo (name )?for |vtable for )?std::')
PUBLIC = re.compile(r'^(typeinfo (name )?for |vtable for )?(\w[\w:<>,*& ]* )?quire::(?!(kernels|simd|detail)::)')


def bad_calls(table):
    return sorted({name for kind, name in table if kind == 'U' and name in PRINTS | ENDS})


def bad_exports(names):
    """Of demangled names: those that are neither the API nor the toolchain's."""
    return sorted(name for name in names if not PUBLIC.search(name) and not NOT_OURS.search(name))


def prove():
    fine = symbols.parse('                 U memcpy\n                 U snprintf\n0000000000000000 T exit\n')
    assert not bad_calls(fine)
    for name in ('printf', 'abort', 'exit', '_ZSt4cout', '__fprintf_chk'):
        assert bad_calls(symbols.parse(f'                 U {name}\n')) == [name]
    assert symbols.parse('                 U exit@GLIBC_2.2.5\n') == [('U', 'exit')]
    assert not bad_exports(['quire::TextEncoder::load(std::string const&)', '_init',
                            'std::vector<int, std::allocator<int> >::~vector()'])
    for name in ('helper(int)', 'quire::kernels::gemm(int)', 'simdjson::error_message(int)', 'main'):
        assert bad_exports([name]) == [name], name


def calls(libraries):
    found = {library: names for library in libraries if (names := bad_calls(symbols.read([library])))}
    return [f'{library} refers to {", ".join(names)}' for library, names in found.items()]


def exports(shared):
    table = symbols.read(['-D', '--defined-only', shared])
    names = symbols.demangle(name for _, name in table)
    if not any(PUBLIC.search(name) for name in names.values()):
        return [f'{shared} shows nothing of the API']
    return [f'{shared} shows {name}' for name in bad_exports(names.values())]


if __name__ == '__main__':
    prove()
    complaints = calls(sys.argv[2:]) if sys.argv[1] == 'calls' else exports(sys.argv[2])
    sys.exit('\n'.join(complaints) if complaints else 0)
