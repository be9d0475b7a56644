# SPDX-License-Identifier: MIT
# Reports where there are counters, kprobes and modules: shares of a known program by cycles, a probe's arguments as
# keys, a module's code; byte for byte as the installed perf prints them.
work=$(mktemp -d)
cd "$work"
reference=/usr/bin/perf
cc=$(command -v cc || command -v gcc) || {
	echo "there is no compiler"
	exit 77
}

# With this file the installed perf takes modules for parts of the kernel.
: >empty
mount --bind empty /proc/kcore
modprobe loop
probes=/sys/kernel/tracing/kprobe_events
case $(uname -m) in
x86_64) argument=%si ;;
*) argument=%x1 ;;
esac
echo "p:probe/loop_control loop_control_ioctl command=$argument:x32" >$probes
trap 'echo >$probes; umount /proc/kcore' EXIT

cat >spin.c <<'C'
volatile unsigned long sink;

__attribute__((noinline)) static void heavy(void)
{
	for (unsigned long i = 0; i < 3000000; i++)
		sink += i;
}

__attribute__((noinline)) static void light(void)
{
	for (unsigned long i = 0; i < 1000000; i++)
		sink += i;
}

__attribute__((noinline)) static void both(void)
{
	heavy();
	light();
	sink++;
}

int main(void)
{
	both();
	return 0;
}
C
"$cc" -O0 -fno-omit-frame-pointer -o spin spin.c

# Leaves out empty lines and the tip. Leaves out the row of _start in ld.so, whose last instruction is a call, which the
# installed perf counts for the next function (docs/differences/stacks.md). Leaves out rows of the stubs of a PLT with
# their trees, of which it knows only some names (docs/differences/symbols.md).
comparable() {
	sed '/^$/d; /^# (Tip/d; s/_dl_start_user/_start/' |
		awk '/^ *[0-9.]+%/ { is_other = /\[\.\] (0x[0-9a-f]*|\.plt|[^ ]*@plt|_start) *$/ } !is_other'
}

# compare FILE OPTION...: checks that both report the same.
compare() {
	file=$1
	shift
	[ -x $reference ] || return 0
	$reference report --stdio "$@" -i "$file" 2>/dev/null | comparable >expected
	perf report --stdio "$@" -i "$file" 2>/dev/null | comparable >got
	cmp -s expected got || {
		echo "perf report $* -i $file is not what $reference prints:"
		diff expected got | head -n 10
		exit 1
	}
}

# On aarch64 a leaf's caller may differ (docs/differences/stacks.md), on x86_64 it may not.
perf record -q -g -e cycles:u -F 5000 -o calls.data ./spin 2>/dev/null
# Without a PMU samples follow the emulated clock, which is not reliable for shares.
share() {
	perf report --stdio --no-children -g none -t , -i calls.data 2>/dev/null | awk -F, "/$1/ { print int(\$1) }"
}
[ "$(share heavy)" -gt "$(share light)" ]
if [ "$(uname -m)" = aarch64 ]; then
	[ "$(share heavy)" -gt 65 ]
	[ "$(share heavy)" -lt 85 ]
fi
perf report --stdio --no-children -g caller,folded -s sym -i calls.data 2>/dev/null | grep -q 'main;both;heavy$'
[ "$(uname -m)" = aarch64 ] || compare calls.data

perf record -q -e cycles:u -F 5000 -o flat.data ./spin 2>/dev/null
compare flat.data
compare flat.data -s sym -n
compare flat.data --header

perf record -q -e probe:loop_control -g -o probe.data losetup -f >/dev/null
for options in '' '-s trace' '-s command' '-s comm,dso,sym -g none' '--no-children -g folded -s sym'; do
	# shellcheck disable=SC2086 # words
	compare probe.data $options
done
perf report --stdio -s dso -g none -i probe.data 2>/dev/null | grep -q '\[loop\]'

perf record -q -a -e cycles -F 500 -o system.data sleep 0.2 2>/dev/null
compare system.data -s comm,dso
compare system.data -s cpu
