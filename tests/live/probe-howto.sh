#!/bin/sh
# SPDX-License-Identifier: MIT
# The examples in docs/howto/probe.md work as shown.
cd "${TOP:-$(dirname "$0")/../..}" || exit 1
[ "$(id -u)" = 0 ] || { echo 'only root may add probes'; exit 77; }
[ -w /sys/kernel/tracing/uprobe_events ] || { echo 'this kernel has no uprobes'; exit 77; }
for tool in cc python3; do
	command -v "$tool" >/dev/null || { echo "$tool is not installed"; exit 77; }
done
perf=${PERF:-build/perf}
exec python3 tests/live/probe-howto.py docs/howto/probe.md "$perf"
