/* SPDX-License-Identifier: MIT */
/*
 * Who wakes a task, and where: a program at a raw tracepoint, which makes no event of its own, and
 * sends to one. Without a term, the event has the name of the map:
 *
 *	perf record -g -e ./wakeups.bpf.c -a -- sleep 1
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(int));
	__uint(value_size, sizeof(int));
} wakeups SEC(".maps");

/* Types of the kernel: the members that are needed, which the loader finds by their names. */
struct task_struct {
	int pid;
	char comm[16];
} __attribute__((preserve_access_index));

struct wakeup {
	int pid;
	char comm[16];
};

SEC("tp_btf/sched_wakeup")
int on_wakeup(__u64 *ctx)
{
	const struct task_struct *task = (void *)ctx[0];
	struct wakeup w = { .pid = task->pid };

	bpf_probe_read_kernel_str(w.comm, sizeof(w.comm), task->comm);
	bpf_perf_event_output(ctx, &wakeups, BPF_F_CURRENT_CPU, &w, sizeof(w));
	return 0;
}

char _license[] SEC("license") = "GPL";
