#!/bin/sh
# SPDX-License-Identifier: MIT
# `perf stat` by BPF programs gives the counts of plain counters; processes share counters; nothing stays behind.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/waiting"
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
failed=0
group=
cleanup() {
	rm -rf "$work"
	[ -z "$group" ] || rmdir "$group/a/b" "$group/a" "$group/c" "$group" 2>/dev/null
}
trap cleanup EXIT

fail() {
	echo "FAILED: $*"
	failed=1
}

[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }
perf check -q feature bpf || { echo 'built without BPF'; exit 77; }
if [ "$(stat -f -c %T /sys/fs/bpf)" != bpf_fs ]; then
	# A BPF file system for this test alone.
	[ -z "${BPF_FS:-}" ] || { echo 'no BPF file system can be mounted'; exit 77; }
	BPF_FS=tried exec unshare -m sh -c 'mount -t bpf bpf /sys/fs/bpf; exec "$0"' "$0"
fi
map=/sys/fs/bpf/perf-test-$$
perf stat --bpf-counters --bpf-attr-map $map -o err -e page-faults true
if grep -q 'without BPF' err || perf stat --bpf-counters -e page-faults true 2>&1 | grep 'without BPF'; then
	exit 77
fi

# Nested processes, threads and pipes, some 500 page faults.
load='dd if=/dev/zero of=/dev/null bs=1M count=5 2>/dev/null; ls / | sort | cat >/dev/null; (true); true'

# is_near A B PERCENT COUNT: true if A and B differ by no more than both of these.
is_near() {
	awk -v a="$1" -v b="$2" -v p="$3" -v n="$4" 'BEGIN {
		d = a > b ? a - b : b - a
		exit !(a > 0 && (d <= n || d <= a * p / 100))
	}'
}

# near NAME A B PERCENT COUNT: fails if A and B differ by more.
near() {
	is_near "$2" "$3" "$4" "$5" || fail "$1: $2 and $3"
}

# counted FILE EVENT [FIELD]: prints a count of a CSV file.
counted() {
	awk -F, -v e="$2" '$3 == e { print $1; exit }' "$1"
}

# True if all events of `counts` counted for the same time, within a hundredth. On a busy machine one may be stopped
# long after another.
same_time() {
	awk -F, '{ if (!n++ || $4 < min) min = $4; if ($4 > max) max = $4 } END { exit max - min > max / 100 }' counts
}

# compare NAME OPTION...: compares plain counts and those of BPF in one run. A running process may fork a child after
# the first begins and before the second; for tasks, times differ by the kernel's work on them.
compare() {
	name=$1
	shift
	margin=1
	[ "$name" != 'a process' ] || margin=10
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		perf stat -x, -o counts --bpf-attr-map $map \
			-e page-faults:u,page-faults:bu,page-faults,page-faults:b "$@" >out 2>&1 ||
			fail "$name: $(cat out)"
		sed -i '/^#/d; /^$/d' counts
		case $name in
		*CPU* | *system*) ! same_time || break ;;
		*) break ;;
		esac
	done
	near "$name, user" "$(counted counts page-faults:u)" "$(counted counts page-faults:bu)" $margin 5
	near "$name" "$(counted counts page-faults)" "$(counted counts page-faults:b)" $margin 5
}

compare 'a command' sh -c "$load"
compare 'the system' -a sh -c "$load"
compare 'a CPU' -C "$(taskset -c -p $$ | sed 's/.*: //; s/[,-].*//')" sh -c "$load"
compare 'delayed' -D 50 sh -c "sleep 0.2; $load"
sh -c "while :; do $load; done" &
pid=$!
compare 'a process' -p $pid sleep 0.4
kill $pid
wait $pid 2>/dev/null

