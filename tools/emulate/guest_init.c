// SPDX-License-Identifier: Apache-2.0
//
// The only program of the emulated machine's system: mounts what a program expects, runs the one it was given, sends its
// output and its exit status to the host, and turns the machine off. Static, since the machine has no other files.
//
// The channel to the host is the parallel port, which Bochs appends to a file. A frame is a type, a 16-bit length and
// bytes: B booted, O standard output, E standard error, X exit status in decimal digits.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/io.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kData = 0x378, kControl = 0x37a, kShutdown = 0x8900 };

static void put(unsigned char byte) {
  outb(byte, kData);
  outb(0x09, kControl);  // strobe on: the emulated printer takes the byte
  outb(0x08, kControl);
}

static void frame(char type, const void *data, unsigned size) {
  put((unsigned char)type);
  put(size & 255);
  put(size >> 8 & 255);
  for (unsigned i = 0; i < size; i++) put(((const unsigned char *)data)[i]);
}

// A file of NUL-ended strings as an argument vector.
static char **strings(const char *path) {
  enum { kBytes = 65536, kCount = 1024 };
  char *buffer = calloc(1, kBytes), **list = calloc(kCount, sizeof *list);
  int file = open(path, O_RDONLY), size = 0, count = 0;
  for (int got; file >= 0 && (got = read(file, buffer + size, kBytes - 1 - size)) > 0;) size += got;
  for (int at = 0; at < size && count < kCount - 1; at += strlen(buffer + at) + 1) list[count++] = buffer + at;
  return list;
}

static void prepare(void) {
  mkdir("/dev", 0755), mkdir("/proc", 0755), mkdir("/sys", 0755), mkdir("/tmp", 01777), mkdir("/job", 0755);
  mount("dev", "/dev", "devtmpfs", 0, 0);
  // The kernel found no console, so 0, 1 and 2 are free: a file opened later must not become one of them.
  while (open("/dev/null", O_RDWR) < 2) continue;
  ioperm(kData, 3, 1), ioperm(kShutdown, 1, 1);
  outb(0x04, kControl), outb(0x08, kControl);  // reset the printer, then on line
  frame('B', "", 0);
  mount("proc", "/proc", "proc", 0, 0), mount("sys", "/sys", "sysfs", 0, 0);
}

static void run(const int output[2], const int error[2]) {
  char **argv = strings("/emu/argv"), **envp = strings("/emu/env");
  ioperm(kData, 3, 0), ioperm(kShutdown, 1, 0);
  dup2(output[1], 1), dup2(error[1], 2);
  close(output[0]), close(output[1]), close(error[0]), close(error[1]);
  if (chdir("/job") == 0) execve(argv[0], argv, envp);
  dprintf(2, "cannot run %s: %s\n", argv[0], strerror(errno));
  _exit(127);
}

static void forward(int output, int error) {
  static char buffer[16384];
  struct pollfd pipes[2] = {{output, POLLIN, 0}, {error, POLLIN, 0}};
  for (int open_ends = 2; open_ends > 0;) {
    if (poll(pipes, 2, -1) < 0) continue;
    for (int i = 0; i < 2; i++) {
      if (pipes[i].fd < 0 || pipes[i].revents == 0) continue;
      int got = read(pipes[i].fd, buffer, sizeof buffer);
      if (got > 0) {
        frame(i == 0 ? 'O' : 'E', buffer, got);
      } else {
        pipes[i].fd = -1;
        open_ends--;
      }
    }
  }
}

int main(void) {
  prepare();
  int output[2], error[2];
  if (pipe(output) != 0 || pipe(error) != 0) return 1;
  pid_t child = fork();
  if (child == 0) run(output, error);
  close(output[1]), close(error[1]);
  forward(output[0], error[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  char digits[16];
  int size = snprintf(digits, sizeof digits, "%d", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  frame('X', digits, size);
  for (const char *letter = "Shutdown"; *letter; letter++) outb(*letter, kShutdown);  // Bochs ends on this word
  for (;;) pause();
}
