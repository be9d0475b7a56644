#!/bin/sh
# SPDX-License-Identifier: MIT
# Scripts by name, in their three ways of use, run the perf under test and no other; Ctrl-C shows everything that was
# recorded. Filters in C, alone and in front of Python.
skip() {
	echo "$1"
	exit 77
}

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/waiting"
PERF=$(readlink -f "${PERF:-$(command -v perf)}")
[ "$(id -u)" = 0 ] || skip 'only root may record system calls'
[ -d /sys/kernel/tracing/events/raw_syscalls ] || skip 'this kernel has no tracepoints of system calls'
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
HOME=$dir
export HOME
unset PERF_EXEC_PATH
fail=0

problem() {
	echo "$*"
	fail=1
}

# A script of our own, which needs no Python: it counts lines, and prints the perf that was run.
bin=own/scripts/python/bin
mkdir -p $bin
cat >$bin/calls-record <<'END'
perf record -e raw_syscalls:sys_enter "$@"
END
cat >$bin/calls-report <<'END'
# description: counts system calls
# args: [once]
command -v perf >report.perf
perf script -F event "$@" | wc -l
END
run() {
	"$PERF" --exec-path="$dir/own" script "$@"
}

# Another perf comes first in PATH.
mkdir other
printf '#!/bin/sh\necho "the wrong perf"\n' >other/perf
chmod +x other/perf
PATH=$dir/other:$PATH
export PATH

n=$(run calls true 2>err)
[ "${n:-0}" -gt 10 ] || problem "calls true: '$n' system calls:" "$(cat err)"
[ "$(cat report.perf)" = "$PERF" ] || problem "the report ran $(cat report.perf)"
n=$(run calls sh -c 'echo hello' 2>err)
[ "${n:-0}" -gt 10 ] || problem "what a command prints spoils the recording: $n" "$(cat err)"
grep -q hello err || problem 'what a command prints is lost'

run record calls true >out 2>err || problem 'record calls true fails:' "$(cat err)"
grep -q 'Captured and wrote' err || problem 'record calls true says nothing:' "$(cat err)"
n=$(run report calls 2>err)
[ "${n:-0}" -gt 10 ] || problem "report calls: '$n'" "$(cat err)"

# Until Ctrl-C the whole system is recorded, and the report comes afterwards.
"$PERF" --exec-path="$dir/own" script calls >out 2>err &
pid=$!
until_true pgrep -P $pid >/dev/null || problem 'calls does not begin'
descendants() {
	for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
		echo "$child"
		descendants "$child"
	done
}
some_record() {
	for child in $(descendants $pid); do
		is_recording "$child" && return
	done
	return 1
}
until_true some_record || problem 'calls does not record'
kill -INT $pid
wait $pid || problem "calls ends with $?:" "$(cat err)"
[ "$(cat out)" -gt 0 ] || problem "calls until a signal: $(cat out)" "$(cat err)"
[ -s err ] && problem 'calls until a signal says:' "$(cat err)"

# If the recording fails, so does the command.
run calls -e no-such-event >out 2>err && problem 'a recording that fails is no failure'
grep -q 'the recording failed' err || problem 'a recording that fails:' "$(cat err)"

cc=${CC:-cc}
cat >only.c <<'END'
#include <perf/perf_dlfilter.h>
#include <stdio.h>
struct perf_dlfilter_fns perf_dlfilter_fns;
static int n_early, n, keep;
int start(void **data, void *ctx)
{
	int n_args;
	char **args = perf_dlfilter_fns.args(ctx, &n_args);
	*data = &n;
	return n_args == 1 && sscanf(args[0], "%d", &keep) == 1 ? 0 : -22;
}
int filter_event_early(void *data, const struct perf_dlfilter_sample *s, void *ctx)
{
	(void)data, (void)ctx, n_early++;
	return s->size < sizeof(*s) || !s->raw_size || !s->raw_data;
}
int filter_event(void *data, const struct perf_dlfilter_sample *s, void *ctx)
{
	const struct perf_dlfilter_al *al = perf_dlfilter_fns.resolve_ip(ctx);
	(void)s;
	return !al || !al->comm || *(int *)data >= keep || (++*(int *)data, 0);
}
int stop(void *data, void *ctx)
{
	(void)ctx;
	printf("asked %d, kept %d\n", n_early, *(int *)data);
	return 0;
}
const char *filter_description(const char **more)
{
	*more = "And no\nothers.";
	return "the first samples";
}
END
"$cc" -shared -fpic -I"$top/include" -o only.so only.c 2>err || { cat err; echo 'no C compiler: no filters'; exit $fail; }
all=$("$PERF" script -F event | wc -l)
"$PERF" script -F event --dlfilter only.so --dlarg 3 >out 2>err
[ "$(grep -c raw_syscalls out)" = 3 ] || problem 'not three samples:' "$(cat out err)"
grep -qx "asked $all, kept 3" out || problem "not asked about all $all:" "$(cat out err)"
"$PERF" script -F event --time 0,0.000001 --dlfilter only.so --dlarg 3 >out 2>err
grep -qx "asked $all, kept 0" out || problem "filter_event_early() is not before --time:" "$(cat out err)"
"$PERF" script --dlfilter only.so 2>err && problem 'a filter that refuses is no failure'
grep -q "start() of the filter 'only.so' returned -22" err || problem 'a filter that refuses:' "$(cat err)"
"$PERF" script -v --list-dlfilters | grep -q '^ \{39\}others\.$' || problem 'its description is not listed'

cat >count.py <<'END'
n = 0
def raw_syscalls__sys_enter(*fields):
    global n
    n += 1
def trace_end():
    print("python had", n, flush=True)
END
"$PERF" script -s count.py --dlfilter only.so --dlarg 5 >out 2>err
if grep -qi 'libpython' err; then
	echo 'no libpython: filters in front of Python were not tested'
else
	grep -qx 'python had 5' out || problem 'a filter in front of Python:' "$(cat out err)"
fi
exit $fail
