#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of BPF programs as events: sources and objects of both forms, terms, filters, samples that a program sends,
# errors, and that nothing stays in the kernel; and the display of a program's own code.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/waiting"
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
failed=0
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAILED: $*"
	failed=1
}

[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }
perf check -q feature bpf || { echo 'needs a build with BPF programs'; exit 77; }
command -v clang >/dev/null || { echo 'needs clang'; exit 77; }

# The old form of maps; both ways to send samples, and a value that a term sets.
cat >old.c <<'C'
#include <uapi/linux/bpf.h>
#define SEC(NAME) __attribute__((section(NAME), used))
struct bpf_map_def { unsigned int type, key_size, value_size, max_entries; };
static long (*output)(void *, void *, unsigned long, void *, unsigned long) = (void *)BPF_FUNC_perf_event_output;
static void *(*look_up)(void *, void *) = (void *)BPF_FUNC_map_lookup_elem;
struct bpf_map_def SEC("maps") channel = { BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, __NR_CPUS__ };
struct bpf_map_def SEC("maps") numbers = { BPF_MAP_TYPE_ARRAY, 4, 8, 8 };
SEC("syscalls:sys_enter_getcwd")
int on_getcwd(void *ctx)
{
	int key = 4;
	__u64 *number = look_up(&numbers, &key);

	if (number)
		output(ctx, &channel, 0xffffffffUL, number, 8);
	return 0;
}
char _license[] SEC("license") = "GPL";
int _version SEC("version") = LINUX_VERSION_CODE;
C
perf record -q -g -o old.data -e bpf-output/no-inherit,name=evt/ \
	-e './old.c/map:channel.event=evt,map:numbers.value[3...5]=258/' -- /bin/pwd >/dev/null 2>err ||
	fail "the old form: $(cat err)"
perf script -i old.data >out 2>err
grep -q 'evt:' out || fail "no sample of the event: $(head -3 out err)"
grep -q 'BPF output: 0000: 02 01 00 00 00 00 00 00' out || fail "not the number of the term: $(head -30 out)"
grep -q 'syscalls:sys_enter_getcwd' out && fail 'what returns 0 makes samples'

# The present form: the event of a map that no term mentions is named after the map.
cat >new.bpf.c <<'C'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, 4);
} calls SEC(".maps");
static __attribute__((noinline)) int step(int x)
{
	for (int i = 0; i < 1000; i++)
		x = x * 31 + i;
	return x;
}
SEC("tp/syscalls/sys_enter_getcwd")
int every(void *ctx)
{
	return 1;
}
SEC("raw_tp/sys_enter")
int raw(__u64 *ctx)
{
	int number = step(ctx[1]);

	if (ctx[1] == GETCWD)
		bpf_perf_event_output(ctx, &calls, BPF_F_CURRENT_CPU, &number, 4);
	return 0;
}
char _license[] SEC("license") = "GPL";
C
case $(uname -m) in
x86_64) getcwd=79 ;;
*) getcwd=17 ;;
esac
sed -i "s/GETCWD/$getcwd/" new.bpf.c
perf record -q -o new.data -e ./new.bpf.c -a -- /bin/pwd >/dev/null 2>err || fail "today's form: $(cat err)"
[ "$(perf evlist -i new.data | grep -cE '^(syscalls:sys_enter_getcwd|calls)$')" = 2 ] ||
	fail "the events are $(perf evlist -i new.data | tr '\n' ' ')"
perf script -i new.data >out
grep -q 'syscalls:sys_enter_getcwd' out || fail 'what returns 1 makes no samples'
grep -q '^ *pwd .* calls: ' out || fail 'what a program puts out makes no samples'

# An object file works as an event, too; a program filters it.
printf '[llvm]\n\tdump-obj = true\n' >config
PERF_CONFIG=$work/config perf record -q --dry-run -e ./old.c 2>err || fail "--dry-run: $(cat err)"
[ -s old.o ] || fail 'llvm.dump-obj keeps no object'
PERF_CONFIG=$work/config perf record -q --dry-run -e ./new.bpf.c 2>err || fail "--dry-run: $(cat err)"
n=$(perf stat -x, -e ./new.bpf.o -- /bin/pwd 2>&1 >/dev/null | sed -n 's/^\([0-9]*\),.*getcwd.*/\1/p')
[ "${n:-0}" -ge 1 ] || fail "an object counts ${n:-nothing}"
n=$(perf stat -x, -e ./old.o -- /bin/pwd 2>&1 >/dev/null | sed -n 's/^\([0-9]*\),.*getcwd.*/\1/p')
[ "$n" = 0 ] || fail "what returns 0 is counted: $n"

# A program's own code, with its source lines, after the program is gone.
perf record -q -o code.data -e cpu-clock -e ./new.bpf.o -a -- \
	dd if=/dev/zero of=/dev/null bs=1 count=20000 2>err || fail "$(cat err)"
