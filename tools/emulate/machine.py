# SPDX-License-Identifier: Apache-2.0
"""An emulated machine: its memory image, Bochs's configuration, and one run of it.

There is no BIOS, no boot loader and no disk driver. A firmware of our own (firmware.S) reads the kernel and the
initramfs from an emulated ATA disk and enters the kernel by its PVH entry point, as a hypervisor would.
"""
import os
import pathlib
import pty
import select
import struct
import subprocess
import sys
import time

SECTOR, HEADS, SECTORS_PER_TRACK = 512, 16, 63
FIRMWARE_BASE = 0xF0000
CLOCK = 50_000_000  # instructions that the guest takes for a second

# Features taken from the guest kernel because Bochs 2.7 shows them wrongly, by the kernel's numbers:
#   580      FSRM: Bochs lacks MSR 0x1a0, so the kernel drops ERMS but keeps FSRM, and its memmove then overruns
#   515 516  PKU, OSPKE: CPUID 0xD gives no size for PKRU, on which the kernel turns AVX off
#   321 323  XSAVEC, XSAVES: CPUID 0xD.1 EBX is the size of the other format, on which the kernel turns AVX off
#   600      AMX-TILE: without XFD, enabling tile configuration without tile data is a fault
CLEARED_FEATURES = (580, 515, 516, 321, 323, 600)
# Self-checks and set-up of tracing and networks that no test needs: half of the time to boot.
SKIPPED_INITCALLS = (
    'load_system_certificate_list,integrity_load_keys,init_evm,init_ima,inet6_init,ftrace_check_for_weak_functions,'
    'ftrace_check_sync,trace_eval_init,trace_eval_sync,cubictcp_register,bpf_key_sig_kfuncs_init,kfunc_init,'
    'bpf_prog_test_run_init,bpf_tcp_ca_kfunc_init,bpf_mptcp_kfunc_init,init_subsystem,slab_sysfs_init,'
    'init_kprobe_trace,bpf_event_init,bpf_rstat_kfunc_init,tracer_init_tracefs,event_trace_enable_again,'
    'init_blk_tracer,init_graph_tracefs,trace_events_synth_init,init_trace_printk_function_export,stack_trace_init,'
    'btf_vmlinux_init,ext4_init_fs,nvme_core_init,crypto_kdf108_init,crypto_algapi_init')
# The CPU models claim a clock of their own, while Bochs's counts instructions: tsc_early_khz and lpj say so.
KERNEL_COMMAND = (
    f'console=ttyS0 acpi=off pci=off mitigations=off tsc_early_khz={CLOCK // 1000} lpj=200000 no_timer_check '
    'random.trust_cpu=on nowatchdog audit=0 lsm=none 8250.nr_uarts=1 reboot=t panic=-1 noreplace-smp nopku '
    f'cryptomgr.notests loglevel=3 clearcpuid={",".join(map(str, CLEARED_FEATURES))} '
    f'initcall_blacklist={SKIPPED_INITCALLS}')

CONFIGURATION = '''\
display_library: term
romimage: file={folder}/firmware, address=0xffff0000
vgaromimage: file={folder}/vga
megs: {megabytes}
cpu: model={cpu}, count=1, ips={clock}, reset_on_triple_fault=0
clock: sync=none, time0=local
ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
ata0-master: type=disk, path={folder}/disk, mode=flat, cylinders={cylinders}, heads={heads}, spt={sectors}
com1: enabled=1, mode=file, dev={folder}/console
parport1: enabled=1, file={folder}/channel
log: {folder}/log
panic: action=fatal
error: action=ignore
info: action=ignore
debug: action=ignore
boot: disk
'''


class Failure(Exception):
    """The emulator itself failed; says nothing about the program."""


def read_kernel(path):
    """(lowest physical address, flat image, end of memory it uses, PVH entry) of an ELF kernel."""
    elf = pathlib.Path(path).read_bytes()
    headers, = struct.unpack_from('<Q', elf, 32)
    count, = struct.unpack_from('<H', elf, 56)
    segments, entry = [], None
    for index in range(count):
        kind, _, offset, _, physical, in_file, in_memory, _ = struct.unpack_from('<IIQQQQQQ', elf, headers + 56 * index)
        if kind == 1:
            segments.append((physical, offset, in_file, in_memory))
        elif kind == 4:
            entry = entry or pvh_entry(elf[offset:offset + in_file])
    if entry is None:
        raise Failure(f'{path} has no PVH entry')
    base = min(segment[0] for segment in segments)
    image = bytearray(max(segment[0] + segment[2] for segment in segments) - base)
    for physical, offset, in_file, _ in segments:
        image[physical - base:physical - base + in_file] = elf[offset:offset + in_file]
    return base, bytes(image).rstrip(b'\0'), max(segment[0] + segment[3] for segment in segments), entry


def pvh_entry(notes):
    """The entry address among ELF notes: type 18 of owner Xen."""
    at = 0
    while at < len(notes):
        name_size, size, kind = struct.unpack_from('<III', notes, at)
        data = at + 12 + (name_size + 3 & ~3)
        if notes[at + 12:at + 12 + name_size] == b'Xen\0' and kind == 18:
            return int.from_bytes(notes[data:data + size], 'little')
        at = data + (size + 3 & ~3)
    return None


