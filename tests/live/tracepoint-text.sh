#!/bin/bash
# SPDX-License-Identifier: MIT
# Compares the texts of tracepoints with the kernel's own: every print fmt of the running kernel is understood, except
# those that write into the trace by themselves (kvmmmu:* of x86_64), and for the same records our texts equal the
# kernel's.
#
# Left out are values that no record contains: struct page addresses, strings that are only pointed to (maple_tree),
# enumerators that the kernel left unresolved in a format; and syscalls:*, which the kernel does not print by its
# formats. It writes pointers without 0x and functions with their sizes.
cd "$(dirname "$0")/../.." || exit 1
command -v "${CC:-cc}" >/dev/null || { echo 'no C compiler'; exit 77; }
[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }

work=$(mktemp -d) || exit 1
tracefs=/sys/kernel/tracing
instance=$tracefs/instances/perf-test-$$
trap 'rm -rf "$work"; rmdir "$instance" 2>/dev/null' EXIT
mkdir "$instance" 2>/dev/null || { echo 'tracefs has no instances here'; exit 77; }
[ -e "$instance/options/hash-ptr" ] || { echo 'the kernel hides pointers (before 5.12)'; exit 77; }

"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -O1 -w -Isrc -o "$work/ours" tests/live/tracepoint-text.c \
	src/tracepoint/*.c src/base/*.c -lm || exit 1

record() {
	echo 0 >"$instance/tracing_on"
	echo 0 >"$instance/options/hash-ptr"
	echo 0 >"$instance/options/context-info"
	echo 8192 >"$instance/buffer_size_kb"
	for event in "$instance"/events/{sched,irq,timer,kmem,signal,task,workqueue,rcu,ipi}/*/ \
		"$instance"/events/{raw_syscalls,power,percpu,filemap,block,ext4,net,skb,tcp,sock}/*/; do
		[ -e "$event/format" ] || continue
		grep -qE '\{ *\(*(1 << )?[A-Z][A-Z0-9_]+ *[),]' "$event/format" || echo 1 >"$event/enable"
	done
	echo 1 >"$instance/tracing_on"
	for _ in 1 2 3; do
		find /usr/bin -ls | sort >"$work/list"
	done
	echo 0 >"$instance/tracing_on"
}

same_form() {
	sed -E 's,(\+0x[0-9a-f]+)/0x[0-9a-f]+( \[[a-z_0-9]+\])?,\1,g; s/\(nil\)/0/g; s/0x//g
		s/\b0+([0-9a-f]+)\b/\1/g; s/page=[0-9a-f]+ //; s/[[:space:]]+$//'
}

record 2>/dev/null
failed=0
for cpu in "$instance"/per_cpu/cpu*; do
	grep -v '^#' "$cpu/trace" | same_form >"$work/kernel"
	"$work/ours" $tracefs <"$cpu/trace_pipe_raw" >"$work/raw" || failed=1
	same_form <"$work/raw" >"$work/text"
	cut -d: -f1 "$work/raw" >>"$work/events"
	cmp -s "$work/kernel" "$work/text" && continue
	diff "$work/kernel" "$work/text" | head -n 20
	failed=1
done
records=$(wc -l <"$work/events")
[ "$records" -gt 100 ] || failed=1
echo "$records records of $(sort -u "$work/events" | wc -l) tracepoints"
exit $failed
