#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares our parser of filters with the running kernel's.
cd "$(dirname "$0")/../.." || exit 1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

command -v "${CC:-cc}" >/dev/null || { echo 'no C compiler'; exit 77; }
"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -O1 -w -Isrc -o "$dir/oracle" tests/live/filter-oracle.c \
	src/event/filter*.c src/tracepoint/format.c src/kernel/tracefs.c \
	src/kernel/mounts.c src/kernel/perf-event.c src/base/*.c -lm || exit 1
"$dir/oracle" <tests/live/filter.tsv
