#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of `perf trace` on this kernel: the calls that strace sees, by BPF and by tracepoints; the choice of tasks;
# exclusions; its end; that nothing stays in the kernel; and the output for an ordinary user.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/waiting"
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
failed=0
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAILED: $*"
	failed=1
}

[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }
perf check -q feature bpf && has_bpf=yes || has_bpf=
ways='--no-bpf'
[ -z "$has_bpf" ] || ways='--bpf --no-bpf'

# Prints the names of the calls in a file, one on a line; a call in two parts counts once.
names() {
	grep -v '\.\.\.$' "$1" | sed -n 's/.*): [^ ]*\/[0-9]* *\(\.\.\. \[continued\]: \)*\([a-z0-9_]*\)(.*/\2/p'
}

# ---- The same calls as strace, of one process and of several.

cat >threads.py <<'SCRIPT'
import os, subprocess, threading
def work(n):
    for i in range(50):
        os.stat("/")
all = [threading.Thread(target=work, args=(i,)) for i in range(4)]
for t in all: t.start()
for t in all: t.join()
subprocess.run(["true"])
SCRIPT

# The number of waits depends on the moment, and the addresses of libraries and stacks are random.
luck='futex|restart_syscall|rt_sigreturn|mmap|munmap|mprotect|brk|madvise'

# calls_of_strace COMMAND...: counts each call.
calls_of_strace() {
	strace -f -qq -o strace.out "$@" >/dev/null 2>&1 || return
	sed 's/^[0-9]* *//' strace.out | grep -v -e 'resumed>' -e '^[-+]' | sed 's/(.*//' |
		grep -vxE "$luck" | sort | uniq -c
}

calls_of_trace() {
	perf trace -o trace.out "$@" >/dev/null 2>err || return
	names trace.out | grep -vxE "$luck" | sort | uniq -c
}

# same NAME COMMAND...: checks that the counts are equal. The calls of threads may differ from run to run: three
# attempts.
same() {
	name=$1
	shift
	for way in $ways; do
		for attempt in 1 2 3; do
			calls_of_strace "$@" >expected
			calls_of_trace "$way" "$@" >got
			cmp -s expected got && break
			[ $attempt != 3 ] ||
				fail "$name, $way: other calls than strace's: $(cat err; diff expected got)"
		done
	done
}

if command -v strace >/dev/null; then
	same ls ls /
	same 'a shell with children' sh -c 'true; /bin/true; ls / | cat'
	command -v git >/dev/null && same git git --version
	command -v python3 >/dev/null && {
		python3 threads.py && same 'python3 with threads' python3 threads.py
	}
fi

# ---- Every line is there, also of ten writers at once.

for way in $ways; do
	perf trace "$way" -e write -o lines dd if=/dev/zero of=/dev/null bs=1 count=100000 2>err || fail 'dd'
	n=$(grep -c ' write(fd: 1' lines)
	[ "$n" = 100000 ] || [ "$way" = --no-bpf ] || fail "$way: $n writes are shown, not 100000: $(cat err)"
done
if [ -n "$has_bpf" ]; then
	perf trace -e write -o lines sh -c '
		for i in 1 2 3 4 5 6 7 8 9 10; do dd if=/dev/zero of=/dev/null bs=1 count=10000 & done; wait' 2>err
	n=$(grep -c 'write(fd: 1.* = 1$' lines)
	[ "$n" = 100000 ] || fail "ten writers: $n writes are shown, not 100000: $(tail -3 err)"
fi

# ---- What is selected.

shown() {
	perf trace -o out "$@" >/dev/null 2>err
	names out | sort -u | tr '\n' ' '
}
[ "$(shown -e openat,close ls)" = 'close openat ' ] || fail "-e with names: $(cat out)"
[ "$(shown -e 'op*at' ls)" = 'openat ' ] || fail "-e with a pattern: $(cat out)"
[ "$(shown -e openat -e close ls)" = 'close openat ' ] || fail "two -e: $(cat out)"
shown -e '!openat' ls >/dev/null
grep -q openat out && fail "-e '!openat' shows it"
grep -q close out || fail "-e '!openat' leaves out others"
shown --failure -e %file ls >/dev/null
grep -v ' = -1 E' out | grep -q . && fail "--failure shows others: $(cat out)"
shown --duration 50 sh -c 'true; sleep 0.1' >/dev/null
[ "$(grep -c . out)" -ge 1 ] && grep -v -e nanosleep -e wait4 -e '(' out | grep -q . &&
	fail "--duration: $(cat out)"
