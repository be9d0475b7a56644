#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of `perf record` on this kernel: the choice of tasks, no sample is lost or miscounted, starting and ending, and
# the recordings can be read, by the installed perf too.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/waiting"
work=$(mktemp -d) || exit 1
chmod 755 "$work"
cd "$work" || exit 1
failed=0
children=
theirs=/usr/bin/perf
[ -x $theirs ] || theirs=

cleanup() {
	for pid in $children; do
		kill -KILL "$pid" 2>/dev/null
	done
	umount "$work/full" 2>/dev/null
	rm -rf "$work"
}
trap cleanup EXIT

fail() {
	echo "FAILED: $*"
	failed=1
}

# run STATUS ARGUMENT...: checks that perf record with these arguments ends with this status; its stderr is then in
# ./err.
run() {
	wanted=$1
	shift
	rm -rf p.data p.data.*
	perf record -o p.data "$@" >out 2>err </dev/null
	status=$?
	[ $status = "$wanted" ] || { fail "perf record $*: status $status, not $wanted"; cat err; }
}

# says PATTERN...: checks that ./err has a line for each of these.
says() {
	for pattern in "$@"; do
		grep -qE -- "$pattern" err || { fail "not said: '$pattern', but:"; cat err; }
	done
}

says_not() {
	! grep -qE -- "$1" err || { fail "said: '$1':"; cat err; }
}

# Prints the number of samples that record reported.
told() {
	sed -nE 's/.* \(([0-9]+) samples\) \]$/\1/p' err
}

# Counts the lines of the text of FILE that name an event.
lines_of() {
	"$1" script -i "$2" -F comm,tid,event 2>/dev/null | grep -c :
}

# has FILE COUNT: checks that FILE has this number of samples, for ours and for the installed perf.
has() {
	[ "$(lines_of perf "$1")" = "$2" ] || fail "$1: $(lines_of perf "$1") samples, not $2"
	[ -z "$theirs" ] || [ "$(lines_of $theirs "$1")" = "$2" ] ||
		fail "$1: $(lines_of $theirs "$1") samples for $theirs, not $2"
}

has_samples() {
	[ "$(lines_of perf "$1")" -ge "$2" ]
}

# Checks that the reported number is in the file, and is at least LEAST.
exact() {
	count=$(told)
	[ "${count:-0}" -ge "$1" ] || { fail "only ${count:-no} samples, not $1"; cat err; }
	has p.data "${count:-0}"
}

perf record -q -o p.data true 2>err || { cat err; echo "events cannot be recorded here"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }

# The choice of tasks and events.
run 0 -e cs -c 1 sh -c 'sleep 0.05; sleep 0.05'
exact 4
run 0 -a -e cpu-clock sleep 0.3
exact 1
run 0 -e cpu-clock -g sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done'
count=$(told)
[ "${count:-0}" -gt 10 ] || fail "$count samples of a busy shell"
run 0 -e raw_syscalls:sys_enter dd if=/dev/zero of=/dev/null bs=512 count=20k
says_not lost
exact 40960
run 0 -e '{cpu-clock,cs}:S' -a sleep 0.1
run 3 sh -c 'exit 3'
run 137 sh -c 'kill -KILL $$'
run 0 -n -e cs true
says_not "[0-9] samples"
run 0 -q true
[ ! -s err ] || { fail "-q is not quiet"; cat err; }

# The file is private, and the previous one is kept.
[ "$(stat -c %a p.data)" = 600 ] || fail "p.data is $(stat -c %a p.data)"
cp p.data first
perf record -q -o p.data true 2>err
cmp -s first p.data.old || fail "p.data.old is not what p.data was"

# Every form of a recording.
for form in --threads '--threads=core' '-z --threads' --overwrite --tail-synthesize '-m 16' --buildid-mmap \
	'--call-graph dwarf,1024' '-k mono' '--switch-events --namespaces --all-cgroups' '-s' '-d -W -R' \
	--no-buffering '--mmap-flush 64K' '--user-regs --intr-regs' '--synth no' -B '-r 1' --aio; do
	# shellcheck disable=SC2086
	run 0 $form -e cpu-clock -a sleep 0.1
	count=$(told)
	[ -n "$count" ] || count=$(lines_of perf p.data)
	[ "$count" -gt 0 ] || { fail "$form: no samples"; cat err; }
	has p.data "$count"
done
run 0 -z -e cpu-clock -a sleep 0.1
says 'compressed \(original [0-9.]+ MB, ratio is [0-9.]+\)'
ratio=$(sed -nE 's/.*, ratio is ([0-9.]+)\) \]$/\1/p' err)
perf script --header-only -i p.data | grep -q "^# compressed : Zstd, level = 1, ratio = $(printf %.0f "$ratio")$" ||
	fail "-z: the header does not have the ratio $ratio"
for form in --threads ''; do
	# shellcheck disable=SC2086
	run 0 --compress-aligned $form -e cpu-clock -a sleep 0.1
	perf report -i p.data --stats | grep -q 'COMPRESSED2 events: ' || fail "--compress-aligned $form: no such records"
	[ "$(lines_of perf p.data)" -gt 0 ] || fail "--compress-aligned $form: nothing can be read"
