#!/bin/sh
# SPDX-License-Identifier: MIT
# JIT code of a container that has ended has its names: record keeps the map that the process wrote in the container,
# and copies it to the place that readers look in.
skip() {
	echo "$1"
	exit 77
}

PERF=${PERF:-$(command -v perf)}
. "$(dirname "$0")/waiting"
[ "$(id -u)" = 0 ] || skip 'only root makes namespaces'
unshare --mount --pid --fork --mount-proc true 2>/dev/null || skip 'namespaces cannot be made here'
dir=$(mktemp -d)
maps=
program=
trap '[ -z "$program" ] || kill -9 "$program"; [ -z "$maps" ] || rm -f $maps; rm -rf "$dir"' EXIT
cd "$dir" || exit 1
HOME=$dir
export HOME
fail=0

# Runs code in memory, and writes the map that names it: at once, after a while, or at the end.
cat >load.c <<'END_C'
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#if defined(__aarch64__)
static const uint32_t code[] = { 0xf1000400, 0x54ffffe1, 0xd65f03c0 };
#else
static const uint8_t code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };
#endif

static void write_map(void *m)
{
	char name[64];
	FILE *f;

	snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int)getpid());
	f = fopen(name, "w");
	if (!f)
		_exit(2);
	fprintf(f, "%lx %zx in_memory\n", (unsigned long)(uintptr_t)m, sizeof(code));
	fclose(f);
}

/* Until it has used the CPU for so long. */
static void run(void *m, double seconds)
{
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);

	while (clock() < end)
		((uint64_t(*)(uint64_t))(uintptr_t)m)(3000000);
}

