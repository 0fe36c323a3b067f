# SPDX-License-Identifier: Apache-2.0
"""What nm says of archives and shared libraries, as data."""
import subprocess


def read(arguments):
    """(type letter, name) of each symbol that `nm ARGUMENTS` lists."""
    listing = subprocess.run(['nm', *arguments], capture_output=True, text=True, check=True).stdout
    return parse(listing)


def parse(listing):
    found = []
    for line in listing.splitlines():
        fields = line.split()  # [address] type name
        if len(fields) >= 2 and len(fields[-2]) == 1:
            found.append((fields[-2], fields[-1].split('@')[0]))
    return found


def demangle(names):
    names = list(names)
    answer = subprocess.run(['c++filt'], input='\n'.join(names), capture_output=True, text=True, check=True).stdout
    return dict(zip(names, answer.splitlines()))
