# SPDX-License-Identifier: Apache-2.0
"""Runs the quire program for the tests beside this file: python <test>.py path/to/quire"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ROOT / "tests/golden/bert/gelu_f32"
PROGRAM = ""


def quire(*args, stdin=b"", model=MODEL, **more):
    """(status, stdout, stderr) of `quire VERB --model MODEL ...`; stdout is bytes."""
    verb, *rest = [str(arg) for arg in args]
    if isinstance(stdin, str):
        stdin = stdin.encode()
    environment = {key: value for key, value in os.environ.items() if key != "QUIRE_LEVEL"}
    environment.update(more.pop("environment", {}))
    done = subprocess.run([PROGRAM, verb, "--model", str(model), *rest], input=stdin, capture_output=True,
                          timeout=60, env=environment, **more)
    return done.returncode, done.stdout, done.stderr.decode()


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="quire-test-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def copied_model(self):
        return pathlib.Path(shutil.copytree(MODEL, self.folder / "model"))

    def rows(self, *args, status=0, **more):
        """The objects on stdout, once the exit status has been checked."""
        code, out, err = quire(*args, **more)
        self.assertEqual(code, status, err)
        return [json.loads(line) for line in out.splitlines()]

    def refused(self, *args, status, words=(), **more):
        code, out, err = quire(*args, **more)
        self.assertEqual(code, status, err)
        self.assertEqual(out, b"", "results where there should be none")
        for word in words:
            self.assertIn(word, err)


def main():
    global PROGRAM
    PROGRAM = sys.argv.pop(1)
    unittest.main("__main__", verbosity=1)
