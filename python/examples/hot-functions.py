#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the functions with most samples, from columns, with the standard library alone: hot-functions.py [FILE]."""
import collections
import sys

import perf


def main(path="perf.data", most=10):
    table = perf.columns(path, ["symbol", "dso"])
    symbols, dsos = table["symbol"], table["dso"]
    # Codes of names are small numbers, so that counting them needs no text.
    counts = collections.Counter(zip(memoryview(symbols), memoryview(dsos)))
    for (symbol, dso), n in counts.most_common(most):
        print("%6.2f%%  %-40s %s" % (100 * n / len(table), symbols.names[symbol] if symbol >= 0 else "?",
                                     dsos.names[dso] if dso >= 0 else "?"))
    for note in table.notes:
        print("note:", note, file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
