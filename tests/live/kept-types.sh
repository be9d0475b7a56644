#!/bin/sh
# SPDX-License-Identifier: MIT
# Results about data types are the same whether they are computed, kept for the next run, or read from the kept files;
# and they follow the debug files as those come, change and go.
skip() {
	echo "$1"
	exit 77
}

PERF=${PERF:-$(command -v perf)}
command -v objcopy >/dev/null && command -v strip >/dev/null || skip 'no binutils'
top=$(cd "$(dirname "$0")/../.." && pwd)
command -v python3 >/dev/null || skip 'no python3'
fixtures=$top/tests/fixtures
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
HOME=$dir
export HOME
unset DEBUGINFOD_URLS
fail=0

# $1: the file for its output; the rest: a command.
run() {
	out=$1
	shift
	"$PERF" --buildid-dir cache "$@" >"$out" 2>stderr || {
		echo "$*: failed"
		cat stderr
		fail=1
	}
}

# Runs the command in "$@": at first nothing can be kept, then nothing was kept.
compare() {
	rm -rf "$cache"
	: >"$cache"
	run none "$@"
	rm -f "$cache"
	run first "$@"
	run second "$@"
	cmp -s none first || { echo "$*: another answer in the first run"; fail=1; }
	cmp -s none second || { echo "$*: another answer in the second run"; fail=1; }
}

# Files kept by one command are used by another one.
all_commands() {
	compare report --stdio -s type,typeoff,typecln "$@"
	[ "$(find "$cache" -name '*.types' | wc -l)" -ge 1 ] || { echo "nothing was kept"; fail=1; }
	run third annotate --stdio --data-type "$@"
	compare annotate --stdio --data-type "$@"
	cmp -s none third || { echo "annotate: another answer after a report"; fail=1; }
	compare annotate --stdio --type-stat "$@"
	compare annotate --stdio --insn-stat "$@"
	compare annotate --stdio --code-with-type "$@"
}

# Nothing is kept for files without a build-id, and nothing is written below symfs.
mkdir -p symfs/tmp
cache=$dir/cache
for machine in x86_64 aarch64; do
	"$top/tests/live/kept-types.py" "$fixtures/types/symfs/tmp/$machine" symfs/tmp/$machine || exit 1
	all_commands --symfs "$dir/symfs" -i "$fixtures/types/$machine.data"
done
[ ! -e symfs/.debug ] || { echo 'something was written below symfs'; fail=1; }

cat >load.c <<'END'
struct pair { long left; struct pair *next; long TAIL; };
struct pair pairs[64];

static __attribute__((noinline)) long walk(struct pair *p, unsigned long n)
{
	long sum = 0;

	for (; n; n--, p = p->next)
		sum += p->TAIL++;
	return sum;
}

int main(void)
{
	for (int i = 0; i < 64; i++)
		pairs[i].next = &pairs[(i + 1) % 64];
	return walk(pairs, 100000000) == 1;
}
END
"${CC:-cc}" -O1 -g -Wl,--build-id=0x1234567890abcdef1234567890abcdef -DTAIL=tail -o full load.c ||
	skip 'no C compiler'
"${CC:-cc}" -O1 -g -Wl,--build-id=0x1234567890abcdef1234567890abcdef -DTAIL=last -o other load.c
cp full program
"$PERF" record -q -e cpu-clock:u -F 2000 -N -o p.data ./program || exit 1
cache=$dir/cache
all_commands -i p.data
rm -rf cache

# $1: when, $2: the member of struct pair that has samples; none: the type is not known.
expect() {
	run types report --stdio -s typeoff -i p.data
	if [ "$2" = none ]; then
		grep -q 'struct pair' types && { echo "$1: a type from nowhere"; fail=1; }
	else
		grep -q "struct pair +0x10 ($2)" types || { echo "$1: no member $2"; fail=1; }
	fi
	cp types before
	run types report --stdio -s typeoff -i p.data
	cmp -s types before || { echo "$1: another answer in the second run"; fail=1; }
}

strip -o saved full
cp saved program
expect 'stripped' none
objcopy --only-keep-debug full program.debug
objcopy --add-gnu-debuglink=program.debug saved program
expect 'with a debug file' tail
objcopy --only-keep-debug other program.debug
expect 'with another debug file' last
rm program.debug
expect 'without it' none
cp full program
expect 'not stripped' tail

exit $fail
