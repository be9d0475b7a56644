# SPDX-License-Identifier: MIT
# The function tracers: their output for a sleep of 0.1 s, their buffer, and that afterwards every setting has its old
# value, also after signals, a closed pipe and kill -9.
work=$(mktemp -d)
cd "$work"
tracing=/sys/kernel/tracing
grep -qw function_graph $tracing/available_tracers || { echo 'this kernel has no function_graph'; exit 77; }

settings() {
	for file in tracing_on current_tracer set_ftrace_pid tracing_cpumask max_graph_depth tracing_thresh \
		set_ftrace_filter set_ftrace_notrace set_graph_function set_graph_notrace trace_options; do
		echo "$file:"
		cat $tracing/$file
	done
	ls $tracing/instances
	ls /run | grep perf-ftrace || true
}

# Filters of other users stay, too.
echo schedule >$tracing/set_ftrace_filter
echo vfs_read >$tracing/set_graph_function
settings >before

# Switching the tracer on for one function takes a moment, for all of them much longer.
graph='-G do_nanosleep -T do_nanosleep'

unchanged() {
	settings >after
	diff before after || { echo "settings differ after: $*"; exit 1; }
}

perf ftrace -T do_nanosleep --func-opts call-graph,irq-info sleep 0.1 >out
grep -q '^#.*TIMESTAMP  FUNCTION' out
grep -q 'do_nanosleep <-hrtimer_nanosleep$' out || { cat out; exit 1; }
grep -q '^ => hrtimer_nanosleep$' out
unchanged function

perf ftrace trace -G do_nanosleep --graph-opts depth=3,verbose,noirqs -m 2M sleep 0.1 >out
grep -q 'sleep-[0-9]* .*do_nanosleep() {' out || { cat out; exit 1; }
unchanged function_graph

# A call of 0.1 s is in the row for that time.
perf ftrace latency -v -T do_nanosleep sleep 0.1 >out 2>said
grep -q '^    64 - 128  ms |          1 | #####' out || { cat out said; exit 1; }
grep -qE '^ +max time: +10[0-9]{4}$|^ +max time: +1[12][0-9]{4}$' out || { cat out; exit 1; }
unchanged latency

perf ftrace latency -n --bucket-range 50000000 --max-latency 200000000 --hide-empty -T do_nanosleep sleep 0.1 >out
grep -q '^  100000.00 - 150000.00 us |          1 ' out || { cat out; exit 1; }

# The same by BPF, and the time between two events.
if perf check -q feature bpf && [ -e /sys/kernel/btf/vmlinux ]; then
	perf ftrace latency -b --hide-empty -T do_nanosleep sleep 0.1 >out
	grep -q '^    64 -  128 ms |          1 | #####' out || { cat out; exit 1; }
	! perf ftrace latency -b -T nonesuch true 2>said
	grep -q "there is no function .nonesuch." said || { cat said; exit 1; }
	perf ftrace latency -b -e syscalls:sys_enter_clock_nanosleep,syscalls:sys_exit_clock_nanosleep --hide-empty \
		sleep 0.1 >out
	grep -q '^    64 -  128 ms |          1 | #####' out || { cat out; exit 1; }
	unchanged BPF
fi

perf ftrace profile -T '*nanosleep' -s name sleep 0.1 >out
[ "$(head -n 1 out)" = '# Total (us)   Avg (us)   Max (us)      Count   Function' ]
grep -qE '^ +1[0-9]{5}\.[0-9]{3} +1[0-9]{5}\.[0-9]{3} +1[0-9]{5}\.[0-9]{3} +1   do_nanosleep$' out || { cat out; exit 1; }
unchanged profile

# A profile of many functions, and one with a buffer that is too small.
perf ftrace profile -T 'vfs_*' --graph-opts depth=5 sleep 0.1 >out
grep -q '   vfs_read$' out || { cat out; exit 1; }
perf ftrace profile -T 'ksys_*' -T 'vfs_*' -m 4K dd if=/dev/zero of=/dev/null bs=1 count=20000 >out 2>said
grep -q 'records were lost' said || { cat said; exit 1; }
unchanged losses

# --inherit follows children.
perf ftrace -T do_nanosleep sh -c 'sleep 0.1; true' >out
! grep -q 'do_nanosleep <-' out || { cat out; exit 1; }
perf ftrace -T do_nanosleep --inherit sh -c 'sleep 0.1; true' >out
[ "$(grep -c 'do_nanosleep <-' out)" = 1 ] || { cat out; exit 1; }

# Missing and misspelt functions.
! perf ftrace -T do_nanoslep true 2>said
grep -q "Did you mean 'do_nanosleep'?" said || { cat said; exit 1; }
! perf ftrace -G nonesuch true 2>said
grep -q "there is no function 'nonesuch'" said
! perf ftrace $graph ./nonesuch >out 2>said
unchanged errors

# Signals and a reader that closes the pipe.
for signal in INT TERM HUP; do
	timeout -s $signal 1 perf ftrace -a $graph >out || [ $? = 124 ]
	unchanged SIG$signal
done
(
	perf ftrace -a $graph 2>said || true
	echo >ended
) | head -n 1 >out &
until [ -e ended ]; do sleep 0.1; done
wait
unchanged 'a closed pipe'

# Another program's tracer, and another program's events.
echo function >$tracing/current_tracer
! perf ftrace $graph true 2>said
grep -q "the tracer 'function' is at work" said || { cat said; exit 1; }
perf ftrace -T do_nanosleep sleep 0.1 >out
grep -q 'do_nanosleep <-' out || { cat out; exit 1; }
[ "$(cat $tracing/current_tracer)" = function ]
echo nop >$tracing/current_tracer
unchanged 'another tracer'

# Two at once: the global buffer allows only one.
: >out
perf ftrace $graph sleep 3 >out &
until [ -s out ]; do sleep 0.1; done
! perf ftrace $graph true 2>said
grep -q 'another perf ftrace is at work' said || { cat said; exit 1; }
perf ftrace -T do_nanosleep sleep 0.1 >out2
grep -q 'do_nanosleep <-' out2
wait
grep -q 'do_nanosleep()' out || { cat out; exit 1; }
unchanged 'two at once'

# kill -9: the next one restores everything and says so.
for way in "$graph" '-T do_nanosleep'; do
	: >out
	perf ftrace -a $way >out &
	until [ -s out ]; do sleep 0.1; done
	kill -9 $!
	wait || true
	settings >after
	! diff before after >/dev/null || { echo "kill -9 of $way left nothing behind"; exit 1; }
	perf ftrace -T do_nanosleep true >out 2>said
	grep -q 'a perf ftrace that was killed' said || { cat said; exit 1; }
	unchanged "kill -9 of $way"
done
