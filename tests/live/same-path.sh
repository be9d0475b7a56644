#!/bin/sh
# SPDX-License-Identifier: MIT
# Names come from the file that ran, even if another file has its path: in a container, after it was rebuilt or deleted,
# and beside another recorder. In two builds of a program, the names of the hot and the cold function are exchanged, so
# that the names of the wrong file look as plausible as the right ones.
skip() {
	echo "$1"
	exit 77
}

here=$(cd "$(dirname "$0")" && pwd)
PERF=${PERF:-$(command -v perf)}
[ "$(id -u)" = 0 ] || skip 'only root records others and makes namespaces'
dir=$(mktemp -d)
trap 'finish; rm -rf "$dir"' EXIT
cd "$dir" || exit 1
HOME=$dir
export HOME
fail=0
running=

# Ends the background processes.
finish() {
	for pid in $running; do
		kill -9 "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
	done
	running=
}

cat >load.c <<'END'
#include <stdlib.h>
#include <unistd.h>

#include "with-frames.h"

static __attribute__((noinline)) void spin(long n)
{
	KEEP_FRAME();
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
		COLD(COLD_TURNS); /* so that the builds differ in more than names */
	}
	return 0;
}
END
# build NAME HOT COLD COLD_TURNS
build() {
	"${CC:-cc}" -O1 -g -fno-inline -fno-ipa-icf -fno-omit-frame-pointer -DHOT="$2" -DCOLD="$3" \
		-DCOLD_TURNS="$4" -I "$here" -o "$1" load.c
}
build alpha alpha beta 300000 && build beta beta alpha 300001 || skip 'no C compiler'

# Prints the callers of spin() in a profile, the most frequent first: "alpha beta". With a pid: in that process. On
# x86_64 a sample of its first instructions, which make its frame, has its caller's caller instead: a few in a thousand.
callers() {
	"$PERF" script -i "$1" ${2:+--pid "$2"} -F ip,sym 2>script.err | awk '
		/^$/ { n = 0; next }
		++n == 2 && prev == "spin" { count[$2]++; all++ }
		{ prev = $2 }
		END { for (name in count) if (count[name] > all / 50) print count[name], name }' |
		sort -rn | awk '{ printf "%s%s", sep, $2; sep = " " } END { print "" }'
}

# check WHAT FILE CALLERS [PID]
check() {
	found=$(callers "$2" "$4")
	[ "$found" = "$3" ] && return
	echo "$1: spin() is called by '$found', not by '$3'"
	cat script.err
	fail=1
}

# Begins the program $1 in the background, until finish(); its pid is in $last. With a second word the program is in a
# mount namespace in which the directory `inside` is mounted over `host`.
begin() {
	if [ -n "$2" ]; then
		unshare --mount sh -c 'mount --bind inside host && exec "$1" 1000000' sh "$1" &
	else
		"$1" 1000000 &
	fi
	last=$!
	running="$running $last"
	# The process becomes the program after the mount.
	until [ "$(tr '\0' ' ' <"/proc/$last/cmdline")" = "$1 1000000 " ]; do
		[ -d "/proc/$last" ] || skip 'a program cannot be started'
		sleep 0.1
	done
}

record() {
	"$PERF" record -q -g -e cpu-clock -F 2000 "$@" || exit 1
}

# Another recorder requests build-ids from the kernel: bits of its records remain in ours.
"$PERF" record -q -a --buildid-mmap -e dummy -o other.data sleep 1000 &
running=$!
until pgrep -x -P "$running" sleep >/dev/null; do sleep 0.1; done
running="$running $(pgrep -x -P "$running" sleep)"
record -o beside.data ./alpha 100
check 'beside a recorder with build-ids' beside.data 'alpha beta'
finish

# A program that is rebuilt while it runs, and after it has run.
cp alpha app
begin ./app
(sleep 0.3 && rm app && cp beta app) &
record -o rebuilt.data -p "$last" sleep 0.6
wait $!
check 'rebuilt while it runs' rebuilt.data 'alpha beta'
finish
rm app && cp alpha app
record -o runs.data sh -c './app 100; rm app; cp beta app; ./app 100'
first=$("$PERF" script -i runs.data -F comm,pid 2>/dev/null | awk '$1 == "app" { print $2; exit }')
second=$("$PERF" script -i runs.data -F comm,pid 2>/dev/null | awk '$1 == "app" { pid = $2 } END { print pid }')
check 'rebuilt, what ran first' runs.data 'alpha beta' "$first"
check 'rebuilt, what ran then' runs.data 'beta alpha' "$second"

