# SPDX-License-Identifier: MIT
# A source as an event: a probe of the kernel with arguments, and the system calls while a program runs.
work=$(mktemp -d)
cd "$work"
perf check -q feature bpf || { echo 'this perf has no BPF programs'; exit 77; }
[ -e /sys/kernel/btf/vmlinux ] || { echo 'this kernel has no BTF'; exit 77; }
command -v clang >/dev/null || { echo 'no clang'; exit 77; }

cat >reads.c <<'C'
#include <uapi/linux/bpf.h>
#define SEC(NAME) __attribute__((section(NAME), used))
struct bpf_map_def { unsigned int type, key_size, value_size, max_entries; };
static long (*output)(void *, void *, unsigned long, void *, unsigned long) = (void *)BPF_FUNC_perf_event_output;
struct bpf_map_def SEC("maps") channel = { BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, __NR_CPUS__ };
SEC("func=vfs_read count")
int on_read(void *ctx, int err, unsigned long count)
{
	unsigned long out[2] = { err, count };

	if (count == 12345)
		output(ctx, &channel, 0xffffffffUL, out, sizeof(out));
	return 0;
}
char _license[] SEC("license") = "GPL";
int _version SEC("version") = LINUX_VERSION_CODE;
C
perf record -q -g -o reads.data -e ./reads.c -- dd if=/dev/zero of=/dev/null bs=12345 count=3 2>said || { cat said; exit 1; }
perf script -i reads.data >out
[ "$(grep -c '0008: 39 30 00 00 00 00 00 00' out)" = 3 ] || { cat said out; exit 1; }
# On x86_64 a probe sees the instruction pointer after its breakpoint, which is a byte.
grep -q 'vfs_read+0x[01] ' out || { echo 'no stack'; cat out; exit 1; }
! grep -q perf_bpf_probe /sys/kernel/tracing/kprobe_events || { echo 'the probe stays'; exit 1; }

# The id of a program that runs at each system call is in a recording.
cat >calls.bpf.c <<'C'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, 4);
} calls SEC(".maps");
SEC("raw_tp/sys_enter")
int busy_at_calls(__u64 *ctx)
{
	volatile int x = 0;

	for (int i = 0; i < 200; i++)
		x += i;
	return 0;
}
char _license[] SEC("license") = "GPL";
C
perf record -q -o calls.data -e ./calls.bpf.c -a -- sleep 60 2>said &
recorder=$!
trap 'kill $recorder' EXIT
id=
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
	perf record -q -o ids.data -e dummy -a true
	id=$(perf script -i ids.data --show-bpf-events | awk '/KSYMBOL/ { mine = /busy_at_calls/ } mine && /BPF_EVENT/ { print $NF; exit }')
	[ -z "$id" ] || break
	sleep 1
done
[ -n "$id" ] || { echo 'the program is not in the recording'; cat said; exit 1; }
perf stat -b "$id" -e cpu-clock -x, -o counts dd if=/dev/zero of=/dev/null bs=1 count=2000 2>said || {
	cat said
	# If trampolines are missing, perf's message about it is enough.
	grep -q 'program' said || exit 1
	exit 0
}
awk -F, '$3 ~ /cpu-clock/ && $1 > 0 { found = 1 } END { exit !found }' counts || { cat counts said; exit 1; }
