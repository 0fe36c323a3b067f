# SPDX-License-Identifier: Apache-2.0
"""What the style tests share: the list of files, C++ without comments and strings, and a main program.

A style test is a rule: a function from (path, text) to complaints, together with files that it must accept and files
that it must refuse. The examples are checked at every run, before the project is: a rule that can't fail is a defect.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TEXT_SUFFIXES = {'.h', '.cc', '.py', '.sh', '.md', '.build', '.txt', '.options', '.wrap', '.yml', '.json', '.map', ''}
CPP_SUFFIXES = {'.h', '.cc'}


def project_files():
    """Paths of the project's files relative to the root, as git knows them."""
    command = ['git', '-C', str(ROOT), '-c', f'safe.directory={ROOT}', 'ls-files', '-z', '-co', '--exclude-standard']
    listing = subprocess.run(command, capture_output=True)
    if listing.returncode == 0:
        names = [name for name in listing.stdout.decode().split('\0') if name]
    else:  # an unpacked archive without .git
        skipped = re.compile(r'(^|/)(\.git|\.venv[^/]*|build[^/]*|models|__pycache__)/|'
                             r'^subprojects/(?!packagefiles)[^/]+/')
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob('*') if path.is_file()]
        names = [name for name in names if not skipped.search(name)]
    return sorted(name for name in names if (ROOT / name).is_file())


def is_cpp(path):
    return pathlib.PurePosixPath(path).suffix in CPP_SUFFIXES


def is_text(path):
    return pathlib.PurePosixPath(path).suffix in TEXT_SUFFIXES


def room(path):
    """The top folder; include/quire/ is the room 'quire'."""
    parts = pathlib.PurePosixPath(path).parts
    return parts[1] if parts[0] == 'include' and len(parts) > 2 else parts[0]


_TOKENS = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
_INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def bare_code(text):
    """C++ with comments and the insides of literals blanked; lines stay where they are."""
    def blank(match):
        found = match.group(0)
        # A digit separator (1'000) is no literal.
        if found.startswith("'") and match.start() > 0 and text[match.start() - 1].isalnum():
            return found
        return re.sub(r'[^\n]', ' ', found)
    return _TOKENS.sub(blank, text)


def includes(text):
    """(line, 'quoted' or 'angled', path) of each #include."""
    for match in _INCLUDE.finditer(text):
        kind = 'quoted' if match.group(1) == '"' else 'angled'
        yield line_of(text, match.start(1)), kind, match.group(2)


def line_of(text, offset):
    return text.count('\n', 0, offset) + 1


def prove(rule, accepted, refused):
    """The examples: none of the accepted may raise a complaint, each of the refused must."""
    wrong = [f'{path}: accepted example refused: {message}\n{text}'
             for path, text in accepted for message in rule(path, text)]
    wrong += [f'{path}: bad example accepted:\n{text}' for path, text in refused if not list(rule(path, text))]
    if wrong:
        sys.exit('the rule does not tell its own examples apart:\n' + '\n'.join(wrong))


def main(rule, accepted, refused, wanted=is_text):
    """Proves the rule by its examples, then runs it on each wanted file of the project."""
    prove(rule, accepted, refused)
    paths = [path for path in project_files() if wanted(path)]
    complaints = []
    for path in paths:
        text = (ROOT / path).read_bytes().decode('utf-8', errors='surrogateescape')
        complaints += [f'{path}:{line}: {message}' for line, message in rule(path, text)]
    if not paths:
        complaints.append('no file to look at')
    print(f'{len(paths)} files, {len(refused)} bad examples refused, {len(complaints)} complaints')
    sys.exit('\n'.join(complaints) if complaints else 0)
