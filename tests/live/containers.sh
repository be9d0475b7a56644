#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs in a container have names while it runs: its files are found through the process, and the map of its run-time
# code under the number that the process has inside the container.
skip() {
	echo "$1"
	exit 77
}

PERF=${PERF:-$(command -v perf)}
[ "$(id -u)" = 0 ] || skip 'only root makes namespaces'
unshare --mount --pid --fork --mount-proc true 2>/dev/null || skip 'namespaces cannot be made here'
top=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
program=
trap '[ -z "$program" ] || kill -9 "$program"; rm -rf "$dir"' EXIT
cd "$dir" || exit 1
HOME=$dir
export HOME
fail=0

# Runs code in memory, named by a map, and its own code.
cat >load.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__aarch64__)
static const uint32_t code[] = { 0xf1000400, 0x54ffffe1, 0xd65f03c0 };
#else
static const uint8_t code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };
#endif

static __attribute__((noinline)) unsigned long in_program(unsigned long n)
{
	unsigned long sum = 0;

	for (unsigned long i = 0; i < n; i++) {
		sum += i * sum ^ n;
		__asm__ volatile("" ::: "memory");
	}
	return sum;
}

int main(void)
{
	void *m = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[64];
	FILE *f;

	if (m == MAP_FAILED)
		return 2;
	memcpy(m, code, sizeof(code));
	__builtin___clear_cache(m, (char *)m + sizeof(code));
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int)getpid());
	f = fopen(name, "w");
	if (!f)
		return 2;
	fprintf(f, "%lx %zx in_memory\n", (unsigned long)(uintptr_t)m, sizeof(code));
	fclose(f);
	puts("ready");
	fflush(stdout);
	for (int i = 0; i < 10000; i++) {
		((uint64_t(*)(uint64_t))(uintptr_t)m)(6000000);
		in_program(3000000);
		usleep(1000);
	}
	return 0;
}
END
"${CC:-cc}" -O1 -o load load.c || skip 'no C compiler'
mkfifo out

# The program exists only inside, on a file system of its own, as does its /tmp.
cat >container.sh <<'END'
mount -t tmpfs none /tmp && mkdir /tmp/bin && cp /proc/self/fd/9 /tmp/bin/contained &&
	chmod +x /tmp/bin/contained && exec /tmp/bin/contained
END
unshare --mount --pid --fork --mount-proc sh "$dir/container.sh" 9<load >out 2>/dev/null &
read -r _ <out
program=$(pgrep -x -P $! contained)
[ -n "$program" ] || skip 'the container does not start'
"$PERF" record -q -B -N --namespaces -e cpu-clock -F 2000 -p "$program" -o c.data \
	"$top/tests/live/until-ran" "$program" 100 || exit 1

images=$("$PERF" buildid-list -i c.data)
[ "$(echo "$images" | sort | uniq -d)" = '' ] || {
	echo 'an image is listed twice:'
	echo "$images"
	fail=1
}

names() {
	"$PERF" script -i c.data -F ip,sym,dso 2>stderr | sed 's/^ *[0-9a-f]* //' | sort | uniq -c >out.txt
}

names
grep -q ' in_program (/tmp/bin/contained)$' out.txt && grep -q " in_memory (/tmp/perf-$program.map)\$" out.txt || {
	echo 'in a container that runs:'
	cat out.txt stderr
	fail=1
}
kill -9 "$program"
while [ -d "/proc/$program" ]; do sleep 0.1; done
rm -f "/tmp/perf-$program.map" # another recorder of the whole machine may have copied it
names
grep -q ' \[unknown\] (/tmp/bin/contained)$' out.txt && grep -q "Failed to open /tmp/perf-$program.map" stderr || {
	echo 'of a container that is gone:'
	cat out.txt stderr
	fail=1
}
program=
exit $fail
