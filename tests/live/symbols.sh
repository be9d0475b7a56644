#!/bin/sh
# SPDX-License-Identifier: MIT
# Addresses have the same names as with the installed perf: in programs with and without symbols, call stubs, C++, the
# kernel and its vdso; and `perf kallsyms` prints the same bytes.
skip() {
	echo "$1"
	exit 77
}

oracle=${ORACLE_PERF:-/usr/bin/perf}
PERF=${PERF:-$(command -v perf)}
"$oracle" version 2>/dev/null | grep -q 'version 6\.1\.' || skip 'no perf 6.1 is installed'
[ "$(id -u)" = 0 ] || skip 'only root may see kernel addresses'
command -v "${CC:-cc}" >/dev/null || skip 'no C compiler'
grep -q '^0*[1-9a-f]' /proc/kallsyms || skip 'kernel addresses are hidden'
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
HOME=$dir
export HOME
fail=0

# Calls through stubs, into the kernel and the vdso.
cat >load.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
	struct timespec t;
	char text[64];
	unsigned long sum = 0;

	for (int i = 0; i < 200000; i++) {
		snprintf(text, sizeof(text), "%lu", sum);
		sum += strlen(text) + (unsigned long)atoi(text);
		clock_gettime(CLOCK_MONOTONIC, &t);
		sum += (unsigned long)t.tv_nsec;
		if (i % 16 == 0)
			sum += (unsigned long)getppid();
	}
	return sum == 0;
}
END
"${CC:-cc}" -O1 -fno-builtin -o plain load.c || skip 'the C compiler makes no programs'
cp plain stripped && strip stripped
"${CC:-cc}" -O1 -fno-builtin -static -no-pie -o static load.c 2>/dev/null || rm -f static

for program in plain stripped static; do
	[ -x "$program" ] || continue
	# Beside a perf that records with build-ids in mappings, it crashes unless it requests them itself.
	"$oracle" record -q -e cpu-clock -F 5000 -o "$program.data" "./$program" >/dev/null 2>&1 ||
		"$oracle" record -q --buildid-mmap -e cpu-clock -F 5000 -o "$program.data" "./$program" >/dev/null 2>err ||
		{ cat err; skip 'the installed perf cannot record here'; }
	"$oracle" script -i "$program.data" -F ip,sym,symoff,dso >theirs 2>/dev/null
	"$PERF" script -i "$program.data" -F ip,sym,symoff,dso >ours 2>/dev/null
	[ -s theirs ] || skip 'the installed perf shows no samples'
	# perf 6.1 takes the first call stubs for a part of _init, which lies before them, does not name those of x86_64
	# that are in .plt.got and .plt.sec, and may not name the BPF programs of other users.
	paste theirs ours | awk -F '\t' -v OFS='\t' '
		$1 !~ / _init\+/ && $2 !~ / bpf_prog_/ && !($1 ~ / \[unknown\] / && $2 ~ /@plt\+/)' >rest
	cut -f 1 rest >theirs
	cut -f 2 rest >ours
	[ "$(wc -l <rest)" -gt 100 ] || { echo "$program: hardly anything to compare"; fail=1; }
	cmp -s theirs ours || {
		echo "$program: names differ:"
		diff theirs ours | head -n 6
		fail=1
	}
done

# Every tenth symbol of the kernel.
awk 'NR % 10 == 0 && $4 == "" { print $3 }' /proc/kallsyms >names
xargs -n 1000 "$oracle" kallsyms <names >theirs 2>/dev/null
xargs -n 1000 "$PERF" kallsyms <names >ours
# On x86_64 perf 6.1 finds nothing after the kernel's text, which it takes for its first code:
# docs/differences/kallsyms.md.
paste theirs ours | awk -F '\t' '
	NR == FNR { split($1, line, " "); if (NF == 1) listed[line[3] ": 0x" line[1]]; if (line[3] == "_etext") text_end = "0x" line[1]; next }
	{ split($2, word, " "); place = word[4]; sub(/-.*/, "", place) }
	$1 ~ /: not found$/ && place >= text_end && ((word[1] " " place) in listed) { next }
	{ print }' /proc/kallsyms - >rest
cut -f 1 rest >theirs
cut -f 2 rest >ours
[ "$(grep -vc ': not found$' theirs)" -gt 1000 ] || { echo 'perf kallsyms: hardly anything to compare'; fail=1; }
cmp -s theirs ours || {
	echo 'perf kallsyms differs:'
	diff theirs ours | head -n 6
	fail=1
}

# Each perf reads the cache that the other has filled.
for pair in "$oracle $PERF" "$PERF $oracle"; do
	rm -rf .debug
	# shellcheck disable=SC2086 # two words
	set -- $pair
	"$1" buildid-cache --add "$dir/plain"
	"$2" buildid-cache --list | grep -q "$dir/plain\$" || {
		echo "$2 does not see what $1 cached"
		fail=1
	}
done
exit $fail