name=$(perf report -i code.data --stdio 2>/dev/null | grep -o 'bpf_prog_[0-9a-f]*_step' | head -1)
[ -n "$name" ] || fail 'the program is not in the report'
perf annotate -i code.data --stdio "$name" >out 2>err
grep -q 'x = x \* 31 + i;' out || fail "no source of $name: $(head -5 out err)"
perf script -i code.data --show-bpf-events | grep -q PERF_RECORD_BPF_EVENT || fail 'no record of programs'

# The same for a program that comes and goes during another recording.
perf record -q -o late.data -e cpu-clock -F 2000 -a -- sleep 60 2>/dev/null &
recorder=$!
until_true test -s late.data
perf record -q -o x.data -e ./new.bpf.o -a -- dd if=/dev/zero of=/dev/null bs=1 count=20000 2>err || fail "$(cat err)"
kill -INT $recorder
wait $recorder
perf annotate -i late.data --stdio "$name" >out 2>err
grep -q 'x = x \* 31 + i;' out || fail "no source of a program that came later: $(head -5 out err)"

# Arguments in a section are parameters of the function.
cat >target.c <<'C'
struct inner { int a; short flags; };
struct thing { long x; struct inner *in; };
__attribute__((noinline)) long work(struct thing *t, int n, unsigned char c)
{
	__asm__ volatile("" ::: "memory");
	return t->in->flags + n + c;
}
int main(void)
{
	struct inner in = { 5, -77 };
	struct thing t = { 9, &in };

	return work(&t, -100, 200) == 0;
}
C
cat >args.c <<C
#include <uapi/linux/bpf.h>
#define SEC(NAME) __attribute__((section(NAME), used))
struct bpf_map_def { unsigned int type, key_size, value_size, max_entries; };
static long (*output)(void *, void *, unsigned long, void *, unsigned long) = (void *)BPF_FUNC_perf_event_output;
struct bpf_map_def SEC("maps") channel = { BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, __NR_CPUS__ };
SEC("exec=$work/target;work=work t->in->flags n c")
int on_work(void *ctx, int err, long flags, long n, long c)
{
	long out[4] = { err, flags, n, c };

	output(ctx, &channel, 0xffffffffUL, out, sizeof(out));
	return 1;
}
char _license[] SEC("license") = "GPL";
int _version SEC("version") = LINUX_VERSION_CODE;
C
if "${CC:-cc}" -O1 -g -o target target.c && perf record -q -o args.data -e ./args.c ./target 2>err; then
	perf script -i args.data >out
	for row in '0000: 00 00 00 00 00 00 00 00' '0008: b3 ff ff ff ff ff ff ff' '0010: 9c ff ff ff ff ff ff ff' \
		'0018: c8 00 00 00 00 00 00 00'; do
		grep -q "$row" out || fail "arguments of a function: $(cat out)"
	done
	grep -q 'work: (.*) flags=-77 n=-100' out || fail "fields of the probe: $(cat out)"
	perf trace -o lines -e ./args.c ./target 2>err || fail "perf trace: $(cat err)"
	grep -q 'target/[0-9]* channel(00 00 00 00 00 00 00 00 b3 ff ' lines || fail "perf trace: $(cat lines err)"
	grep -q 'perf_bpf_probe:work(.*flags: -77, n: -100, c: 200)' lines || fail "perf trace: $(cat lines err)"
else
	fail "arguments: $(cat err)"
fi

# Messages say what is wrong, and in which file and line.
echo 'int f(void) { return x; }' >bad.c
perf record -q -o x.data -e ./bad.c true 2>err && fail 'a bad source'
grep -q "bad.c:1:.*error: use of undeclared identifier 'x'" err || fail "clang's words: $(cat err)"
perf record -q -o x.data --clang-path=/nowhere/clang -e ./old.c true 2>err && fail 'no clang'
grep -q 'apt-get install clang' err || fail "no clang: $(cat err)"
sed 's/if (number)//' old.c >unread.c
perf record -q -o x.data -e ./unread.c -a true 2>err && fail 'the verifier'
grep -q 'the kernel refuses the program' err || fail "the verifier: $(cat err)"
grep -q 'unread.c:1[0-9]' err || fail "no line of the source: $(cat err)"
perf record -q -o x.data -e ./old.c/map:nope.value=1/ true 2>err && fail 'no such map'
grep -q "no map 'nope'" err || fail "no such map: $(cat err)"

# Nothing is left in the kernel, although perf was killed.
perf record -q -o killed.data -e ./new.bpf.o -a 2>/dev/null &
pid=$!
has_program() { grep -qs '^prog_id:' "/proc/$1/fdinfo"/*; }
until_true is_recording $pid && has_program $pid || fail 'no program is loaded'
id=$(grep -hs '^prog_id:' "/proc/$pid/fdinfo"/* | head -1 | tr -dc 0-9)
kill -9 $pid
wait $pid 2>/dev/null
if command -v bpftool >/dev/null; then
	is_gone() { ! bpftool prog show id "$id" >/dev/null 2>&1; }
	until_true is_gone || fail 'a program stays behind'
fi
[ -z "$(find /sys/fs/bpf -name '*raw*' 2>/dev/null)" ] || fail 'something is pinned'
exit $failed