def make_disk(pieces):
    """(disk, table): the disk that holds the pieces [(bytes, destination)], and where the firmware reads what to."""
    disk, table = bytearray(SECTOR), []
    for data, destination in pieces:
        data += b'\0' * (-len(data) % SECTOR)
        for at in range(0, len(data), 65535 * SECTOR):
            chunk = data[at:at + 65535 * SECTOR]
            table.append((len(disk) // SECTOR, len(chunk) // SECTOR, destination + at))
            disk += chunk
    disk += b'\0' * (-len(disk) % (HEADS * SECTORS_PER_TRACK * SECTOR))
    return disk, table


def make_firmware(code, entry, table, initramfs_at, initramfs_size, memory):
    """The firmware with its data: what to read, and the start information of the PVH boot protocol."""
    rom = bytearray(code)
    struct.pack_into('<I', rom, 0x7000, entry)
    for index, row in enumerate(table + [(0, 0, 0)]):
        struct.pack_into('<III', rom, 0x7004 + 12 * index, *row)
    start_info = (0x336ec578, 1, 0, 1, FIRMWARE_BASE + 0x8080, FIRMWARE_BASE + 0x8800, 0, FIRMWARE_BASE + 0x8100, 2, 0)
    struct.pack_into('<IIIIQQQQII', rom, 0x8000, *start_info)
    struct.pack_into('<QQQQ', rom, 0x8080, initramfs_at, initramfs_size, 0, 0)
    struct.pack_into('<QQIIQQII', rom, 0x8100, 0, 0x9f000, 1, 0, 0x100000, memory - 0x100000, 1, 0)
    rom[0x8800:0x8800 + len(KERNEL_COMMAND)] = KERNEL_COMMAND.encode()
    rom[0xffff] = -sum(rom) & 255
    return rom


class Machine:
    """A machine laid out in a folder, ready to be started once."""

    def __init__(self, folder, cpu, megabytes, kernel, firmware, initramfs):
        self.folder, memory = pathlib.Path(folder), megabytes << 20
        base, image, end, entry = read_kernel(kernel)
        initramfs_at = end + 0x1fffff & ~0x1fffff
        # The kernel unpacks the archive, so both stand in memory at once; the rest is for the kernel and the program.
        if initramfs_at + 2 * len(initramfs) + (96 << 20) > memory:
            raise Failure(f'{len(initramfs) >> 20} MB of files need more memory than {megabytes} MB')
        disk, table = make_disk([(image, base), (initramfs, initramfs_at)])
        rom = make_firmware(pathlib.Path(firmware).read_bytes(), entry, table, initramfs_at, len(initramfs), memory)
        vga = bytearray(SECTOR)
        vga[:4] = b'\x55\xaa\x01\xcb'  # a video firmware that returns at once
        vga[-1] = -sum(vga) & 255
        configuration = CONFIGURATION.format(folder=folder, megabytes=megabytes, cpu=cpu, clock=CLOCK, heads=HEADS,
                                             cylinders=len(disk) // (HEADS * SECTORS_PER_TRACK * SECTOR),
                                             sectors=SECTORS_PER_TRACK)
        for name, data in {'disk': disk, 'firmware': rom, 'vga': vga, 'configuration': configuration.encode(),
                           'channel': b'', 'console': b''}.items():
            (self.folder / name).write_bytes(data)

    def run(self, seconds, on_output):
        """Starts the machine and hands (file descriptor, bytes) of output on; returns the program's exit status, or
        124 after the time limit."""
        screen, other_end = pty.openpty()  # the term display needs a terminal; nothing that it writes is used
        bochs = subprocess.Popen(['bochs-bin', '-q', '-f', self.folder / 'configuration', *self._start_at_once()],
                                 cwd=self.folder,
                                 stdin=other_end, stdout=other_end, stderr=other_end, start_new_session=True,
                                 env=dict(os.environ, TERM='xterm'))
        os.close(other_end)
        try:
            return self._follow(bochs, screen, time.monotonic() + seconds, on_output)
        finally:
            bochs.kill()
            bochs.wait()
            os.close(screen)

    def _start_at_once(self):
        """Bochs built with its debugger, as Debian's is, waits for a command before the first instruction."""
        shown = subprocess.run(['bochs-bin', '--help'], stdin=subprocess.DEVNULL, capture_output=True)
        if b'-dbglog' not in shown.stdout + shown.stderr:
            return []
        commands = self.folder / 'commands'
        commands.write_text('continue\n')
        return ['-rc', commands]

    def _follow(self, bochs, screen, deadline, on_output):
        with open(self.folder / 'channel', 'rb') as channel:
            pending = b''
            while True:
                ended = bochs.poll() is not None  # asked before the last look at the channel
                drain(screen)
                pending += channel.read()
                frames, pending = split_frames(pending)
                for kind, data in frames:
                    if kind == b'X':
                        return int(data)
                    if kind in (b'O', b'E'):
                        on_output(1 if kind == b'O' else 2, data)
                if ended:
                    raise Failure('Bochs ended early\n' + self._last_words())
                if time.monotonic() > deadline:
                    return 124

    def _last_words(self):
        texts = [(self.folder / name).read_text(errors='replace')[-800:]
                 for name in ('console', 'log') if (self.folder / name).exists()]
        return '\n'.join(texts)


def drain(screen):
    """Takes what the display wrote, so that Bochs never waits for a reader; sleeps a little when there is nothing."""
    try:
        if select.select([screen], [], [], 0.02)[0]:
            os.read(screen, 65536)
    except OSError:  # the other end is closed: Bochs ended
        time.sleep(0.02)


def split_frames(data):
    """([(type, bytes)...], rest) of the channel's bytes; guest_init.c says how a frame looks."""
    frames = []
    while len(data) >= 3:
        size = data[1] | data[2] << 8
        if len(data) < 3 + size:
            break
        frames.append((data[:1], data[3:3 + size]))
        data = data[3 + size:]
    return frames, data


def write_through(descriptor, data):
    """Hands the program's output to our own standard output or error, unbuffered."""
    stream = sys.stdout.buffer if descriptor == 1 else sys.stderr.buffer
    stream.write(data)
    stream.flush()
