# SPDX-License-Identifier: MIT
# Stacks unwound in the kernel equal those unwound from copies, on both machines and with older verifiers; likewise
# where threads wait.
top=$PWD
work=$(mktemp -d)
cd "$work"
perf check -q feature bpf || { echo 'this perf has no BPF programs'; exit 77; }
[ -e /sys/kernel/btf/vmlinux ] || { echo 'this kernel has no BTF'; exit 77; }
cc=$(command -v cc || command -v gcc) || { echo 'no C compiler'; exit 77; }
"$cc" -O2 -fomit-frame-pointer -o load "$top/tests/live/bpf-stacks-load.c"

# Files that have not been read yet take long to come over 9p, and so do their rules.
perf record -q -e cpu-clock -F 400 --call-graph bpf -o first.data ./load 1 >/dev/null 2>said || { cat said; exit 1; }

cat >compare.awk <<'A'
function compare(    i, n) {
	n = count[0] < count[1] ? count[0] : count[1]
	for (i = 0; i < n; i++)
		if (frame[0, i] != frame[1, i])
			return 0
	return n > 2
}
function keep(    i) {
	count[0] = count[1]
	when[0] = when[1]
	for (i = 0; i < count[1]; i++)
		frame[0, i] = frame[1, i]
}
function done() {
	if (has && when[1] - when[0] < 0.001 && frame[0, 0] == frame[1, 0]) {
		if (compare())
			same++
		else
			other++
		has = 0
		return
	}
	keep()
	has = 1
}
NF == 2 { if (count[1]) done(); when[1] = $2 + 0; count[1] = 0 }
NF == 1 { frame[1, count[1]++] = $1 }
END { done(); printf "%d the same, %d differ\n", same, other; exit other * 100 > same ? 2 : same < 100 }
A
# Both stacks of each sample are in the file. A copy may be cut. On a slow machine the load is over before there are
# enough stacks, and then it gets more time.
for seconds in 1 5 20; do
	perf record -e cpu-clock -F 400 --call-graph bpf,check -o check.data ./load $seconds >/dev/null 2>said || { cat said; exit 1; }
	grep -q 'Unwound [1-9][0-9]* of [0-9]* stacks in the kernel' said || { cat said; exit 1; }
	perf script -i check.data -F tid,time,ip --no-inline >both
	enough=0
	awk -f compare.awk both >counted || enough=$?
	[ $enough = 1 ] || break
done
[ $enough = 0 ] || { cat counted said; head -n 300 both; exit 1; }
perf script -i check.data -F ip,sym --no-inline >names
for name in recurse qsort handle; do
	grep -q "$name" names || { echo "nothing of $name"; head -n 300 names; exit 1; }
done

# Without frame pointers the stack of a waiting thread begins in main().
perf record --off-cpu --call-graph bpf -e dummy -o wait.data sh -c 'sleep 0.1; sleep 0.1; sleep 0.3' >/dev/null 2>said ||
	{ cat said; exit 1; }
perf script -i wait.data --comm sleep -F period,ip,sym --no-inline >waits
grep -q 'nanosleep' waits || { cat said; cat waits; exit 1; }