shown --max-events 5 ls >/dev/null
[ "$(grep -c . out)" = 5 ] || fail "--max-events 5: $(cat out)"
shown -e sched:sched_process_exec true >/dev/null
[ "$(grep -c 'sched:sched_process_exec' out)" = 1 ] || fail "an event alone: $(cat out)"
shown -e openat,sched:sched_process_exec true >/dev/null
for what in sched:sched_process_exec openat; do
	grep -q $what out || fail "calls and an event: $(cat out)"
done

# ---- Descriptors have their paths, whether the calls that made them are shown or not.

if [ -n "$has_bpf" ]; then
	perf trace -e read,write -o out sh -c 'cat /etc/passwd | wc -l >/dev/null' 2>err || fail "-e read: $(cat err)"
	grep -q 'read(fd: 3</etc/passwd>, .*= [1-9]' out || fail "-e read has no path: $(cat out)"
	grep -q 'write(fd: 1<pipe:\[[0-9]*\]>' out || fail "-e write has no pipe: $(cat out)"
	! grep -q 'openat(' out || fail '-e read shows other calls'
fi

# ---- Whom it traces.

# A user's processes, including later ones.
if command -v setpriv >/dev/null; then
	setpriv --reuid=65534 --regid=65534 --clear-groups sleep 60 &
	of_nobody=$!
	while [ "$(stat -c %u /proc/$of_nobody)" != 65534 ]; do sleep 0.02; done
	perf trace -u nobody -e getppid -o out -- sh -c \
		'setpriv --reuid=65534 --regid=65534 --clear-groups sh -c :; sh -c :' 2>err || fail "-u: $(cat err)"
	kill $of_nobody
	[ -z "$has_bpf" ] || [ "$(grep -c getppid out)" -eq 1 ] || fail "-u nobody: $(cat err out)"
fi

sleep 1000 &
sleeper=$!
perf trace -T -C 0 -p $sleeper -o out -- sleep 0.1 2>err
grep -q 'PID/TID switch overriding CPU' err || fail "-p with -C: $(cat err)"
kill -9 $sleeper

sh -c 'while sleep 0.05; do :; done' &
looper=$!
perf trace -p $looper -e wait4,execve -o out -- sleep 0.5 2>err || fail "-p: $(cat err)"
grep -q "sh/$looper wait4" out || fail "-p shows the process: $(head -3 out)"
grep -q 'sleep/.*execve' out || fail "-p shows children: $(head -3 out)"
perf trace --no-inherit -p $looper -e wait4,execve -o out -- sleep 0.5 2>err || fail "-p: $(cat err)"
grep -q 'sleep/.*execve' out && fail "--no-inherit shows children: $(head -3 out)"
kill $looper

# ---- How it ends: the command goes on, its status is not ours, and errors are one line.

perf trace -o out sh -c 'exit 3' 2>err || fail 'the status of the command is passed on'
perf trace -o out no-such-program 2>err && fail 'a program that is not there'
perf trace --max-events 1 -o out sh -c 'sleep 0.2; echo on >going' 2>err
until_true test -s going || fail 'the command ended with --max-events'
perf trace sh -c 'sleep 0.2; ls / >/dev/null; echo on >going2' 2>&1 >/dev/null | head -1 >/dev/null
until_true test -s going2 || fail 'the command ended with the reader of the lines'
perf trace -o - sh -c 'sleep 0.2; ls / >/dev/null; sleep 0.2; ls /' 2>err | head -1 >/dev/null
[ "$(cat err)" = 'perf trace: cannot write to standard output: Broken pipe' ] || fail "a closed pipe: $(cat err)"
perf trace -o /dev/full ls >/dev/null 2>err && fail 'a full disk is not an error'
grep -q 'No space left' err || fail "a full disk: $(cat err)"
[ "$(grep -c . err)" = 1 ] || fail "a full disk: $(cat err)"

# ---- kill -9 of the traced, of the tracer, and what stays in the kernel.

