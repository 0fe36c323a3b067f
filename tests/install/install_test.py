#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs into an empty folder and builds a small program against it with pkg-config's flags alone.

    install_test.py MESON BUILD_DIR COMPILER [ARGUMENT...]
"""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
MODEL = HERE.parent / 'golden' / 'bert' / 'gelu_f32'
TEXT = 'hello world'
MESON, BUILD_DIR, COMPILER = sys.argv[1], sys.argv[2], sys.argv[3:]


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f'{command} ended with status {done.returncode}:\n{done.stdout}{done.stderr}')
    return done.stdout


def bits(vector):
    """The vector as 32-bit floats: nine digits and the program's shortest digits name the same ones."""
    return struct.pack(f'{len(vector)}f', *vector)


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix='quire-install-')
        cls.root = pathlib.Path(cls.scratch.name)
        run(MESON, 'install', '--no-rebuild', '--quiet', '-C', BUILD_DIR, '--destdir', cls.root / 'installed')
        cls.pc = next(cls.root.rglob('quire.pc'))

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def pkg_config(self, *arguments):
        known = os.environ.get('PKG_CONFIG_PATH', '')
        path = f'{self.pc.parent}:{known}' if known else str(self.pc.parent)
        return run('pkg-config', *arguments, 'quire', env=dict(os.environ, PKG_CONFIG_PATH=path)).split()

    def installed(self, name):
        found = [path for path in self.root.rglob(name) if path.is_file()]
        self.assertEqual(len(found), 1, f'{name}: {found}')
        return found[0]

    def build(self, *flags):
        program = self.root / 'consumer'
        run(*COMPILER, '-std=c++20', '-Wall', '-Wextra', '-Wpedantic', '-Werror', '-o', program,
            HERE / 'consumer.cc', *flags)
        return program

    def test_every_public_header_is_installed_and_no_other(self):
        public = {path.name for path in (HERE.parent.parent / 'include' / 'quire').glob('*.h')}
        self.assertEqual({path.name for path in self.root.rglob('*.h')}, public)
        for name in public:
            self.assertEqual(self.installed(name).parent.name, 'quire')

    def test_a_program_built_by_pkg_config_agrees_with_the_installed_quire(self):
        program = self.build(*self.pkg_config('--cflags', '--libs', '--static'))
        vector = [float(line) for line in run(program, MODEL, TEXT).split()]
        quire = self.installed('quire')
        row = json.loads(run(quire, 'embed', '--model', MODEL, '--text', TEXT))
        self.assertGreater(len(vector), 0)
        self.assertEqual(bits(vector), bits(row['embedding']))

    def test_a_missing_model_is_a_value_not_an_end(self):
        program = self.build(*self.pkg_config('--cflags', '--libs', '--static'))
        done = subprocess.run([program, self.root / 'nowhere', TEXT], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn('nowhere', done.stderr)

    def test_version(self):
        self.assertIn(self.pkg_config('--modversion')[0], run(self.installed('quire'), '--version'))


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
