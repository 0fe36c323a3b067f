#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Coefficients of the polynomials in kernels/simd/math.h, by weighted minimax fits in double precision.

    fit.py            print the coefficients and what each fit is off by
    fit.py --check    hold the coefficients in kernels/simd/math.h against the fits; status 1 when one is worse

A fit is least squares on Chebyshev nodes, weighted anew by its own error until the error is level (C. L. Lawson 1961;
the weights tend to those of the minimax polynomial). Coefficients become floats one by one, the lowest power first,
each followed by a new fit of those that are left, so that the later ones make up for the rounding of the earlier ones.
Needs numpy.
"""
import argparse
import dataclasses
import math
import pathlib
import re
import sys

import numpy as np

NODES, ROUNDS = 800, 60
MATH_H = pathlib.Path(__file__).resolve().parents[2] / 'kernels/simd/math.h'


@dataclasses.dataclass
class Fit:
    """The polynomial of `count` coefficients, the first ones given, with small |weight * (target - polynomial)|."""
    name: str             # of the array in math.h
    error: str            # what weight * (target - polynomial) is
    variable: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    count: int
    given: tuple = ()

    def off_by(self, coefficients):
        return np.abs(self.weight * (self.target - np.polynomial.polynomial.polyval(self.variable, coefficients)))

    def level(self, fixed):
        """All coefficients as doubles, those in `fixed` as they are."""
        powers = np.vander(self.variable, self.count, increasing=True)
        free, known = powers[:, len(fixed):], powers[:, :len(fixed)] @ np.array(fixed, float)
        best, emphasis = None, np.ones(len(self.variable))
        for _ in range(ROUNDS):
            scale = np.sqrt(emphasis) * self.weight
            rest = np.linalg.lstsq(free * scale[:, None], (self.target - known) * scale, rcond=None)[0]
            coefficients = np.array([*fixed, *rest])
            off = self.off_by(coefficients)
            if best is None or off.max() < self.off_by(best).max():
                best = coefficients
            emphasis = emphasis * (off / off.max() + 1e-6)
            emphasis /= emphasis.max()
        return best

    def floats(self):
        fixed = list(self.given)
        while len(fixed) < self.count:
            fixed.append(float(np.float32(self.level(fixed)[len(fixed)])))
        return fixed


def chebyshev(low, high):
    return (low + high) / 2 + (high - low) / 2 * np.cos((np.arange(NODES) + 0.5) * math.pi / NODES)


def exp_fit():
    """exp(r) on |r| <= ln 2 / 2, a little more for n that is rounded the other way. 1 + r is exact."""
    r = chebyshev(-1.001 * math.log(2) / 2, 1.001 * math.log(2) / 2)
    return Fit('kExp', 'relative error of exp(r)', r, np.exp(r), np.exp(-r), 7, (1.0, 1.0))


def tanh_fit():
    """(tanh(x) - x) / x^3 as a polynomial in z = x^2, |x| < 0.625."""
    x = chebyshev(0, 0.625).astype(np.longdouble)
    target = ((np.tanh(x) - x) / x**3).astype(float)
    x = x.astype(float)
    return Fit('kSmall', 'relative error of tanh(x)', x * x, target, x**3 / np.tanh(x), 5)


def erf_fit():
    """erf(x / sqrt 2) / x as a polynomial in t = 2 x^2 / 5.5^2 - 1, |x| <= 5.5."""
    t = chebyshev(-1, 1)
    x = 5.5 * np.sqrt((t + 1) / 2)
    erf = np.array([math.erf(value / math.sqrt(2)) for value in x])
    return Fit('kQ', 'absolute error of erf(x / sqrt 2)', t, erf / x, x, 16)


def in_source(name):
    """The array `name` of math.h."""
    body = re.search(rf'float {name}\[\] = \{{([^}}]*)\}}', MATH_H.read_text(encoding='utf-8')).group(1)
    numbers = [text.strip().rstrip('f') for text in body.split(',')]
    return [float(np.float32(float.fromhex(text) if 'x' in text else float(text))) for text in numbers]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--check', action='store_true')
    options = parser.parse_args()
    worse = 0
    for fit in (exp_fit(), tanh_fit(), erf_fit()):
        floats = fit.floats()
        print(f'{fit.name}: {fit.error} at most {fit.off_by(floats).max():.3g}')
        if options.check:
            here = fit.off_by(in_source(fit.name)).max()
            print(f'  {MATH_H.name}: {here:.3g}')
            worse += here > 1.05 * fit.off_by(floats).max()
        else:
            print('  ' + ', '.join(f'{value.hex()}f' for value in floats))
            print('  ' + ', '.join(f'{value:.9e}f' for value in floats))
    return 1 if worse else 0


if __name__ == '__main__':
    sys.exit(main())