perf trace -o out sh -c 'kill -9 $$' 2>err || fail "kill -9 of the command: $(cat err)"
if [ -n "$has_bpf" ] && command -v bpftool >/dev/null; then
	before=$(bpftool prog list | grep -c '^[0-9]')
	rm -f out
	perf trace -a -o out sleep 100 &
	tracer=$!
	until_true test -s out
	sleeping=$(pgrep -P $tracer -x sleep)
	kill -9 $tracer
	wait $tracer 2>/dev/null
	kill "$sleeping"
	# shellcheck disable=SC2317 # until_true calls it
	gone() { [ "$(bpftool prog list | grep -c '^[0-9]')" -le "$before" ]; }
	until_true gone || fail 'programs stay in the kernel'
fi

# ---- Summaries.

for way in $ways; do
	perf trace "$way" -s dd if=/dev/zero of=/dev/null bs=1 count=1000 2>out >/dev/null
	grep -q '^   write  *100[0-9] ' out || fail "-s, $way: $(cat out)"
	perf trace "$way" -S -e write dd if=/dev/zero of=/dev/null bs=1 count=10 2>out >/dev/null
	grep -q '^   write  *1[0-9] ' out || fail "-S, $way: $(cat out)"
	grep -q ' write(fd: 1' out || fail "-S, $way: $(cat out)"
done

# ---- Stacks: every call has its own.

for way in $ways; do
	perf trace "$way" --call-graph fp -e write -o out dd if=/dev/zero of=/dev/null bs=1 count=2000 2>err
	n=$(grep -A 1 ' write(fd: 1' out | grep -c '^  *[^ 0-9][^ ]* (.*)$')
	[ "$n" -ge 2000 ] || fail "stacks, $way: $n of 2000: $(head -5 out) $(cat err)"
done
perf trace --slowest 1 -o out sh -c 'sleep 0.2' 2>err
grep -q -e nanosleep -e wait4 out || fail "--slowest: $(cat out err)"

# ---- The flight recorder: at the end, when a call fails or takes long, on a signal.

if [ -n "$has_bpf" ]; then
	perf trace --ring 60 -e openat -o out ls >/dev/null 2>err || fail "--ring: $(cat err)"
	grep -q 'system calls of the last' err || fail "--ring does not say how much it held: $(cat err)"
	grep -q openat out || fail "--ring: $(cat out)"
	perf trace --ring 60 --ring-errno EXDEV -o out sleep 1000 2>err &
	tracer=$!
	# shellcheck disable=SC2317
	child() { pgrep -P "$tracer" -x sleep; }
	until_true child >pid || fail '--ring starts the command'
	kill -USR2 $tracer
	until_true grep -qs openat out || fail "--ring on SIGUSR2: $(cat err)"
	kill $tracer
	wait $tracer 2>/dev/null
	kill "$(tail -1 pid)"
fi

# ---- The longest path there is (PATH_MAX with its NUL) is whole; a longer one is refused by the kernel.

path=$(printf '/%0254d' $(seq 16) | head -c 4095)
perf trace -e openat,openat2,open cat "$path" >/dev/null 2>out
grep -q "\"$path\"[,)]" out || fail "a path of 4095 bytes: $(tail -c 300 out)"

# ---- Recordings, for the installed perf too.

perf trace record -q -o ls.data ls / >/dev/null 2>err || fail "trace record: $(cat err)"
perf trace -i ls.data 2>out || fail "-i: $(cat out)"
grep -q 'openat(dfd: CWD' out || fail "-i: $(head -3 out)"
perf trace -i - 2>out2 <ls.data
cmp -s out out2 || fail '-i - shows something else'
# One child is one fork, although x86_64 kernels report its return, too.
perf trace record -q -o forks.data sh -c '/bin/true; :' 2>err || fail "trace record: $(cat err)"
perf trace -i forks.data 2>out
[ "$(names out | grep -cxE 'clone3?|v?fork')" = 1 ] || fail "-i, forks: $(grep -E 'clone|fork' out)"
perf trace -s -i forks.data 2>out
[ "$(awk '$1 ~ /^(clone3?|v?fork)$/ { n += $2 } END { print n + 0 }' out)" = 1 ] || fail "-s -i, forks: $(cat out)"

# ---- An ordinary user gets a reason and the cure, or the calls of his own programs.

if command -v setpriv >/dev/null; then
	chmod 755 "$work"
	setpriv --reuid=65534 --regid=65534 --clear-groups perf trace -o /dev/null true 2>err
	status=$?
	[ $status = 0 ] || grep -q -e perf_event_paranoid -e 'let your group in' err ||
		fail "as nobody: $(cat err)"
	[ "$(grep -c . err)" -le 8 ] || fail "as nobody, too many words: $(cat err)"
fi
exit $failed
