#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of `perf kmem` on this kernel: known numbers of allocations appear in recordings and in the counts of BPF
# programs.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
failed=0
holder=
trap '[ -z "$holder" ] || kill "$holder" 2>/dev/null; rm -rf "$work"' EXIT

fail() {
	echo "FAILED: $*"
	failed=1
}

[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }
perf check -q feature bpf && has_bpf=yes || has_bpf=
cc -O1 -o load "$top/tests/live/kmem-load.c" || { echo 'needs a compiler'; exit 77; }

# between NAME NUMBER LOW HIGH
between() {
	[ "${2:-0}" -ge "$3" ] && [ "${2:-0}" -le "$4" ] || fail "$1: ${2:-none}, not $3 to $4"
}

# hits FILE: prints how many files were made, by alloc_empty_file() or the part of it that the compiler did not inline.
hits() {
	sed -nE 's/^ (alloc_empty_file|__alloc_file)\+[^|]*\|[^|]*\|[^|]*\| *([0-9]*) \|.*/\2/p' "$1" | awk '{ n += $1 } END { print n }'
}

# requests FILE: prints the number of page allocations in the summary.
requests() {
	sed -n 's/^Total allocation requests *: *\([0-9]*\) .*/\1/p' "$1"
}

# sums_agree FILE: checks that the columns add up to the summary.
sums_agree() {
	awk -F'|' '/^ [^ ].*\|/ && $2 ~ /[0-9]\// { split($2, a, "/"); split($3, r, "/"); hits += $4; alloc += a[1]; req += r[1] }
		/^Total bytes requested/ { wants_req = $0; sub(/.*: */, "", wants_req) }
		/^Total bytes allocated/ { wants_alloc = $0; sub(/.*: */, "", wants_alloc) }
		/^Total bytes wasted/ { waste = $0; sub(/.*: */, "", waste) }
		/^Cross CPU/ { n = $0; sub(/.*\//, "", n) }
		END { exit !(hits == n && alloc == wants_alloc && req == wants_req && waste == alloc - req) }' "$1" ||
		fail "$1: the rows do not add up to the summary: $(tail -8 "$1")"
}

# Other processes open files too while the whole system is recorded: the numbers are at least ours.
perf kmem record -q -o files.data -- ./load files 5000 2>err || fail "record: $(cat err)"
perf kmem stat -i files.data --caller >files 2>err || fail "stat: $(cat err)"
between 'files in a recording' "$(hits files)" 5000 1000000
sums_agree files

perf kmem record --page -q -o pages.data -- ./load pages 3000 2>err || fail "record --page: $(cat err)"
perf kmem stat -i pages.data --page --caller >pages 2>err || fail "stat --page: $(cat err)"
between 'pages in a recording' "$(requests pages)" 3000 1000000
grep -q 'GFP_HIGHUSER_MOVABLE' pages || fail "no names of flags: $(head -5 pages)"

# Both kinds at once; the installed perf can read our recording.
perf kmem --slab --page record -q -o both.data -- true 2>err || fail "record of both: $(cat err)"
perf kmem stat -i both.data --slab --page >both 2>err || fail "stat of both: $(cat err)"
grep -q 'SUMMARY (SLAB' both && grep -q 'SUMMARY (page' both || fail "one is missing: $(cat both)"
if [ -x /usr/bin/perf ]; then
	/usr/bin/perf kmem -i files.data --caller stat >theirs 2>/dev/null && { cmp -s files theirs ||
		fail "the installed perf shows something else: $(diff files theirs | head -5)"; }
fi

if [ "$has_bpf" ] && perf kmem stat --bpf -- true >/dev/null 2>err; then
	# A command alone: exactly its own allocations, and those of its start.
	perf kmem stat --bpf --caller -- ./load files 5000 >files 2>err || fail "--bpf: $(cat err)"
	between 'files, by BPF' "$(hits files)" 5000 5030
	sums_agree files
	perf kmem stat --bpf --page --caller -- ./load pages 3000 >pages 2>err || fail "--bpf --page: $(cat err)"
	between 'pages, by BPF' "$(requests pages)" 3000 3300
	perf kmem stat --bpf --caller -a -- ./load files 5000 >files 2>err || fail "--bpf -a: $(cat err)"
	between 'files of the system, by BPF' "$(hits files)" 5000 1000000

	# Memory that is not freed has a row of its own.
	cat >start.sh <<'SCRIPT'
./load hold 700 ready &
echo $! >pid
while [ ! -e ready ]; do sleep 0.1; done
SCRIPT
	perf kmem stat --bpf --live -- sh start.sh >live 2>err || fail "--live: $(cat err)"
	holder=$(cat pid)
	n=$(sed -nE 's/^ (alloc_empty_file|__alloc_file)\+[^|]*\|[^|]*\| *([0-9]*) \|.*/\2/p' live)
	between 'files that are held' "$n" 700 730
	kill "$holder"
	holder=

	# The status is that of the command.
	perf kmem stat --bpf -- sh -c 'exit 3' >/dev/null 2>&1
	[ $? = 3 ] || fail 'the status is not that of the command'
else
	echo "without BPF: $(head -1 err)"
fi
exit $failed
