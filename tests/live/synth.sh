#!/bin/sh
# SPDX-License-Identifier: MIT
# The records that our recorder adds about existing tasks are byte for byte those of perf 6.1.
reference=/usr/bin/perf
top=$(cd "$(dirname "$0")" && pwd)

command -v python3 >/dev/null || { echo 'python3 is not installed'; exit 77; }
[ -x $reference ] || { echo "there is no $reference to compare with"; exit 77; }
case $($reference version) in
*' 6.1.'* | *' 6.1') ;;
*) echo "$reference is not version 6.1"; exit 77 ;;
esac
[ "$(id -u)" = 0 ] || { echo 'an ordinary user sees too little'; exit 77; }

work=$(mktemp -d) || exit 1
python3 -c 'import threading, time
[threading.Thread(target=time.sleep, args=(10000,), daemon=True).start() for _ in range(3)]
print(flush=True); time.sleep(10000)' >"$work/ready" &
target=$!
trap 'kill $target; rm -rf "$work"' EXIT
while [ ! -s "$work/ready" ]; do sleep 0.05; done
thread=$(ls /proc/$target/task | tail -n 1)
failed=0

# theirs FILE OPTION...: prints the records that perf 6.1 adds. It does not look for build-ids, which may crash it
# beside a perf that records with build-ids in mappings.
theirs() {
	into=$1
	shift
	$reference record -q -B -o "$work/theirs" "$@" -- sleep 0.05 >/dev/null 2>&1
	python3 "$top/prologue.py" "$pid" "$work/theirs" >"$into" || failed=1
}

# lasting FILE: leaves out the BPF programs (records 17 and 18) that did not exist both before and after.
lasting() {
	awk 'FNR == 1 { file++ } file == 1 { before[$0] } file == 2 { after[$0] }
		file == 3 && ($1 !~ /^1[78]$/ || $0 in before && $0 in after)' "$work/before" "$work/after" "$1"
}

# equal OPTION...: true if the records about $pid and those about no process are equal.
equal() {
	theirs "$work/before" "$@"
	perf record -q --no-buildid-mmap -o "$work/ours" "$@" -- sleep 0.05 2>"$work/log" || { cat "$work/log"; failed=1; }
	python3 "$top/prologue.py" "$pid" "$work/ours" >"$work/own" || failed=1
	theirs "$work/after" "$@"
	lasting "$work/after" >"$work/expected"
	lasting "$work/own" >"$work/got"
	[ -s "$work/expected" ] || { echo "record $*: nothing to compare with"; failed=1; }
	diff "$work/expected" "$work/got" >"$work/diff"
}

# compare PID OPTION...: compares again after a difference, because a program of another user may go and come back to
# its address.
compare() {
	pid=$1
	shift
	for _ in 1 2 3 4; do
		! equal "$@" || return
		[ $failed = 0 ] && grep -q '^[<>] 1[78] ' "$work/diff" || break
	done
	echo "record $*: expected <, got >:"
	cut -c 1-200 "$work/diff"
	failed=1
}

compare "$target" -p "$target"
compare "$target" -t "$thread"
compare "$target" -p "$target" -d
compare "$target" -p "$target" --call-graph dwarf
compare "$target" -p "$target" --namespaces
compare "$target" -p "$target" --all-cgroups
compare "$target" -p "$target" --buildid-mmap
compare "$target" -p "$target" --per-thread
compare "$target" -p "$target" -e page-faults:u,minor-faults:u
compare "$target" -p "$target" --no-bpf-event
for types in no task mmap cgroup; do
	compare "$target" -p "$target" --all-cgroups --synth=$types
done
compare "$target" -a
compare "$target" -a -d --namespaces
exit $failed
