# SPDX-License-Identifier: Apache-2.0
"""What an emulated machine is made of, prepared once: the guest kernel, its only program, its firmware.

The kernel comes out of Debian's linux-image-cloud-amd64, which is downloaded and unpacked, never installed.
"""
import fcntl
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CACHE = pathlib.Path(os.environ.get('XDG_CACHE_HOME') or pathlib.Path.home() / '.cache') / 'quire-emulate'
PROGRAMS = {'bochs-bin': 'bochs', 'lz4': 'lz4', 'gcc': 'gcc', 'ld': 'binutils', 'readelf': 'binutils'}
TERM_DISPLAY = 'bochs/plugins/libbx_term_gui.so'
LZ4_LEGACY_MAGIC = b'\x02\x21\x4c\x18'


class Missing(Exception):
    """Something that the emulator needs is not here; the message says what and where it comes from."""


def check_programs():
    packages = {package for program, package in PROGRAMS.items() if not shutil.which(program)}
    if not list(pathlib.Path('/usr/lib').glob(f'*/{TERM_DISPLAY}')):
        packages.add('bochs-term')
    if not list(pathlib.Path('/usr/lib').glob('*/libc.a')):
        packages.add('libc6-dev')
    if packages:
        raise Missing(f'needs the Debian packages {" ".join(sorted(packages))}')


def run(*command, **options):
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, **options)


def kernel_package():
    listing = subprocess.run(['apt-cache', 'depends', 'linux-image-cloud-amd64'], capture_output=True, text=True).stdout
    found = re.search(r'Depends: (linux-image-\S+)', listing)
    if not found:
        raise Missing('linux-image-cloud-amd64 is not in the package lists; apt-get update brings them')
    return found.group(1)


def payload(bzimage):
    """The compressed ELF kernel inside a bzImage, by the two fields of its setup header."""
    offset, size = struct.unpack_from('<II', bzimage, 0x248)
    setup_sectors = bzimage[0x1f1] or 4
    offset += (setup_sectors + 1) * 512
    if bzimage[offset:offset + 4] != LZ4_LEGACY_MAGIC:
        raise Missing('the kernel package is not compressed with LZ4 as that of Debian 12 is')
    return bzimage[offset:offset + size - 4]  # the last four bytes are the unpacked size


def make_kernel(target):
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        scratch.chmod(0o755)  # apt-get downloads as a user of its own
        package = kernel_package()
        try:
            run('apt-get', '-qq', 'download', package, cwd=scratch)
        except subprocess.CalledProcessError:
            raise Missing(f'apt-get could not download {package}') from None
        run('dpkg-deb', '-x', next(scratch.glob('*.deb')), scratch / 'tree')
        (scratch / 'packed').write_bytes(payload(next(scratch.glob('tree/boot/vmlinuz-*')).read_bytes()))
        run('lz4', '-dqf', scratch / 'packed', target)


def make_init(target):
    run('gcc', '-O2', '-static', '-s', '-Wall', '-Wextra', '-Wno-unused-result', '-o', target, HERE / 'guest_init.c')


def make_firmware(target):
    with tempfile.TemporaryDirectory() as scratch:
        run('gcc', '-c', '-m32', '-o', f'{scratch}/firmware.o', HERE / 'firmware.S')
        run('ld', '-m', 'elf_i386', '-Ttext', '0xF0000', '--oformat', 'binary', '-o', target, f'{scratch}/firmware.o')


def prepare():
    """(kernel, init, firmware): paths of the three parts, made where missing or older than their source."""
    check_programs()
    CACHE.mkdir(parents=True, exist_ok=True)
    parts = [(CACHE / 'vmlinux', None, make_kernel),
             (CACHE / 'init', HERE / 'guest_init.c', make_init),
             (CACHE / 'firmware', HERE / 'firmware.S', make_firmware)]
    with open(CACHE / 'lock', 'w') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for path, source, make in parts:
            if not path.exists() or (source and source.stat().st_mtime > path.stat().st_mtime):
                new = path.with_suffix('.new')
                make(new)
                new.rename(path)
    return [path for path, _, _ in parts]
