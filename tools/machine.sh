# SPDX-License-Identifier: Apache-2.0
#
# What quickstart, check and .ci/run share: words, Debian packages, a compiler, Meson. Sourced from the project's root.

say() { printf '\n== %s\n' "$*"; }
note() { printf '   %s\n' "$*"; }
fail() {
  printf '\n%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# Debian and Ubuntu are what the scripts know how to prepare; elsewhere the tools must be there already.
know_system() {
  [ "$(uname -s)" = Linux ] || fail "this runs on Linux; found $(uname -s)"
  local name=unknown
  [ ! -r /etc/os-release ] || name=$(. /etc/os-release && printf '%s' "${PRETTY_NAME:-$ID}")
  say "System: $name, $(uname -m), $(nproc) processors"
  command -v apt-get >/dev/null || note "no apt-get here: nothing is installed, the tools must be there already"
}

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
# grep reads to the end: one that stops early would kill apt-cache, and under pipefail that means no.
is_offered() { apt-cache policy "$1" 2>/dev/null | grep 'Candidate: [^(]' >/dev/null; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Installs those of the named Debian packages that are missing. A package that this release does not offer is left out:
# Meson then builds the library from the source that subprojects/*.wrap names, or says what it lacks.
need_packages() {
  command -v apt-get >/dev/null || return 0
  local missing=() offered=() package
  for package in "$@"; do is_installed "$package" || missing+=("$package"); done
  [ ${#missing[@]} -gt 0 ] || { note "Debian packages: all there"; return 0; }
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
    fail "missing: ${missing[*]}
Neither root nor sudo here. As root: apt-get install ${missing[*]}"
  note "installing ${missing[*]}"
  as_root apt-get -qq update || note "apt-get update failed; going on with the package lists that are here"
  for package in "${missing[@]}"; do
    if is_offered "$package"; then offered+=("$package"); else note "not offered by this release: $package"; fi
  done
  [ ${#offered[@]} -gt 0 ] || return 0
  local install=(env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends)
  as_root "${install[@]}" "${offered[@]}" >/dev/null ||
    fail "apt-get could not install: ${offered[*]}
Is the package mirror reachable from here? What apt-get said stands above."
}

# The libraries that the build looks for. cmake is how Meson finds Debian's mimalloc, which has no pkg-config file.
BUILD_PACKAGES=(g++ pkg-config cmake python3 python3-venv
  libxsimd-dev libmimalloc-dev libsimdjson-dev libutf8proc-dev libcli11-dev)

is_recent_gcc() { [ "$("$1" -dumpversion 2>/dev/null | cut -d. -f1)" -ge 12 ] 2>/dev/null; }

# Sets CXX to a GCC of at least 12 unless the caller chose a compiler. Ubuntu 22.04 has 11 by default and offers 12.
choose_compiler() {
  local candidate
  if [ -z "${CXX:-}" ]; then
    for candidate in g++ g++-15 g++-14 g++-13 g++-12; do
      if is_recent_gcc "$candidate"; then CXX=$candidate; break; fi
    done
  fi
  if [ -z "${CXX:-}" ]; then
    need_packages g++-12
    is_recent_gcc g++-12 || fail "no C++20 compiler: GCC 12 or newer, or Clang 16 by CXX=clang++-16, is needed"
    CXX=g++-12
  fi
  export CXX
  note "compiler: $($CXX --version | head -1)"
}

# Sets CXX to the oldest Clang from 16 on that this release offers.
choose_clang() {
  local version
  for version in 16 17 18 19 20 21; do
    if is_installed clang-$version || is_offered clang-$version || command -v clang++-$version >/dev/null; then
      need_packages clang-$version libclang-rt-$version-dev
      CXX=clang++-$version
      return 0
    fi
  done
  fail "no Clang of at least 16 is offered by this release"
}

# Meson and ninja, in a folder of the project's own: distributions differ in age, and pip may not touch the system.
need_meson() {
  if ! .venv/bin/meson --version >/dev/null 2>&1 || ! .venv/bin/ninja --version >/dev/null 2>&1; then
    note "installing Meson and ninja into .venv/"
    python3 -m venv --clear .venv || fail "python3 -m venv failed; on Debian it needs the package python3-venv"
    .venv/bin/pip install --quiet --disable-pip-version-check 'meson>=1.3,<2' 'ninja>=1.11' ||
      fail "pip could not install Meson and ninja; is the Python package index reachable from here?"
  fi
  PATH=$PWD/.venv/bin:$PATH
  note "Meson $(meson --version), ninja $(ninja --version)"
}

# configure DIR OPTION...: sets the build folder up, or brings an old one of the same compiler up to date.
configure() {
  local dir=$1 compiler
  shift
  compiler=$($CXX --version | head -1)
  if [ "$(cat "$dir/compiler" 2>/dev/null)" = "$compiler" ]; then
    ! meson setup --reconfigure "$dir" "$@" >"$dir/setup.log" 2>&1 || return 0
  fi
  rm -rf "$dir"
  mkdir -p "$dir"
  printf '%s\n' "$compiler" >"$dir/compiler"
  meson setup "$dir" "$@" >"$dir/setup.log" 2>&1 && return 0
  tail -n 25 "$dir/setup.log" >&2
  fail "Meson could not set up $dir; the whole log is $dir/setup.log"
}

show_error() { grep -E -m1 -A40 'FAILED|error:' "$1" >&2 || tail -n 40 "$1" >&2; }

compile() {
  local dir=$1
  shift
  note "compiling in $dir/"
  nice ninja -C "$dir" --quiet "$@" >"$dir/compile.log" 2>&1 && return 0
  show_error "$dir/compile.log"
  fail "the build failed; the whole log is $dir/compile.log"
}

MODEL=models/all-MiniLM-L6-v2
