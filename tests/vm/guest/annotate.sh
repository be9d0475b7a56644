# SPDX-License-Identifier: MIT
# The kernel's code: a function of the kernel and one of a module as they are in memory, with the percentages and
# addresses of the installed perf; a message says what is missing where they cannot be read; and two recordings differ
# by the change between them.
work=$(mktemp -d)
cd "$work"
reference=/usr/bin/perf

# says TEXT COMMAND...: checks that the output is in the file text.
says() {
	expected=$1
	shift
	"$@" >text 2>&1 || :
	grep -qF "$expected" text || { echo "not said: $expected"; cat text; exit 1; }
}

# hot PERF FILE SYMBOL: prints percentages and addresses of the instructions with samples.
hot() {
	"$1" annotate --stdio -i "$2" "$3" 2>/dev/null |
		sed -nE 's/^ +([0-9.]+) +: +([0-9a-f]+):.*/\1 \2/p' | grep -v '^0\.00 '
}

copy() {
	perf record -q -o "$1" dd if=/dev/zero of=/dev/null bs="$2" count=2000 2>/dev/null
}
copy large.data 64k
copy small.data 1k
symbol=$(perf report --stdio --no-children -s sym -i large.data 2>/dev/null |
	sed -nE 's/.* \[k\] ([a-z_0-9]+) *$/\1/p' | head -n 1)
perf annotate --stdio -i large.data "$symbol" >text 2>&1
grep -q "^ *: .* <$symbol>:\$" text || { cat text; exit 1; }
hot perf large.data "$symbol" >got
[ -s got ]
if [ -x $reference ]; then
	hot $reference large.data "$symbol" >expected
	cmp expected got || { diff expected got | head -n 20; exit 1; }
fi

probes=/sys/kernel/tracing/kprobe_events
modprobe loop
echo 'p:probe/loop_control loop_control_ioctl' >$probes
trap 'echo >$probes' EXIT
perf record -q -e probe:loop_control -o module.data losetup -f >/dev/null
perf annotate --stdio -i module.data loop_control_ioctl >text 2>&1
grep -qE '^ +100\.00 :' text || { cat text; exit 1; }

: >empty
mount --bind empty /proc/kcore
says 'no vmlinux with build-id' perf annotate --stdio -i large.data "$symbol"
says /proc/kcore perf annotate --stdio -i large.data "$symbol"
umount /proc/kcore
echo 2 >/proc/sys/kernel/kptr_restrict
says kptr_restrict perf annotate --stdio -i large.data "$symbol"
says kptr_restrict perf record -o hidden.data true
echo 0 >/proc/sys/kernel/kptr_restrict

# Clearing the small blocks takes a smaller share, perhaps too small for a sample.
perf diff -s sym large.data small.data 2>/dev/null | grep -E "\[k\] $symbol *\$" | tee text |
	grep -qE '^ +[0-9.]+% +(-[0-9]|\[k\])' ||
	{ cat text; exit 1; }