# All events, by option and by configuration; events that the hardware lacks are reported as usual.
perf stat -x, -o counts --bpf-counters --bpf-attr-map $map -e page-faults,duration_time sh -c "$load" || fail 'all'
[ "$(counted counts page-faults)" -gt 100 ] || fail "all: $(cat counts)"
printf '[stat]\n\tbpf-counter-events = page-faults,cycles\n' >config
PERF_CONFIG=$work/config perf stat -v -x, -o counts --bpf-attr-map $map -e page-faults,task-clock sh -c "$load" ||
	fail 'configured'
[ "$(counted counts page-faults)" -gt 100 ] || fail "configured: $(cat counts)"
perf stat -r 2 --bpf-counters --bpf-attr-map $map -o counts -x, -e page-faults sh -c "$load" || fail 'two runs'
[ "$(counted counts page-faults)" -gt 100 ] || fail "two runs: $(cat counts)"
[ ! -e $map ] || fail 'the map stays after its last user'

# Two processes share a set of counters; a killed one leaves nothing.
perf stat --bpf-counters --bpf-attr-map $map -o first -e page-faults -a sleep 30 &
first=$!
until_true test -e $map
perf stat --bpf-counters --bpf-attr-map $map -o second -e page-faults -a sleep 30 &
second=$!
# The map of events exists after perf has taken the lock: the map of the shared counters, and the events.
has_maps() { [ "$(find "/proc/$1/fd" -lname '*bpf-map*' 2>/dev/null | wc -l)" -ge "$2" ]; }
until_true has_maps $second 2
if command -v bpftool >/dev/null; then
	n=$(bpftool map show name shared_events | grep -c perf_event_array)
	[ "$n" = 1 ] || fail "two that count the same have $n sets of counters"
fi
commands=$(pgrep -P "$first,$second")
kill -9 $first
wait $first 2>/dev/null
[ -e $map ] || fail 'the map is gone while one still counts'
kill -9 $second
wait $second 2>/dev/null
# shellcheck disable=SC2086 # a list of numbers
kill $commands
until_true test ! -e $map

# Nested cgroups.
root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
if [ -n "$root" ] && ! grep -q ' cgroup .*perf_event' /proc/mounts && mkdir -p "$root/perf-test-$$/a/b" \
	"$root/perf-test-$$/c" 2>/dev/null; then
	group=$root/perf-test-$$
	name=perf-test-$$
	sh -c "echo \$\$ >$group/a/b/cgroup.procs; while :; do $load; done" &
	inner=$!
	# of_group EVENT GROUP
	of_group() { awk -F, -v e="$1" -v g="$2" '$3 == e && $4 == g { print $1 }' counts; }
	# On a busy machine the second event may begin long after the first.
	for _ in 1 2 3 4 5; do
		perf stat -a -x, -o counts --bpf-attr-map $map -e page-faults,page-faults:b \
			--for-each-cgroup "/,$name,$name/a,$name/a/b,$name/c" sleep 0.5 || fail 'cgroups'
		! is_near "$(of_group page-faults /)" "$(of_group page-faults:b /)" 2 20 || break
	done
	for g in / $name $name/a $name/a/b; do
		near "cgroup $g" "$(of_group page-faults "$g")" "$(of_group page-faults:b "$g")" 2 20
	done
	kill $inner
	wait $inner 2>/dev/null
	until_true sh -c "! grep -q . $group/a/b/cgroup.procs"
	[ ! -e $map ] || fail 'the map stays after cgroups'
fi

# In a file, counts are assigned by the ids of events that perf has opened.
perf stat record -o b.data -e page-faults:b true 2>err || fail 'perf stat record'
grep -q 'page-faults:b is counted without BPF' err || fail "perf stat record says $(cat err)"
perf stat report -i b.data 2>&1 | grep -qE '^ +[1-9][0-9]* +page-faults:b' || fail 'no count in the file'
perf record -o s.data -e cpu-clock:b true 2>err || fail 'perf record'
grep -q 'cpu-clock:b is sampled as without b' err || fail "perf record says $(cat err)"

# An id that no program has.
perf stat -b 4294967 -e page-faults true 2>err && fail 'a program that is not there'
grep -q 'no BPF program with the id' err || fail "a program that is not there: $(cat err)"
exit $failed
