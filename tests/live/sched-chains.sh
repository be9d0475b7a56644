#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of `perf sched chains`, `queue` and `latency --quantiles` on threads whose times are known.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT

[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }
cc -O2 -o load "$top/tests/live/sched-chains-load.c" -lpthread || exit 1
perf sched record -m 4M -o chains.data ./load >/dev/null 2>err || { cat err; echo 'cannot record'; exit 77; }
perf sched chains -i chains.data --comm chain-c --json >chains.json || exit 1
perf sched latency -i chains.data --quantiles --json >times.json || exit 1
perf sched queue -i chains.data --json >queue.json || exit 1
exec python3 "$top/tests/live/sched-chains.py"
