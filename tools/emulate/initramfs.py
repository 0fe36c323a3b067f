# SPDX-License-Identifier: Apache-2.0
"""The emulated machine's files as one newc cpio archive: a program, the libraries it loads, and files beside it."""
import os
import pathlib
import re
import subprocess


class Initramfs:
    def __init__(self):
        self.entries = {}  # path without the leading slash: (mode, bytes)
        self.library_folders = []

    def add_folder(self, path):
        path = path.strip('/')
        if path and path not in self.entries:
            self.add_folder(os.path.dirname(path))
            self.entries[path] = (0o40755, b'')

    def add_bytes(self, path, data, mode=0o644):
        self.add_folder(os.path.dirname(path))
        self.entries[path.strip('/')] = (0o100000 | mode, data)

    def add_program(self, path, source):
        """A file that can be run, together with the libraries that it loads, at the paths they have here."""
        self.add_bytes(path, pathlib.Path(source).read_bytes(), 0o755)
        listing = subprocess.run(['ldd', source], capture_output=True, text=True).stdout
        lost = re.findall(r'(\S+) => not found', listing)
        if lost:
            raise FileNotFoundError(f'{source} needs {", ".join(lost)}, which is not here')
        for library in re.findall(r'(/\S+) \(0x', listing):
            self.add_bytes(library, pathlib.Path(library).read_bytes(), 0o755)
            if os.path.dirname(library) not in self.library_folders:
                self.library_folders.append(os.path.dirname(library))

    def add_tree(self, path, source):
        for file in sorted(pathlib.Path(source).rglob('*')):
            if file.is_file():
                inner = f'{path}/{file.relative_to(source)}'
                if os.access(file, os.X_OK) and file.read_bytes()[:4] == b'\x7fELF':
                    self.add_program(inner, file)
                else:
                    self.add_bytes(inner, file.read_bytes(), file.stat().st_mode & 0o777)

    def archive(self):
        return b''.join([newc(number, path, mode, data)
                         for number, (path, (mode, data)) in enumerate(self.entries.items(), 1)]
                        + [newc(0, 'TRAILER!!!', 0, b'')])


def newc(number, path, mode, data):
    """One entry: header of 8-digit hexadecimal fields, name, bytes; name and bytes end on multiples of four."""
    name = os.fsencode(path) + b'\0'
    fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name), 0)
    head = b'070701' + b''.join(b'%08X' % field for field in fields) + name
    return head + b'\0' * (-len(head) % 4) + data + b'\0' * (-len(data) % 4)
