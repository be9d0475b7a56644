# SPDX-License-Identifier: MIT
# Counts of the kernel itself, which need no counters of the hardware: they equal those of the installed perf, for a
# program, for each CPU, in intervals, and repeated.
work=$(mktemp -d)
cd "$work"
reference=/usr/bin/perf
cc=$(command -v cc || command -v gcc) || { echo 'no C compiler'; exit 77; }
cat >touch.c <<'C'
#include <stdlib.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
	size_t size = (size_t)atoi(argv[argc - 1]) << 12;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(p, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < size; i += 4096)
		p[i] = 1;
	return 0;
}
C
"$cc" -O1 -o touch touch.c

# of EVENT: prints its count in the file "rows".
of() { awk -F, -v e="$1" '$3 == e { print $1 }' rows; }
counts() { perf stat -x, -o rows -e page-faults,minor-faults,context-switches,task-clock "$@" || { cat rows; exit 1; }; }
near() { awk "BEGIN { d = $1 - $2; exit !(d <= $3 && -d <= $3) }" || { echo "$1 and $2"; cat rows; exit 1; }; }

# The addresses of the loader and libc affect how many pages they take.
counts setarch -R ./touch 1
few=$(of page-faults)
counts setarch -R ./touch 2001
near "$(($(of page-faults) - few))" 2000 10
near "$(of page-faults)" "$(of minor-faults)" 3
awk "BEGIN { exit !($(of task-clock) > 0) }"
if [ -x $reference ]; then
	ours=$(of page-faults)
	$reference stat -x, -o rows -e page-faults setarch -R ./touch 2001
	near "$ours" "$(of page-faults)" 10
fi

perf stat -r 3 -e page-faults ./touch 1000 2>&1 | grep -qE '[0-9,]+ +page-faults.*\( \+- +[0-9.]+% \)'
perf stat -a -A -x, -e cpu-clock sleep 0.1 2>&1 | grep -c '^CPU[01],[1-9]' | grep -qx 2
perf stat -x, -o rows -I 100 -e page-faults sh -c 'sleep 0.15; ./touch 500; sleep 0.15'
awk -F, '$4 == "page-faults" { n++; sum += $2 } END { exit !(n >= 3 && sum >= 500) }' rows || { cat rows; exit 1; }

# A CPU that was offline for some time is reported, because the kernel has removed its counters.
online=/sys/devices/system/cpu/cpu1/online
if [ -w $online ]; then
	perf stat -a -o rows -e cpu-clock sh -c "echo 0 >$online; echo 1 >$online" 2>err
	grep -q 'CPU 1 went offline meanwhile' err || { cat err rows; exit 1; }
fi
