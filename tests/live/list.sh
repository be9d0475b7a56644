#!/bin/sh
# SPDX-License-Identifier: MIT
# The rows of `perf list` are those of the installed perf, byte for byte, on this machine.
# Metrics and vendors' tables are our own, so they are left out.
reference=/usr/bin/perf
[ -x $reference ] || { echo "there is no $reference to compare with"; exit 77; }
case $($reference --version) in
*' 6.1'*) ;;
*) echo "$reference is not version 6.1"; exit 77 ;;
esac

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# Prints the rows up to the metrics. Vendors' events have no kind in brackets and stand under topics. perf 6.1 knows
# only the times among the tool events.
rows() {
	sed '/^Metric/,$d' | grep '\[[A-Z].* \(event\|descriptor\|breakpoint\)\]$' |
		grep -v '^  \(has_pmem\|num_[a-z_]*\|smt_on\|core_wide\|target_cpu\|slots\|system_tsc_freq\) .*\[Tool event\]$'
}

compare() {
	$reference list "$@" 2>/dev/null | rows >"$work/theirs"
	perf list "$@" 2>/dev/null | rows >"$work/ours"
	cmp -s "$work/theirs" "$work/ours" && return
	echo "perf list $*:"
	diff "$work/theirs" "$work/ours" | head -n 20
	failed=1
}

compare
for selector in hw sw cache pmu tracepoint sdt 'sched:*' 'syscalls:sys_exit_a*' 's?hed:*switch' \
	'sched*' block cycles time cs L1 faults; do
	compare "$selector"
done
compare hw sw
compare block 'irq:*'

for selector in sw hw cache tracepoint 'sched:*'; do
	$reference list --raw-dump "$selector" >"$work/theirs"
	perf list --raw-dump "$selector" >"$work/ours"
	cmp "$work/theirs" "$work/ours" || failed=1
done

# a title above a page, not in a pipe.
if command -v script >/dev/null; then
	PERF_PAGER='head -n 3' TERM=xterm script -qec 'perf list sw' /dev/null >"$work/page"
	grep -q 'List of pre-defined events (to be used in -e' "$work/page" || {
		echo 'no title on a terminal:'
		cat "$work/page"
		failed=1
	}
fi
exit $failed
