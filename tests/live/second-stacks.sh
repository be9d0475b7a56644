#!/bin/sh
# SPDX-License-Identifier: MIT
# Stacks that are in several places, or deep: those of signal handlers with a stack of their own, of makecontext(), and
# with a frame that the program has not written to yet.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

cat >load.c <<'END'
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

static volatile unsigned long sink;
static ucontext_t first, second;

static double spent(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

__attribute__((noinline)) void leaf(void)
{
	for (double end = spent() + 0.3; spent() < end;)
		for (int i = 0; i < 20000; i++)
			sink += i;
	sink++;
}

static void handler(int signal)
{
	leaf();
	sink += signal;
}

__attribute__((noinline)) void interrupted(void)
{
	raise(SIGUSR1);
	sink++;
}

__attribute__((noinline)) void body(void)
{
	leaf();
	sink++;
}

__attribute__((noinline)) void large_frame(void)
{
	volatile char bytes[300000];

	bytes[0] = 1;
	leaf();
	sink += bytes[0];
}

__attribute__((noinline)) void down(int n)
{
	if (n)
		down(n - 1);
	else
		leaf();
	sink++;
}

int main(int argc, char **argv)
{
	stack_t stack = { .ss_sp = malloc(1 << 16), .ss_size = 1 << 16 };
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	action.sa_flags = SA_ONSTACK;
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	switch (argc > 1 ? argv[1][0] : 's') {
	case 's':
		interrupted();
		break;
	case 'c':
		getcontext(&second);
		second.uc_stack.ss_sp = malloc(1 << 18);
		second.uc_stack.ss_size = 1 << 18;
		second.uc_link = &first;
		makecontext(&second, body, 0);
		swapcontext(&first, &second);
		break;
	case 'd':
		down(300);
		break;
	default:
		large_frame();
	}
	return 0;
}
END
"${CC:-cc}" -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -o load load.c || { echo 'no C compiler'; exit 77; }

# record MODE WORD: writes the stacks of leaf(), one a line, to "stacks", and messages to "said".
record() {
	perf record -e cpu-clock:u -F 2000 --call-graph "$1" -o data ./load "$2" >/dev/null 2>said || fail "$(cat said)"
	perf script -i data --no-inline -F ip,sym 2>>said | awk 'BEGIN { RS = "" } / leaf/ {
		gsub(/\n/, " "); gsub(/[ \t]+[0-9a-f]+ /, " "); print }' >stacks
	[ -s stacks ] || { cat said; fail "$1 $2: no samples"; }
}

# most PATTERN: checks that nearly all stacks match.
most() {
	all=$(wc -l <stacks)
	matching=$(grep -c "$1" stacks)
	[ "$matching" -ge $((all * 9 / 10)) ] || { sort stacks | uniq -c | sort -rn | head -5; fail "$2"; }
}

record dwarf s
most 'leaf.* handler.*sigreturn\|leaf.* handler.*restore_rt' 'dwarf: the frame of the signal'
grep -q 'on a second stack' said || { cat said; fail 'dwarf: the other stack is not told of'; }
record dwarf c
most 'leaf body __start' 'dwarf: makecontext'
record dwarf l
most 'leaf large_frame' 'dwarf: a large frame'
grep -q 'with a frame that is not there yet' said || { cat said; fail 'dwarf: an untouched frame is not told of'; }
perf report -i data --stdio 2>&1 >/dev/null | grep -q 'has not written to yet' || fail 'report: an untouched frame is not told of'

# The kernel follows at most this number of frame pointers.
limit=$(cat /proc/sys/kernel/perf_event_max_stack 2>/dev/null || echo 1000)
if [ "$limit" -lt 300 ]; then
	record fp d
	grep -q "stacks have $limit frames, and may have more" said || { cat said; fail 'fp: stacks that are cut'; }
	for reader in 'report --stdio' 'report --stdio --no-children' script 'script --folded' 'flamegraph -o x.svg'; do
		perf $reader -i data 2>said >/dev/null
		grep -q "[0-9] of [0-9]* stacks have $limit frames, .* limit" said || { cat said; fail "$reader: stacks that are cut"; }
	done
	# Readers that ignore stacks, or use only their beginning, print no note.
	for reader in 'report --stdio -g none --no-children' 'script -F comm,ip,sym -G' 'script --max-stack 10'; do
		perf $reader -i data 2>said >/dev/null
		! grep -q "frames, .* limit" said || { cat said; fail "$reader: tells of stacks"; }
	done
fi

perf check -q feature bpf || exit $failed
perf record -e cpu-clock:u -F 2000 --call-graph bpf -o data ./load s >/dev/null 2>said || exit $failed
! grep -q 'instead of unwound in the kernel' said || exit $failed
record bpf s
most 'leaf handler .* interrupted main .*_start' 'bpf: what the signal interrupted'
record bpf c
most 'leaf body __start' 'bpf: makecontext'
[ "$(uname -m)" != aarch64 ] || ! grep -q 'take more' said || { cat said; fail 'bpf: makecontext is copied'; }
record bpf l
most 'leaf large_frame main .*_start' 'bpf: a large frame'
exit $failed
