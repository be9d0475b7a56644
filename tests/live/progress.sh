#!/bin/sh
# SPDX-License-Identifier: MIT
# Long work shows a bar on the terminal and erases it; the bar disturbs neither output nor pipes.
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || { echo 'no python3'; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# shellcheck disable=SC2016
load='i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'
perf record -q -g -o perf.data -e cpu-clock -F 9000 -- sh -c "$load" || exit 1
python3 "$here/progress.py"
