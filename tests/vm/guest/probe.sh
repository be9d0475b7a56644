# SPDX-License-Identifier: MIT
# Probes of the kernel: by symbols alone they are defined as by the installed perf, listed, removed; refusals of the
# kernel are explained; of several, all are added or none.
work=$(mktemp -d)
cd "$work"
reference=/usr/bin/perf
events=/sys/kernel/tracing/kprobe_events
trap 'echo >$events' EXIT
echo >$events
# Symbols are available here, but not the program that is searched for debug information. The offset is that of the
# start of an instruction: on x86_64, the one after the call of ftrace.
case $(uname -m) in
aarch64) register=%x1 offset=8 ;;
*) register=%si offset=5 ;;
esac

fail() {
	echo "$*"
	exit 1
}

# Runs two commands in a row and prints the resulting probes of the kernel, which are the same for both.
defined() {
	"$1" probe -q "$2" "$3" >/dev/null 2>errors || fail "$1: $2 $3: $(cat errors)"
	cat $events
	echo >$events
}

same() {
	defined perf --add "$1" >got
	[ -s got ] || fail "$1: nothing was added"
	[ -x $reference ] || return 0
	defined $reference --add "$1" >expected
	cmp -s expected got || fail "$1: $(cat got) instead of $(cat expected)"
}

# refused DEFINITION WORDS: checks for these words, and that nothing stays behind.
refused() {
	if perf probe --add vfs_read --add "$1" >/dev/null 2>errors; then
		fail "$1 was added: $(cat $events)"
	fi
	grep -q "$2" errors || fail "$1: no '$2' in: $(cat errors)"
	[ ! -s $events ] || fail "$1: left behind: $(cat $events)"
}

same tcp_sendmsg
same 'tcp_sendmsg%return ret=$retval'
same "tcp_sendmsg+$offset $register"
same "mine:sent=tcp_sendmsg size=$register:u32"
same 'do_sys_open*'

perf probe tcp_sendmsg 2>said
cat >expected <<'T'
Added new event:
  probe:tcp_sendmsg    (on tcp_sendmsg)

You can now use it in all perf tools, such as:

	perf record -e probe:tcp_sendmsg -aR sleep 1

T
cmp expected said
if perf probe tcp_sendmsg 2>errors; then
	fail "the same name was added twice"
fi
grep -q 'event "tcp_sendmsg" already exists' errors
perf probe "tcp_sendmsg $register" -f 2>said # the option after the definition counts
grep -q 'probe:tcp_sendmsg_1  (on tcp_sendmsg with ' said

perf probe -l >list
cat >expected <<T
  probe:tcp_sendmsg    (on tcp_sendmsg)
  probe:tcp_sendmsg_1  (on tcp_sendmsg with $register)
T
cmp expected list
perf probe --list='*_1' >list
[ "$(wc -l <list)" = 1 ]

perf probe --del 'probe:*' 2>said
[ "$(cat said)" = "Removed event: probe:tcp_sendmsg
Removed event: probe:tcp_sendmsg_1" ]
[ ! -s $events ]

# A probe that is being recorded cannot be removed.
perf probe -q vfs_read
echo 1 >/sys/kernel/tracing/events/probe/vfs_read/enable
if perf probe -d vfs_read 2>errors; then
	fail "an event in use was removed"
fi
echo 0 >/sys/kernel/tracing/events/probe/vfs_read/enable
grep -q 'is in use' errors
perf probe -q -d vfs_read

refused no_such_function no_such_function
refused start_kernel 'cannot be probed'
refused notify_die 'cannot be probed\|blacklist'
refused 'sched:sched_switch=vfs_write' 'already exists'
refused 'vfs_write a=%nosuch' '%nosuch'
if [ "$(uname -m)" = aarch64 ]; then
	refused vfs_write+2 'not the beginning of an instruction'
else
	refused vfs_write+1 'boundary\|not the beginning of an instruction'
fi

# If one definition has several places, the possible ones are probed, and the others reported. The kernel refuses
# functions that it does not trace. ktime_get_raw_fast_ns is such a function in newer kernels, and an ordinary one in
# 5.10.
perf probe --add 'ktime_get_raw*' 2>said
grep -q '^p:probe/ktime_get_raw ' $events
functions=/sys/kernel/tracing/available_filter_functions
if [ -e $functions ] && ! grep -qx ktime_get_raw_fast_ns $functions; then
	grep -q 'A place is left out: ktime_get_raw_fast_ns cannot be probed' said ||
		fail "not told: $(cat said)"
	if grep -q '^p:probe/ktime_get_raw_fast_ns ' $events; then
		fail "a probe that the kernel refused is there: $(cat $events)"
	fi
else
	grep -q '^p:probe/ktime_get_raw_fast_ns ' $events ||
		fail "a place that can be probed was left out: $(cat said)"
fi
perf probe -q -d '*'

modprobe loop
perf probe -m loop lo_ioctl 2>said
grep -q 'probe:lo_ioctl       (on lo_ioctl in loop)' said
grep -q '^p:probe/lo_ioctl loop:lo_ioctl' $events
perf probe -l | grep -q 'probe:lo_ioctl       (on lo_ioctl in loop)'
perf probe -q -d '*'
