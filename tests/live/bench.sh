#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of perf bench: every benchmark measures something in every format, in the layout of Linux's perf where that is
# installed; saved results can be compared; no process outlives perf.
linux=/usr/bin/perf
case $($linux --version 2>&1) in
*' 6.1'*) ;;
*) linux= ;;
esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail=0
wrong() { echo "wrong: $*"; fail=1; }

# Replaces numbers by N, and units of rates by B, so that only the layout is left.
layout() {
	sed -E 's/0x[0-9a-f]+/N/g; s/-?(inf|nan|[0-9]+(\.[0-9]+)?)/N/g; s/[KMG]B\/sec/B\/sec/; s/ +/ /g; s/^ //' "$1"
}

# Benchmarks of both programs, with a small number of parameters. (The PI requeue wakes and moves a random number of
# threads.)
both='sched messaging -g 1 -l 5
sched messaging -g 1 -l 5 -t -p
sched pipe -l 100
sched pipe -l 100 -T
syscall basic -l 100
mem memcpy -s 64KB -f default
mem memset -s 64KB -l 3 -f default
mem find_bit -i 1 -j 2
numa mem -s 1 -p 1 -t 1 -P 4
numa mem -s 1 -p 2 -t 1 -T 4 -q
numa mem -s 1 -l 2 -p 1 -t 1 -T 4 -C 0 -M 0
futex hash -t 2 -r 1
futex hash -t 2 -r 1 -f 1 -S
futex hash -t 2 -r 1 -s
futex wake -t 2
futex wake -t 2 -s
futex wake-parallel -t 2
futex requeue -t 2
futex requeue -t 2 -p
futex requeue -t 2 -B -s
futex lock-pi -t 2 -r 1
futex lock-pi -t 2 -r 1 -M -s
epoll wait -t 1 -r 1
epoll wait -t 1 -r 1 -S -m
epoll ctl -t 2 -r 1
epoll ctl -t 1 -r 1 -R -N 1
internals synthesize -i 3
internals synthesize -t -I 2 -M 2
internals kallsyms-parse -i 2
internals inject-build-id -i 2 -m 3 -n 3
internals evlist-open-close -i 2 -n 2'
ours='sched pipe -l 100 -n -s 4096
sched seccomp-notify -l 100
syscall getpgid -l 100
syscall fork -l 5
syscall execve -l 5
mem mmap -s 64KB -l 2 -t 2
internals pmu-scan -i 2
internals inject-build-id -i 1 -m 2 -n 2 -v
uprobe baseline -l 5
epoll wait -t 2 -r 1 -E -B -R -n -v -N 2'
has_breakpoints() { perf bench breakpoint enable >"$dir/bp" 2>&1; }
if has_breakpoints; then
	both="$both
breakpoint thread -t 2 -p 2
breakpoint enable -a 1 -p 1"
fi

# Only where the kernel accepts probes with BPF programs from this user.
if perf bench uprobe empty -l 1 >"$dir/up" 2>&1; then
	for program in empty trace_printk empty_ret trace_printk_ret; do
		ours="$ours
uprobe $program -l 5"
	done
fi

printf '%s\n' "$both" >"$dir/both"
printf '%s\n' "$ours" >"$dir/ours"
while read -r line; do
	for format in default simple; do
		# shellcheck disable=SC2086
		perf bench -f $format -r 2 $line >"$dir/a" 2>"$dir/err" </dev/null || {
			wrong "$line: $(cat "$dir/err")"
			continue
		}
		[ -s "$dir/a" ] || wrong "$format $line prints nothing"
	done
done <"$dir/ours"

while read -r line; do
	repeat=
	case $line in *wake* | *requeue* | breakpoint*) repeat='-r 2' ;; esac
	formats='default simple'
	# The output of these is the same in both, and takes a second.
	case $line in *'-r 1'* | *'-s 1'*) formats=default ;; esac
	for format in $formats; do
		# shellcheck disable=SC2086
		perf bench -f $format $repeat $line >"$dir/a" 2>"$dir/err" </dev/null || {
			wrong "$line: $(cat "$dir/err")"
			continue
		}
		[ -n "$linux" ] || continue
		# shellcheck disable=SC2086
		$linux bench -f $format $repeat $line >"$dir/b" 2>/dev/null </dev/null || continue
		layout "$dir/a" >"$dir/la"
		layout "$dir/b" >"$dir/lb"
		diff "$dir/la" "$dir/lb" >"$dir/diff" || wrong "$format $line: $(cat "$dir/diff")"
	done
done <"$dir/both"

# JSON of each benchmark, with figures that are numbers.
cat "$dir/both" "$dir/ours" | grep -v -e '-r 1' -e '-s 1' >"$dir/quick"
while read -r line; do
	# shellcheck disable=SC2086
	perf bench --json $line </dev/null | python3 -c '
import json, sys
for b in json.load(sys.stdin)["benchmarks"]:
    assert b["figures"] and all(f["values"] and f["mean"] >= 0 for f in b["figures"]), b' ||
		wrong "JSON of $line"
done <"$dir/quick"

# A saved result is compared with itself: nothing differs.
perf bench --runs 3 --save "$dir/a.json" sched pipe -l 50 >"$dir/text" || wrong 'save'
grep -q '^# Means of 3 values' "$dir/text" || wrong 'no means'
perf bench --compare "$dir/a.json" "$dir/a.json" | grep -q '^No difference shown in 1 figure' ||
	wrong 'a file differs from itself'
perf bench --compare "$dir/a.json" sched pipe -l 50 --runs 3 | grep -q 'sched/pipe -l 50 usecs/op' ||
	wrong 'a run is not compared with a file'

# A benchmark whose perf is killed leaves no process running.
perf bench sched messaging -g 2 -l 1000000 >/dev/null &
pid=$!
until pgrep -P $pid >/dev/null || ! kill -0 $pid; do sleep 0.1; done
children=$(pgrep -P $pid)
kill -9 $pid
wait $pid 2>/dev/null
tries=0
for child in $children; do
	while kill -0 "$child" 2>/dev/null && [ $tries -lt 100 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
done
[ $tries -lt 100 ] || wrong 'children outlive perf'

# Limits are named, and started processes are gone.
# shellcheck disable=SC3045 # dash and bash have it
(ulimit -n 12; perf bench sched messaging -g 1 -l 1 2>"$dir/err" >/dev/null) && wrong 'too few files'
grep -q 'ulimit -n' "$dir/err" || wrong "files: $(cat "$dir/err")"
perf bench sched messaging -g 0 2>/dev/null >&2 && wrong 'no groups'
exit $fail