done
perf record -q -o - -e cpu-clock -a sleep 0.1 >p.data 2>err
[ "$(lines_of perf - <p.data)" -gt 0 ] || fail "nothing in the stream"
[ -z "$theirs" ] || [ "$($theirs script -i - <p.data 2>/dev/null | wc -l)" -gt 0 ] || fail "nothing in the stream for $theirs"
perf record -q -e cpu-clock true 2>err | head -c 8 | grep -q PERFILE2 || fail "no stream into a pipe without -o"
(mkdir both && cd both && perf record -e cpu-clock true 2>&1 | cat >log; [ -s perf.data ] && grep -q '^. perf record: Captured' log) || fail 'data goes where messages go'

# Several files.
run 0 -e cpu-clock -a --switch-output=1s --switch-max-files=2 sleep 2.4
[ "$(echo p.data.2* | wc -w)" = 2 ] || fail "not two files: $(echo p.data.*)"
for file in p.data.2*; do
	[ "$(lines_of perf "$file")" -gt 0 ] || fail "$file has no samples"
done
run 0 -e cpu-clock -a --switch-output-event sched:sched_process_exec sh -c 'sleep 0.1; sleep 0.1'
[ "$(echo p.data.2* | wc -w)" -ge 3 ] || fail "no file for each exec: $(echo p.data.*)"
run 0 -e cpu-clock -a -F 10000 --max-size 200K sleep 20
says 'size limit reached'
[ "$(stat -c %s p.data)" -lt 600000 ] || fail "--max-size 200K: $(stat -c %s p.data)"
# Small files need small buffers. Lost records are reported. If files are switched fast enough nothing is lost; on a
# busy machine this may be seen in only one of several attempts, and with a sanitizer's build in none.
for _ in 1 2 3 4 5; do
	run 0 -e raw_syscalls:sys_enter --switch-output=100K dd if=/dev/zero of=/dev/null bs=512 count=20k
	lost=$(sed -nE 's/.*warning: ([0-9]+) records were lost.*/\1/p' err)
	[ $(($(told) + ${lost:-0})) -ge 40960 ] || { fail "--switch-output: some are neither saved nor told"; cat err; }
	[ -n "$lost" ] || break
done
ldd "$(command -v perf)" | grep -q libasan || says_not lost
mkfifo end
perf record -o p.data -e cpu-clock -F 10000 -a --overwrite --switch-output sh -c 'read -r x <end' 2>err &
children=$!
until_true pgrep -P $children >/dev/null || failed=1
dumps() { [ "$(grep -c 'Dump p.data' err)" -ge "$1" ]; }
for n in 1 2 3; do
	kill -USR2 $children
	until_true dumps $n || failed=1
done
echo >end
wait $children || fail "--overwrite --switch-output: status $?"
says_not 'lost|Give them more room'

# Recording starts late, and by command.
run 0 -D 100 -e cpu-clock -a sleep 0.3
says '^Events disabled$' '^Events enabled$'
run 0 -D 10-20,30-40 -e cpu-clock -a sleep 20
mkfifo ctl ack
perf record -o p.data --control fifo:ctl,ack -D -1 -e cpu-clock -a 2>err &
children=$!
exec 3<>ctl 4<>ack
for word in enable 'evlist -v' ping stop; do
	echo "$word" >&3
	head -n 1 <&4 | grep -q ack || fail "--control: no answer to $word"
	sleep 0.1
done
wait "$children" || fail "--control stop: status $?"
exec 3<&- 4<&-
says '^cpu-clock: type: 1, '
exact 1

# Recording ends with the recorded tasks.
for target in -p -t; do
	sh -c 'read -r x <end' &
	watched=$!
	perf record -o p.data -e cpu-clock $target $watched 2>err &
	children=$!
	until_true is_recording $children || failed=1
	echo >end
	wait $watched $children || fail "$target: status $? at the end of what was recorded"
done
for signal in 2 15 1; do
	rm -f p.data
	perf record -o p.data -e cpu-clock -a 2>err &
	children=$!
	until_true has_samples p.data 1 || failed=1
	kill -$signal $children
	wait $children
	status=$?
	[ $status = $((128 + signal)) ] || fail "signal $signal: status $status"
	exact 1
