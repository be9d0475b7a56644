# SPDX-License-Identifier: MIT
# Hardware counts: cycles are counted, alone, in groups and on each CPU. Where the machine counts instructions
# (run-in-vm -i), the counts for a program that does the same every time equal those of the installed perf.
work=$(mktemp -d)
cd "$work"

value() {
	perf stat -x, "$@" 2>&1 | tee -a /dev/stderr | head -n 1 | cut -d, -f1
}

case $(value -e cycles true 2>/dev/null) in
'<not supported>')
	echo "qemu has no counters of $(uname -m)"
	exit 77
	;;
esac
[ "$(value -e cycles true)" -gt 1000 ]
[ "$(value -e cycles:u true)" -gt 100 ]
[ "$(value -a -e cycles true)" -gt 1000 ]
perf stat -x, -e '{cycles,task-clock}' true 2>&1 | grep -v 'not counted'
perf stat -e cycles,task-clock true 2>&1 | tee -a /dev/stderr | grep -qE ' cycles +# +[0-9.]+ GHz'
perf stat -a -A -x, -e cycles true 2>&1 | grep -q '^CPU0,[1-9]'

# If there are more events than counters, the events take turns, and are scaled.
many=$(yes cycles:u | head -n 12 | paste -sd,)
perf stat -x, -e "$many" sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done' >rows 2>&1
grep -c '^[1-9]' rows | grep -qx 12 || { cat rows; exit 1; }

reference=/usr/bin/perf
case $(value -e instructions:u true) in
'<not supported>' | 0)
	echo "instructions are not counted here: boot with -i"
	exit 0
	;;
esac
[ -x $reference ] || { echo "there is no $reference to compare with"; exit 0; }
command -v cc >/dev/null || { echo "there is no compiler"; exit 0; }

# Only a loop: no C library, no dynamic linker, the same path each time.
case $(uname -m) in
aarch64) leave='mov x0, #0; mov x8, #93; svc #0' ;;
x86_64) leave='xor %edi, %edi; mov $60, %eax; syscall' ;;
*) echo "no program for $(uname -m)"; exit 0 ;;
esac
cat >loop.c <<C
void _start(void)
{
	for (volatile int i = 0; i < 100000; i++)
		;
	__asm__ volatile("$leave");
}
C
cc -O1 -nostdlib -static -no-pie -fno-stack-protector -o loop loop.c

# An interrupt in the wrong place sometimes adds a few thousand, to either of them: the same count must appear within a
# small number of tries.
same_count() {
	for try in 1 2 3 4 5 6 7 8; do
		$reference stat -i -x, -e "$1" ./loop 2>theirs
		perf stat -i -x, -e "$1" ./loop 2>ours
		cut -d, -f1 theirs >a
		cut -d, -f1 ours >b
		! cmp -s a b || return 0
	done
	echo "not once the same in $try tries:"
	cat theirs ours
	return 1
}
for event in instructions:u cycles:u; do
	same_count $event || exit 1
	[ "$(cat b)" -gt 300000 ] || { cat ours; exit 1; }
done

# In a group, and with the ratio computed from it.
perf stat -i -e '{instructions:u,cycles:u}' ./loop 2>&1 | tee text | grep -qE ' insn per cycle' || { cat text; exit 1; }
