#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares perf annotate with objdump, which knows every address and target, and with the installed perf, which knows
# the shares: C with and without debug information, C++ with inlined functions, a stripped program, and code of another
# machine.
skip() {
	echo "$1"
	exit 77
}

top=$(cd "$(dirname "$0")/../.." && pwd)
PERF=${PERF:-$(command -v perf)}
oracle=${ORACLE_PERF:-/usr/bin/perf}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
HOME=$dir
export HOME
fail=0

problem() {
	echo "$*"
	fail=1
}

"$PERF" version --build-options | grep -q 'libLLVM: \[ on' || skip 'built without a disassembler'
command -v objdump >/dev/null || skip 'no objdump'
"${CC:-cc}" -g -O2 -D_GNU_SOURCE -pthread -o c "$top/tests/live/report-load.c" || skip 'no C compiler'
"${CC:-cc}" -O1 -D_GNU_SOURCE -pthread -o plain "$top/tests/live/report-load.c"
"${CC:-cc}" -O1 -s -D_GNU_SOURCE -pthread -o stripped "$top/tests/live/report-load.c"
cat >inlined.cc <<'SOURCE'
#include <algorithm>
#include <cstdio>
#include <vector>
struct number {
	int value;
	bool operator<(const number &other) const { return value < other.value; }
};
__attribute__((noinline)) void work(std::vector<number> &v)
{
	for (int i = 0; i < 60; i++) {
		for (auto &n : v)
			n.value = n.value * 1103515245 + 12345;
		std::sort(v.begin(), v.end());
	}
}
int main()
{
	std::vector<number> v(20000);
	work(v);
	printf("%d\n", v[7].value);
}
SOURCE
"${CXX:-c++}" -g -O2 -o inlined inlined.cc 2>/dev/null || rm -f inlined

# Prints the rows of code in a listing, as "share address target"; for a group, the first event's shares.
rows() {
	sed -n 's/^ *\([0-9.]*\)[ 0-9.]* : *\([0-9a-f]*\): *\(.*\)$/\1 \2 \3/p' "$1" |
		sed 's/ <.*$//; s/\([^ ]* [^ ]* [^ ]*\).*[ ,]\([0-9a-f]\{3,\}\)$/\1 \2/' | awk '{ print $1, $2, $3, $NF }'
}

# Prints the same without shares, from objdump's output.
dumped() {
	"$1" -d --no-show-raw-insn "$2" | sed -n 's/^ *\([0-9a-f]*\):[[:space:]]*\(.*\)$/0 \1 \2/p' |
		sed 's/ <.*$//; s/\([^ ]* [^ ]* [^ 	]*\).*[ 	,]\([0-9a-f]\{3,\}\)$/\1 \2/' | awk '{ print $2, $3, $NF }'
}

# Keeps branches and calls only: their addresses and targets are numbers in both.
branches() {
	awk '$2 ~ /^(b|bl|b\..*|cbn?z|tbn?z|j.*|call)$/ && $3 ~ /^[0-9a-f]+$/' | sort -u
}

# Checks that every address and target of listing $1 is in objdump's output for program $2, which $3 dumps.
check_targets() {
	rows "$1" | awk '{ print $2, $3, $4 }' >ours
	dumped "$3" "$2" >theirs
	awk '{ print $1 }' ours | sort -u >ours.addresses
	awk '{ print $1 }' theirs | sort -u >theirs.addresses
	[ -s ours ] || problem "$2: no code"
	comm -23 ours.addresses theirs.addresses >strange
	[ ! -s strange ] || problem "$2: addresses that objdump does not have:" "$(head -n 5 strange)"
	branches <ours >ours.branches
	branches <theirs >theirs.branches
	[ -s ours.branches ] || problem "$2: no branches"
	comm -23 ours.branches theirs.branches >strange
	[ ! -s strange ] || problem "$2: targets that objdump does not have:" "$(head -n 5 strange)"
}

# Checks that the shares of each function add up.
check_sums() {
	awk '/Source code & Disassembly/ { if (n && (sum < 99.5 || sum > 100.5)) print sum; n++; sum = 0 }
		/^ *[0-9.]+ : / { sum += $1 }
		END { if (n && (sum < 99.5 || sum > 100.5)) print sum }' "$1" >sums
	[ ! -s sums ] || problem "$1: shares add up to" "$(cat sums)"
}