/* As JIT compilers do, so that recorders know of it. */
static void map_dump(void)
{
	char name[64];
	int fd;

	snprintf(name, sizeof(name), "/tmp/jit-%d.dump", (int)getpid());
	fd = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
	if (fd < 0 || ftruncate(fd, 4096) < 0 ||
	    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		_exit(2);
	close(fd);
}

int main(int argc, char **argv)
{
	const char *when = argc > 1 ? argv[1] : "";
	void *m = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char c;

	if (m == MAP_FAILED)
		return 2;
	memcpy(m, code, sizeof(code));
	__builtin___clear_cache(m, (char *)m + sizeof(code));
	if (argc > 2 && (write(STDOUT_FILENO, "ready\n", 6) < 0 || read(STDIN_FILENO, &c, 1) < 0))
		return 2;
	if (!strcmp(when, "early"))
		write_map(m);
	if (!strcmp(when, "dump"))
		map_dump();
	run(m, 0.2);
	if (!strcmp(when, "late"))
		write_map(m);
	run(m, 0.2);
	if (!strcmp(when, "exit"))
		write_map(m);
	return 0;
}
END_C
"${CC:-cc}" -O1 -o load load.c || skip 'no C compiler'

cat >contained <<'END_SH'
#!/bin/sh
# Its /tmp is its own, and disappears with the last process in there.
exec 9<load
mount -t tmpfs none /tmp && cp /proc/self/fd/9 /tmp/load && chmod +x /tmp/load && exec 9<&- && exec /tmp/load "$@"
END_SH
chmod +x contained

# Prints the map of the one process with JIT code in a recording.
map_of() {
	"$PERF" script -i "$1" -F comm,pid --comms load 2>/dev/null | awk '{ print "/tmp/perf-" $2 ".map"; exit }'
}

named() {
	"$PERF" script -i "$1" -F ip,sym,dso 2>stderr | grep -q ' in_memory (/tmp/perf-'
}

# In a recording of the whole machine there may be other maps besides ours.
is_copied() {
	grep -q "Copied the map of JIT code of a container's process to $map" out.txt ||
		{ grep -q 'Copied the maps of JIT code of [0-9]* processes in containers' out.txt && [ -s "$map" ]; }
}

# usage: expect WHAT FILE; the messages of record are in out.txt.
expect() {
	map=$(map_of "$2")
	maps="$maps $map"
	named "$2" && is_copied || {
		echo "$1:"
		cat out.txt stderr
		fail=1
	}
}

for when in early late exit; do
	"$PERF" record -e cpu-clock -F 500 -o "$when.data" \
		unshare --mount --pid --fork --mount-proc ./contained $when 2>out.txt || exit 1
	expect "a map that is written $when" "$when.data"
done

"$PERF" record -a -e cpu-clock -F 500 -o all.data \
	sh -c 'unshare --mount --pid --fork --mount-proc ./contained early; sleep 0.2' 2>out.txt || exit 1
expect 'record -a' all.data

"$PERF" record --call-graph dwarf --unwind=now -e cpu-clock -F 500 -o now.data \
	unshare --mount --pid --fork --mount-proc ./contained late 2>out.txt || exit 1
expect 'unwound while it is recorded' now.data

"$PERF" record --switch-output=1s --no-no-buildid --no-no-buildid-cache -e cpu-clock -F 500 -o switched.data \
	sh -c 'unshare --mount --pid --fork --mount-proc ./contained early; sleep 1.2' 2>out.txt || exit 1
expect 'several files' "$(ls switched.data.* | head -n 1)"

# The process shares our /tmp, but names its map by another number.
"$PERF" record -e cpu-clock -F 500 -o pid.data unshare --pid --fork ./load early 2>out.txt || exit 1
expect 'a pid namespace alone' pid.data
maps="$maps $(find /tmp -maxdepth 1 -name 'perf-[0-9].map' -newer contained)"

"$PERF" record -N -e cpu-clock -F 500 -o none.data \
	unshare --mount --pid --fork --mount-proc ./contained early 2>out.txt || exit 1
map=$(map_of none.data)
[ ! -e "$map" ] || {
	echo '-N makes a copy'
	maps="$maps $map"
	fail=1
}

# A dump is not copied, and a note says so.
"$PERF" record -e cpu-clock -F 500 -o dump.data \
	unshare --mount --pid --fork --mount-proc ./contained dump 2>out.txt || exit 1
grep -q "as its container runs: they are in '/tmp/jit-[0-9]*.dump'" out.txt || {
	echo 'a dump:'
	cat out.txt
	fail=1
}
(cd / && "$PERF" record -e cpu-clock -F 500 -o "$dir/here.data" "$dir/load" dump 2>"$dir/out.txt") || exit 1
maps="$maps $("$PERF" script -i here.data -F comm,pid --comms load 2>/dev/null | awk '{ print "/tmp/jit-" $2 ".dump"; exit }')"
! grep -q 'as its container runs' out.txt || {
	echo 'a dump that is in no container:'
	cat out.txt
	fail=1
}

# usage: begin_waiting; a process in a container that waits until a line is written to descriptor 8.
begin_waiting() {
	rm -f in out
	mkfifo in out
	unshare --mount --pid --fork --mount-proc ./contained early waits <in >out 2>/dev/null &
	shell=$!
	exec 8>in
	read -r _ <out
	program=$(pgrep -x -P $shell load)
	[ -n "$program" ] || skip 'the container does not start'
}

# usage: record_waiting FILE; records that process, which goes on once it is recorded, to its end.
record_waiting() {
	"$PERF" record -e cpu-clock -F 500 -o "$1" -p "$program" 2>out.txt 8>&- &
	recorder=$!
	until_true is_recording $recorder || fail=1
	echo >&8
	exec 8>&-
	wait $recorder
	program=
}

# Its /tmp, and the map in it, are made after record has started.
begin_waiting
record_waiting p.data
expect 'record -p' p.data

# A file that another user has put there stays.
begin_waiting
map=/tmp/perf-$program.map
maps="$maps $map"
echo 'of another user' >"$map"
chown 65534 "$map"
record_waiting foreign.data
[ "$(cat "$map")" = 'of another user' ] && grep -q "could not be copied to '$map': a file of another user" out.txt || {
	echo 'the file of another user:'
	cat "$map" out.txt
	fail=1
}

# Devices and links are not followed: neither is read, and nothing waits.
cat >contained <<'END_SH'
#!/bin/sh
exec 9<load
mount -t tmpfs none /tmp && cp /proc/self/fd/9 /tmp/load && chmod +x /tmp/load && exec 9<&-
mkfifo /tmp/perf-2.map
ln -s /etc/passwd /tmp/perf-3.map
/tmp/load none
/tmp/load none
END_SH
"$PERF" record -e cpu-clock -F 500 -o traps.data \
	unshare --mount --pid --fork --mount-proc ./contained 2>out.txt || exit 1
! grep -q 'Copied' out.txt || {
	echo 'a FIFO, or a link, is copied'
	cat out.txt
	fail=1
}
exit $fail
