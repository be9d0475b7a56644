#!/bin/sh
# SPDX-License-Identifier: MIT
# Scripts behave like Python programs: Ctrl-C, closed pipes, threads, processes, hostile names, an environment that
# points elsewhere.
perf check -q feature libpython || { echo "this perf was built without Python"; exit 77; }
exec python3 "$TOP/tests/live/python.py"