# A rebuilt program without names in the file or the cache: addresses, and a sentence. With its build-id in the map it
# is found in the cache.
rm app && cp alpha app
record -B -o known.data ./app 50
record -B --no-buildid-mmap -o bare.data ./app 50
mv app gone && cp beta app
check 'rebuilt after recording with -B' known.data 'alpha beta'
check 'rebuilt after recording with -B, without build-ids' bare.data ''
"$PERF" report --stdio -i bare.data 2>&1 >/dev/null | grep -q 'app.*replaced' || {
	echo 'nobody says that app was replaced'
	fail=1
}

# A program that is overwritten between two runs has the same inode: only build-ids distinguish the runs.
rm app && cp alpha app
record -o over.data sh -c './app 100; cp beta app; ./app 100'
first=$("$PERF" script -i over.data -F comm,pid 2>/dev/null | awk '$1 == "app" { print $2; exit }')
second=$("$PERF" script -i over.data -F comm,pid 2>/dev/null | awk '$1 == "app" { pid = $2 } END { print pid }')
check 'copied over, what ran first' over.data 'alpha beta' "$first"
check 'copied over, what ran then' over.data 'beta alpha' "$second"
rm app && cp alpha app
"$PERF" record --no-buildid-mmap -g -e cpu-clock -F 2000 -o over.data sh -c './app 100; cp beta app; ./app 100' 2>err
grep -q 'app. will have no names' err || {
	echo 'record does not say that app was copied over'
	fail=1
}
check 'copied over between two runs' over.data ''

# A deleted program that is still running.
rm app && cp alpha app
begin ./app
rm app
record -N -o deleted.data -p "$last" sleep 0.3
check 'deleted, while it runs' deleted.data 'alpha beta'
finish

# A container: another file at the same path, in a mount namespace that ends.
unshare --mount true 2>/dev/null || skip 'namespaces cannot be made here'
mkdir inside host
cp alpha inside/app
cp beta host/app
begin host/app
outside=$last
begin host/app inside
contained=$last
record -o p.data -p "$contained" sleep 0.3
record --no-buildid-mmap -o inodes.data -a sleep 0.5
record -o a.data -a sleep 0.5
record -z -o z.data -a sleep 0.5
record --buildid-mmap -o id.data -p "$contained" sleep 0.3
check 'in a container, by its build-id' id.data 'alpha beta'
finish
check 'in a container, -p' p.data 'alpha beta'
check "in a container, by its inode" inodes.data "alpha beta" "$contained"
check "beside a container, by its inode" inodes.data "beta alpha" "$outside"
check 'in a container, -a' a.data 'alpha beta' "$contained"
check 'beside a container, -a' a.data 'beta alpha' "$outside"
check 'in a container, -z' z.data 'alpha beta' "$contained"
check 'beside a container, -z' z.data 'beta alpha' "$outside"
[ "$("$PERF" buildid-list -i a.data | grep -c '/host/app$')" = 2 ] || {
	echo 'two files of one path are not two build-ids'
	fail=1
}
record -o workload.data unshare --mount sh -c 'mount --bind inside host; exec host/app 200'
check 'a container that has ended' workload.data 'alpha beta'

# Short-lived processes of a container, unwound while they are recorded, by inodes and by build-ids.
for option in --no-buildid-mmap --no-buildid-cache --buildid-mmap; do
	"$PERF" record -q --call-graph dwarf -e cpu-clock -F 2000 "$option" -o dwarf.data \
		unshare --mount sh -c 'mount --bind inside host; for i in $(seq 20); do host/app 20; done' ||
		exit 1
	mv host/app beta.app && cp alpha host/app
	check "short-lived in a container, $option" dwarf.data 'alpha beta'
	"$PERF" script -i dwarf.data --comm app -F ip,sym 2>/dev/null | awk -v RS= '
		/ (alpha|beta|spin)\n/ { n++; main += / main/ }
		END { if (n < 20 || main < n * 0.95) { print "of", n, "stacks only", main, "have main"; exit 1 } }' || fail=1
	mv beta.app host/app
done

exit $fail
