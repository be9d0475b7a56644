#!/bin/sh
# SPDX-License-Identifier: MIT
# Names come from the file that ran, whatever else has its path: in a container, after it was rebuilt or
# deleted, and beside another recorder. Two builds of a program differ only in which of its functions, hot
# or cold, is called which, so that the names of the wrong file look as good as the right ones.
skip() {
	echo "$1"
	exit 77
}

PERF=${PERF:-$(command -v perf)}
[ "$(id -u)" = 0 ] || skip 'only root records others and makes namespaces'
dir=$(mktemp -d)
trap 'finish; rm -rf "$dir"' EXIT
cd "$dir" || exit 1
HOME=$dir
export HOME
fail=0
running=

# Ends what runs in the background.
finish() {
	for pid in $running; do
		kill -9 "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
	done
	running=
}

cat >load.c <<'END'
#include <stdlib.h>
#include <unistd.h>

static __attribute__((noinline)) void spin(long n)
{
	for (long i = 0; i < n; i++)
		__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) void HOT(long n)
{
	spin(n);
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) void COLD(long n)
{
	spin(n);
	__asm__ volatile("" ::: "memory");
}

/* Runs for as many turns as the first argument says; each takes some milliseconds. */
int main(int argc, char **argv)
{
	for (long i = argc > 1 ? atol(argv[1]) : 0; i > 0; i--) {
		HOT(3000000);
		COLD(300000);
	}
	return 0;
}
END
"${CC:-cc}" -O1 -fno-inline -fno-ipa-icf -fno-omit-frame-pointer -DHOT=alpha -DCOLD=beta -o alpha load.c &&
	"${CC:-cc}" -O1 -fno-inline -fno-ipa-icf -fno-omit-frame-pointer -DHOT=beta -DCOLD=alpha -o beta load.c ||
	skip 'no C compiler'

# The callers of spin() in a profile, the most frequent first: "alpha beta".
callers() {
	"$PERF" script -i "$1" -F ip,sym 2>script.err | awk '
		/^$/ { n = 0; next }
		++n == 2 && prev == "spin" { count[$2]++ }
		{ prev = $2 }
		END { for (name in count) print count[name], name }' | sort -rn | awk '{ printf "%s%s", sep, $2; sep = " " } END { print "" }'
}

# check WHAT FILE CALLERS
check() {
	found=$(callers "$2")
	[ "$found" = "$3" ] && return
	echo "$1: spin() is called by '$found', not by '$3'"
	cat script.err
	fail=1
}

# Another recorder that asks the kernel for build-ids: bits of its records are left in ours.
"$PERF" record -q -a --buildid-mmap -e dummy -o other.data sleep 1000 &
running=$!
until pgrep -x -P "$running" sleep >/dev/null; do sleep 0.1; done
running="$running $(pgrep -x -P "$running" sleep)"
"$PERF" record -q -g -e cpu-clock -F 2000 -o beside.data ./alpha 100 || exit 1
check 'beside a recorder with build-ids' beside.data 'alpha beta'
finish

exit $fail
