#!/bin/sh
# SPDX-License-Identifier: MIT
# Stacks unwound from copied memory equal those that gdb finds in the same process at the same moment: each thread is
# sampled when it enters the system call that it then rests in. The stacks go through recursion, frames of unknown size,
# aligned ones, libraries, signal handlers in handlers, and faults; in C without frame pointers as gcc and clang compile
# it, in C++ and in Python. Stacks sampled at any moment are all complete, every function with its caller.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/waiting"
command -v gdb >/dev/null || { echo 'no gdb'; exit 77; }
dir=$(mktemp -d) || exit 1
pid=
cleanup() {
	[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null
	rm -rf "$dir"
}
trap cleanup EXIT
cd "$dir" || exit 1
fail=0

perf record -q -e raw_syscalls:sys_enter -o probe.data true 2>/dev/null || { echo 'no tracepoints here'; exit 77; }

# Records $2..., which comes to rest, and compares the stacks.
compare_at_rest() {
	name=$1
	shift
	perf record -q -e raw_syscalls:sys_enter --call-graph dwarf,32768 --unwind later -m 4M -o p.data "$@" \
		>/dev/null 2>&1 &
	recorder=$!
	until_true pgrep -P $recorder >/dev/null || exit 1
	pid=$(pgrep -P $recorder)
	until_true at_rest "$pid" || exit 1
	gdb -q -batch -nx -iex 'set debug-file-directory /nowhere' -p "$pid" -ex 'set backtrace past-main on' \
		-ex 'thread apply all bt' -ex 'thread apply all frame apply all -q info frame' >trace 2>/dev/null
	kill -KILL "$pid"
	wait $recorder 2>/dev/null
	pid=
	grep -q '^#0' trace || { echo 'gdb cannot trace here'; exit 77; }
	perf script --no-inline -i p.data -F tid,ip,sym >script 2>/dev/null
	python3 "$top/tests/live/dwarf-stacks.py" script trace || {
		echo "$name: ours and gdb's differ"
		fail=1
	}
}

for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	for level in 0 2; do
		$compiler -O$level -fomit-frame-pointer -pthread -o load "$top/tests/live/dwarf-stacks-load.c" || exit 1
		compare_at_rest "$compiler -O$level" ./load
	done
done
compare_at_rest python3 python3 -c 'import functools, time
def f(n): return time.sleep(100) if n == 0 else functools.reduce(lambda a, b: f(n - 1), [1, 2])
f(8)'
if command -v g++ >/dev/null; then
	g++ -O2 -fomit-frame-pointer -o load "$top/tests/live/dwarf-stacks-load.cc" || exit 1
	compare_at_rest g++ ./load
fi

# The calls between functions in the program that is always busy.
callers='leaf:inner inner:middle inner:outer middle:outer outer:main main:__libc_start_call_main'

# Prints what is wrong with stacks of "function function ...", innermost first.
judge() {
	awk -v callers="$callers" '
		BEGIN { n = split(callers, pairs, " "); for (i = 1; i <= n; i++) { split(pairs[i], p, ":"); is[p[1], p[2]] = known[p[1]] = 1 } }
		!/ main / { next }
		$NF != "_start" { print "ends early: " $0; next }
		{ for (i = 1; i < NF; i++) if (known[$i] && !is[$i, $(i + 1)]) print $i " is not called by " $(i + 1) ": " $0 }
		{ whole++ }
		END { if (whole < 50) print "only " whole + 0 " whole stacks" }'
}

for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	for how in "-O2 -fomit-frame-pointer" "-O2 -fno-omit-frame-pointer" "-O0"; do
		# shellcheck disable=SC2086 # words
		$compiler $how -o busy "$top/tests/live/dwarf-stacks-busy.c" || exit 1
		perf record -q -e cpu-clock:u -F 5000 --call-graph dwarf,4096 --unwind later -o p.data ./busy 2>/dev/null
		perf script --no-inline -i p.data -F ip,sym 2>/dev/null |
			awk -v RS= '{ line = ""; for (i = 2; i <= NF; i += 2) line = line " " $i; print line }' |
			sed 's/@[^ ]*//g; s/\.[a-z]*\.[0-9]*//g' | judge >wrong
		[ ! -s wrong ] || {
			echo "$compiler $how:"
			head -5 wrong
			fail=1
		}
	done
done
exit $fail
