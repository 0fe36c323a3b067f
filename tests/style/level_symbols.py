# SPDX-License-Identifier: Apache-2.0
"""No weak symbol may stand in the libraries of two kernel levels.

The linker keeps one of several equal weak symbols, so a function template or inline function whose name does not carry
the level would run code of one level on behalf of another: an older CPU dies, or a newer one silently runs old code.
The libraries looked at are built without optimisation, where nothing is inlined and every such function shows.

    level_symbols.py LIBRARY...        one static library per level
"""
import re
import sys

import symbols

WEAK = set('WwVvu')
# Each with the reason why it can't hurt.
ALLOWED = [re.compile(pattern) for pattern in [
    r'^DW\.ref\.__gxx_personality_v0$',  # a pointer for the unwinder, no code
    r'^__clang_call_terminate$',  # Clang's own way to std::terminate: two calls, nothing of any level
]]


def shared_weak(tables):
    """{name: [library...]} of the weak symbols that at least two libraries define and the list doesn't allow."""
    owners = {}
    for library, table in tables.items():
        for name in sorted({name for kind, name in table if kind in WEAK}):
            owners.setdefault(name, []).append(library)
    return {name: found for name, found in owners.items()
            if len(found) > 1 and not any(pattern.search(name) for pattern in ALLOWED)}


def prove():
    one = symbols.parse('00000000 W _ZN5quire4loadEv\n00000010 T _ZN5quire4gemmEv\n                 U memcpy\n')
    other = symbols.parse('00000000 W _ZN5quire5storeEv\n00000010 T _ZN5quire4gemmEv\n')
    assert len(one) == 3 and ('W', '_ZN5quire4loadEv') in one
    assert not shared_weak({'a': one, 'b': other})
    assert list(shared_weak({'a': one, 'b': other, 'c': one})) == ['_ZN5quire4loadEv']


if __name__ == '__main__':
    prove()
    read = {library: symbols.read(['--defined-only', library]) for library in sys.argv[1:]}
    for library, table in read.items():
        if not any(kind == 'T' for kind, _ in table):
            sys.exit(f'{library} defines no function: nothing was proved')
    shared = shared_weak(read)
    spelled = symbols.demangle(shared) if shared else {}
    print(f'{len(read)} libraries, {len(shared)} weak symbols shared')
    sys.exit('\n'.join(f'{spelled[name]}\n    in {", ".join(libraries)}' for name, libraries in shared.items()) or 0)
