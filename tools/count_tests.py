#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts test cases one by one over runs of `meson test` and says which kernel levels ran.

    count_tests.py [--closing|--levels-not-run] BUILD_DIR|TESTLOG.json|RESULTS.xml...

A build folder stands for the newest run of `meson test` in it, a testlog*.json for the run that wrote it; an XML file
is one GoogleTest wrote. With --closing the last line is `N passed, N failed, N skipped`. Exit status 1 when a case
failed or none ran. With --levels-not-run only the levels that this CPU lacks are printed, by the tests' own word.
"""
import argparse
import collections
import dataclasses
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

LEVELS = ['portable', 'avx2', 'avxvnni', 'avx512', 'avx512vnni', 'avx512bf16', 'amx']
LEVEL_IN_NAME = re.compile(r'(?<![a-z0-9])(' + '|'.join(LEVELS) + r')(?![a-z0-9])')
RESULTS = {'OK': 'passed', 'EXPECTEDFAIL': 'passed', 'SKIP': 'skipped'}  # any other word of Meson's is a failure
PROJECT = 'quire'
NOT_RUN = re.compile(r'not run here: ([^\n]*)')


@dataclasses.dataclass
class Case:
    name: str
    result: str       # passed, failed or skipped
    message: str = ''


def gtest_cases(root):
    """The cases of one GoogleTest XML report."""
    for case in root.iter('testcase'):
        name = f'{case.get("classname", "")}.{case.get("name", "")}'
        failure, skipped = case.find('failure'), case.find('skipped')
        if failure is not None:
            yield Case(name, 'failed', failure.get('message', ''))
        elif skipped is not None:
            yield Case(name, 'skipped', skipped.get('message', '') or (skipped.text or ''))
        elif case.get('status') != 'notrun':
            yield Case(name, 'passed')


def program_cases(entry, junit):
    """The cases of one program that Meson ran: GoogleTest's, else the program itself."""
    prefix = f'{PROJECT}.{entry["name"]}.'
    cases = [case for suite in junit.iter('testsuite') if suite.get('name', '').startswith(prefix)
             for case in gtest_cases(suite)]
    ended = RESULTS.get(entry['result'], 'failed')
    if not cases:
        return [Case(entry['name'], ended, (entry.get('stdout', '') + entry.get('stderr', ''))[-400:])]
    # A crash, a leak found at the end or a time limit fails the program though each case it reported may have passed.
    if ended == 'failed' and not any(case.result == 'failed' for case in cases):
        cases.append(Case(entry['name'], 'failed', f'the program ended with status {entry["returncode"]}'))
    return cases


def cases_of(source):
    if source.suffix == '.xml':
        try:
            return list(gtest_cases(xml.parse(source).getroot()))
        except (OSError, xml.ParseError) as problem:  # the program ended before it could report
            return [Case(source.stem, 'failed', f'{source} is no report: {problem}')]
    log = source if source.suffix == '.json' else source / 'meson-logs' / 'testlog.json'
    junit = xml.parse(log.with_suffix('.junit.xml')).getroot()
    entries = [json.loads(line) for line in log.read_text(encoding='utf-8').splitlines()]
    return [case for entry in entries for case in program_cases(entry, junit)]


def levels_not_run(cases):
    """What cases say they did not run for want of a CPU, with the number of such cases."""
    return collections.Counter(match.group(1).strip() for case in cases if case.result == 'skipped'
                               for match in [NOT_RUN.search(case.message)] if match)


def report_levels(cases):
    """Kernel cases by the level in their names, then what was not run for want of a CPU."""
    ran = collections.Counter(match.group(1) for case in cases if case.result != 'skipped'
                              for match in [LEVEL_IN_NAME.search(case.name)] if match)
    print('levels run: ' + (', '.join(f'{level} ({ran[level]} cases)' for level in LEVELS if ran[level]) or 'none'))
    for what, count in sorted(levels_not_run(cases).items()):
        print(f'not run here: {what} ({count} cases)')


def report_rest(cases):
    """Skips with another reason, and failures, by name."""
    for case in cases:
        if case.result == 'skipped' and not NOT_RUN.search(case.message):
            print(f'skipped: {case.name}: {" ".join(case.message.split())[:200]}')
    for case in cases:
        if case.result == 'failed':
            print(f'FAILED: {case.name}: {" ".join(case.message.split())[:400]}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--closing', action='store_true', help='end with the line of counts')
    parser.add_argument('--levels-not-run', action='store_true', help='print only the levels that did not run')
    parser.add_argument('source', nargs='+', type=pathlib.Path)
    options = parser.parse_args()

    cases = [case for source in options.source for case in cases_of(source)]
    if options.levels_not_run:
        lacking = {what.split()[0] for what in levels_not_run(cases)}
        print('\n'.join(level for level in LEVELS if level in lacking))
        return 0
    report_levels(cases)
    report_rest(cases)
    counts = collections.Counter(case.result for case in cases)
    if options.closing:
        print(f'\n{counts["passed"]} passed, {counts["failed"]} failed, {counts["skipped"]} skipped')
    return 1 if counts['failed'] or not counts['passed'] else 0


if __name__ == '__main__':
    sys.exit(main())
