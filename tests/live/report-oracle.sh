#!/bin/sh
# SPDX-License-Identifier: MIT
# Reports are byte for byte those of the installed perf 6.1, from recordings that it made: Python, a compiler's
# processes, the system, tracepoints and a group, with the options of report-oracle.txt. The tip, which is random, is
# left out. Differences listed in report-oracle.except, with reasons, are allowed.
skip() {
	echo "$1"
	exit 77
}

here=$(cd "$(dirname "$0")" && pwd)
oracle=${ORACLE_PERF:-/usr/bin/perf}
PERF=${PERF:-$(command -v perf)}
"$oracle" version 2>/dev/null | grep -q 'version 6\.1\.' || skip 'no perf 6.1 is installed'
[ "$(id -u)" = 0 ] || skip 'only root may see kernel addresses'
for program in python3 gcc; do
	command -v "$program" >/dev/null || skip "no $program"
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

# Prints the times of samples that have a caller at the start of a function, because its call was the end of the
# previous function.
never_returning() {
	awk -v RS= -F '\n' '{ for (i = 3; i <= NF; i++) if ($i ~ /\+0x0$/) { split($1, t, "[ .:]+"); print t[t[1] == "" ? 2 : 1] t[t[1] == "" ? 3 : 2]; next } }' theirs
}

# Prints the times of samples in the code before the first stub of .plt, and in BPF programs of other users and the
# vdso, which perf 6.1 may not name: -N keeps no copy of it.
only_ours() {
	awk '$1 ~ /^[0-9]+\.[0-9]+:$/ { time = $1; gsub(/[.:]/, "", time) } $NF ~ /^(\.plt\+|bpf_prog_|__vdso_|__kernel_)/ { print time }' ours
}

# Prints the times of samples in call stubs that perf 6.1 does not name, calls _init, or in libraries of x86 with ifuncs
# takes for others: docs/differences/symbols.md.
misnamed_stubs() {
	wrong='^(\[unknown\]$|_init\+)'
	[ "$(uname -m)" != x86_64 ] || wrong="$wrong|@plt\\+"
	wrong=$wrong awk '
		$1 ~ /^[0-9]+\.[0-9]+:$/ { time = $1; gsub(/[.:]/, "", time); sub(/^[^:]*:/, "") }
		{ place = time " " $1; name = $0; sub(/^[ \t]*[^ \t]+[ \t]+/, "", name) }
		FILENAME == "theirs" { if (name ~ ENVIRON["wrong"]) other[place] = name; next }
		name ~ /@plt\+/ && (place in other) && other[place] != name { print time }' theirs ours
}

# Build-ids recorded by other users, with build-ids in mappings, crash perf 6.1, unless it requests them itself. Then it
# keeps neither the times of the first and last sample nor inodes.
ids=
may_be_compared() {
	case $ids$* in
	--buildid-mmap*--time* | --buildid-mmap*--mmaps*) return 1 ;;
	esac
}

# Records with the installed perf. Samples that without-registers.py reports are left out.
record() {
	name=$1
	shift
	"$oracle" record -q $ids -o whole.data "$@" >/dev/null 2>&1 ||
		"$oracle" record -q ${ids:=--buildid-mmap} -o whole.data "$@" >/dev/null 2>err ||
		{ cat err; skip 'the installed perf cannot record here'; }
	"$oracle" script -i whole.data --ns -F time,ip,sym,symoff >theirs 2>/dev/null
	"$PERF" script -i whole.data --ns -F time,ip,sym,symoff >ours 2>/dev/null
	{ never_returning; only_ours; misnamed_stubs; } | "$here/without-registers.py" whole.data "$name.data" || exit 1
}

cat >load.py <<'END'
import json
import re

words = re.findall(r"\w+", open(json.__file__).read() * 3)
for _ in range(25):
    table = {}
    for word in words:
        table.setdefault(word.lower(), []).append(len(word))
    json.loads(json.dumps(table))
    sorted(words, key=lambda w: w[::-1])
END
for i in $(seq 150); do
	echo "int f$i(int *a, int n) { int s = $i; for (int i = 0; i < n; i++) s += a[i] * (s ^ i); return s; }"
done >load.c

record python -N -e cpu-clock -F 1500 -g python3 load.py
record build -N -e cpu-clock -F 1500 -g gcc -O1 -o load.o -c load.c
record system -N -e cpu-clock -F 800 -a gcc -O1 -o load.o -c load.c
record points -N -e raw_syscalls:sys_enter -e sched:sched_switch sh -c 'ls / | sort; ls -l /usr | wc -l'
record group -e '{cpu-clock/period=1000000/,page-faults/period=1/}' -g gcc -o load.o -c load.c

# Some program of the system may run from a memfd, which may hold JIT code; the rest of a tree is called inlined by
# chance: docs/differences/report.md.
shown() {
	"$@" 2>/dev/null | grep -av '^# (Tip\|memfd:' | sed 's/--\[\.\.\.\] (inlined)$/--[...]/'
}

may_differ() {
	grep -v '^#' "$here/report-oracle.except" | cut -d '|' -f 1 | sed 's/ *$//' | grep -qxF -- "$1"
}

compare() {
	name=$1
	shift
	may_be_compared "$@" || return
	shown "$oracle" report --stdio -i "$name.data" "$@" >theirs
	shown "$PERF" report --stdio -i "$name.data" "$@" >ours
	if cmp -s theirs ours || may_differ "$name: $*"; then
		return
	fi
	echo "$name: $*"
	diff theirs ours | head -n 8
	fail=1
}

fail=0
set -f	# options may look like patterns
while IFS= read -r line; do
	case $line in
	'#'*) continue ;;
	esac
	for name in ${line%%:*}; do
		# shellcheck disable=SC2086 # words
		compare "$name" ${line#*:}
	done
done <"$here/report-oracle.txt"
if [ -n "${KEEP:-}" ]; then
	set +f
	cp ./*.data "$KEEP"
fi
exit $fail