# Checks that shares and addresses are those of the installed perf.
check_oracle() {
	[ -x "$oracle" ] || return
	"$oracle" annotate -f -i "$1" --stdio >theirs.text 2>/dev/null || return
	rows "$2" | awk '{ print $1, $2 }' | sort >ours
	rows theirs.text | awk '{ print $1, $2 }' | sort >theirs
	cmp -s ours theirs || problem "$1: not as the installed perf has it:" "$(diff ours theirs | head -n 5)"
}

# Only the program is compared: the kernel may run BPF programs of other users in it, which the installed perf does not
# show.
for program in c plain inlined; do
	[ -x "$program" ] || continue
	"$PERF" record -q -e cpu-clock:u -F 5000 -o $program.data ./$program 30000000 >/dev/null || problem "cannot record $program"
	"$PERF" annotate -i $program.data --stdio >$program.text 2>$program.err || problem "annotate $program: $?"
	"$PERF" annotate -i $program.data --stdio -d $program >$program.own 2>/dev/null
	check_targets $program.own ./$program objdump
	check_sums $program.text
	check_oracle $program.data $program.text
done

# Source lines, and the lines with the largest shares.
"$PERF" annotate -i c.data --stdio -l heavy >lines.text 2>/dev/null || problem 'annotate -l'
grep -q '^ *: [0-9]* *sink += i;$' lines.text || problem 'no source:' "$(head -n 30 lines.text)"
grep -q '^ *[0-9.]* report-load.c:[0-9]*$' lines.text || problem 'no summary:' "$(head lines.text)"
line=$(grep -n 'sink += i' "$top/tests/live/report-load.c" | sed 's/:.*//' | tr '\n' '|')
grep -Eq "^ *: (${line%|}) *sink" lines.text || problem "wrong numbers of lines, not $line:" "$(grep sink lines.text)"
"$PERF" annotate -i c.data --stdio --no-source heavy >without.text 2>/dev/null
! grep -q 'sink += i;' without.text || problem 'source though it is not wanted'

# The sources were moved.
mkdir -p moved && cp "$top/tests/live/report-load.c" moved/
"${CC:-cc}" -g -O2 -D_GNU_SOURCE -pthread -ffile-prefix-map="$top/tests/live=/nowhere/at/all" -o away "$top/tests/live/report-load.c"
"$PERF" record -q -e cpu-clock -F 5000 -o away.data ./away 30000000
"$PERF" annotate -i away.data --stdio heavy 2>/dev/null | grep -q 'sink += i;' && problem 'source from nowhere'
"$PERF" annotate -i away.data --stdio --prefix="$dir/moved" --prefix-strip=3 heavy 2>/dev/null | grep -q 'sink += i;' ||
	problem 'sources that were moved are not found'

# Inlined functions are named.
if [ -x inlined ]; then
	grep -q 'number::operator<():$' inlined.text || problem 'no inlined functions:' "$(grep '():$' inlined.text | head)"
fi

# The functions of a stripped program have no names, and a message says so.
"$PERF" record -q -e cpu-clock -F 5000 -o stripped.data ./stripped 30000000
"$PERF" annotate -i stripped.data --stdio >stripped.text 2>stripped.err || problem "annotate stripped: $?"
grep -q 'stripped.*: it is stripped' stripped.err || problem 'not told that it is stripped:' "$(cat stripped.err)"

# Code of both machines, one of which is not this one, with its own objdump.
for machine in x86_64 aarch64; do
	cross=$(command -v $machine-linux-gnu-objdump) || continue
	root=$top/tests/fixtures/machines/$machine
	case $machine in
	x86_64) data=calls.data ;;
	*) data=counters.data ;;
	esac
	"$PERF" annotate -f -i "$root/$data" --symfs "$root/root" --stdio >cross.text 2>cross.err || problem "annotate $machine: $?"
	check_targets cross.text "$root/root/tmp/spin" "$cross"
done

# A recording as a stream.
"$PERF" record -q -e cpu-clock -F 5000 -o - ./plain 30000000 2>/dev/null | "$PERF" annotate -i - --stdio heavy >stream.text 2>stream.err ||
	problem 'a stream:' "$(cat stream.err)"
grep -q '<heavy>:$' stream.text || problem 'no function in a stream'

exit $fail
