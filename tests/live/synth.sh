#!/bin/sh
# SPDX-License-Identifier: MIT
# What our recorder adds about tasks that were there before it equals, byte for byte, what perf 6.1 adds.
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

# compare PID OPTION...: the records about PID and those about nobody
compare() {
	pid=$1
	shift
	perf record -q --no-buildid-mmap -o "$work/ours" "$@" -- sleep 0.05 2>"$work/log" || { cat "$work/log"; failed=1; return; }
	$reference record -q -o "$work/theirs" "$@" -- sleep 0.05 >/dev/null 2>&1
	python3 "$top/prologue.py" "$pid" "$work/theirs" >"$work/expected" || failed=1
	python3 "$top/prologue.py" "$pid" "$work/ours" >"$work/got" || failed=1
	[ -s "$work/expected" ] || { echo "record $*: nothing to compare with"; failed=1; }
	diff "$work/expected" "$work/got" >"$work/diff" || {
		echo "record $*: expected <, got >:"
		cut -c 1-200 "$work/diff"
		failed=1
	}
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
