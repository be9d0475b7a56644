#!/bin/sh
# SPDX-License-Identifier: MIT
# Files that are made to cost too much: memory and time stay in proportion to the file.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# The sanitizers take memory of their own.
set --
ldd "$(command -v perf)" | grep -q libasan && set -- -u
exec "$top/tests/live/hostile.py" "$@"