done
rm -f p.data
perf record -o p.data -e sched:sched_switch -a 2>err &
children=$!
until_true has_samples p.data 11 || failed=1
kill -KILL $children
wait $children 2>/dev/null
[ "$(lines_of perf p.data)" -gt 10 ] || fail "kill -9 leaves $(lines_of perf p.data) samples"
perf script -i p.data 2>/dev/null | grep -q 'next_comm=' || fail "kill -9 leaves tracepoints without their text"
[ -z "$theirs" ] || [ "$(lines_of $theirs p.data)" -gt 10 ] || fail "kill -9 leaves $(lines_of $theirs p.data) samples for $theirs"
perf record -o - -e raw_syscalls:sys_enter dd if=/dev/zero of=/dev/null bs=512 count=20k 2>err | head -c 100 >/dev/null
says "^perf record: cannot write '-': Broken pipe$" '^The reader of the pipe ended'
mkdir full
if mount -t tmpfs -o size=2m tmpfs full 2>/dev/null; then
	perf record -o full/p.data -e 'raw_syscalls:*' dd if=/dev/zero of=/dev/null bs=512 count=20k 2>err
	[ $? = 255 ] || fail "a full disk: status $?"
	says 'No space left on device' '^Make room' "^What fitted, [0-9.]+ MB, is in 'full/p.data' and can be read"
	count=$(told)
	[ "${count:-0}" -gt 10000 ] || fail "a full disk: ${count:-no} samples were saved"
	has full/p.data "$count"
	umount full
fi

# The command with --uid, and children of a group that is read, which the kernel supports since 6.12.
run 0 -e cpu-clock --uid "$(id -u)" awk 'BEGIN { for (i = 0; i < 3000000; i++); }'
perf report -i p.data --stdio -s comm 2>/dev/null | grep -q ' awk' || fail "--uid leaves out its command"
run 0 -e '{cpu-clock,cs}:S' sh -c 'awk "BEGIN { for (i = 0; i < 3000000; i++); }"; :'
if perf evlist -v -i p.data | grep -q ' inherit: 1'; then
	perf report -i p.data --stdio -s comm 2>/dev/null | grep -q ' awk' || fail ":S leaves out children"
fi

# A probable mistake is pointed out to users, once, and not to scripts.
if command -v script >/dev/null; then
	script -qec 'perf record -o p.data sleep 0.01' /dev/null >out 2>&1 </dev/null
	[ "$(grep -c 'only sleep itself' out)" = 1 ] || { fail "a sleep is recorded without a word"; cat out; }
	script -qec 'perf record -a -o p.data sleep 0.01' /dev/null >out 2>&1 </dev/null
	! grep -q 'only sleep itself' out || fail "-a is not seen"
	! grep -q 'Ctrl-C' out || fail "a command ends by itself"
	sleep 1000 &
	watched=$!
	script -qec "perf record -o p.data -p $watched" /dev/null >out 2>&1 </dev/null &
	until_true grep -q 'Recording until the tasks end, or Ctrl-C.' out || { fail "who waits is not told for what"; cat out; }
	kill $watched
	wait
fi
run 0 sleep 0.01
says_not 'only sleep itself'

# Stacks that end early because there are no frame pointers are pointed out, too.
cat >frames.c <<'END'
#include "with-frames.h"
volatile unsigned long sum;
__attribute__((noinline)) void leaf(unsigned long n) { KEEP_FRAME(); while (n--) sum += n; }
__attribute__((noinline)) void c(unsigned long n) { leaf(n); sum++; }
__attribute__((noinline)) void b(unsigned long n) { c(n); sum++; }
__attribute__((noinline)) void a(unsigned long n) { b(n); sum++; }
int main(void) { for (int i = 0; i < 1000; i++) a(100000); return 0; }
END
if command -v script >/dev/null && "${CC:-cc}" -O1 -fomit-frame-pointer -I "$top/tests/live" -o without frames.c 2>cc.err &&
	"${CC:-cc}" -O1 -fno-omit-frame-pointer -I "$top/tests/live" -o with frames.c 2>cc.err; then
	for program in with without; do
		script -qec "perf record -g -e cpu-clock:u -o p.data ./$program" /dev/null >out.$program 2>&1 </dev/null
	done
	[ "$(grep -c 'call-graph dwarf does without' out.without)" = 1 ] || { fail "short stacks go unsaid"; cat out.without; }
	! grep -q 'call-graph dwarf does without' out.with || { fail "whole stacks are called short"; cat out.with; }
	run 0 -g -e cpu-clock:u ./without
	says_not 'call-graph dwarf does without'
fi

# A large number of processes.
run 0 -e cpu-clock -a sh -c 'i=0; while [ $i -lt 500 ]; do /bin/true; i=$((i + 1)); done'
says_not lost
exact 1

# Recording as an ordinary user.
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ] && id nobody >/dev/null 2>&1; then
	mkdir user && chown nobody user
	as_nobody() { setpriv --reuid=nobody --clear-groups "$@"; }
	as_nobody perf record -o user/p.data -e cpu-clock true 2>err || { fail "a user cannot record"; cat err; }
	[ "$(grep -c 'only user mode' err)" = 1 ] || { fail "user mode is not said once"; cat err; }
	as_nobody perf record -o user/p.data -a true 2>err
	[ $? = 255 ] || fail "a user records CPUs"
	says 'all CPUs .* needs 0'
	as_nobody perf record -o user/p.data -m 1G -e cpu-clock true 2>err
	says 'perf_event_mlock_kb'
fi

[ $failed = 0 ] && echo "recordings are as told"
exit $failed
