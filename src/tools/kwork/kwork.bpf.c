/* SPDX-License-Identifier: MIT */
/*
 * Counts the run times of interrupts, softirqs and work items, or the times they wait before they
 * run; or the time that tasks and interrupts take of each CPU.
 *
 * A row belongs to one CPU, so two programs never write to it at once. Programs run within
 * interrupts, so all rows are allocated beforehand.
 */
#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "bpf/about.bpf.h"
#include "tools/kwork/bpf-types.h"

const volatile struct bpf_kwork_constants constants = { 0 };

#define KERNEL __attribute__((preserve_access_index))

struct irqaction {
	const char *name;
} KERNEL;

struct work_struct {
	void *func;
} KERNEL;

struct task_struct {
	int pid;
	char comm[16];
} KERNEL;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct bpf_kwork_key);
	__type(value, struct bpf_kwork_row);
} rows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, BPF_KWORK_COUNTS);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

static __always_inline void add_count(__u32 which)
{
	__u64 *count = bpf_map_lookup_elem(&counts, &which);

	if (count)
		*count += 1;
}

static __always_inline struct bpf_kwork_key key_of(__u32 class, __u64 id)
{
	return (struct bpf_kwork_key){ .id = id,
				       .cpu = bpf_get_smp_processor_id(),
				       .class = class };
}

/* Returns the row of @key, which is made if it is new; *@ret_new is then set. */
static __always_inline struct bpf_kwork_row *get_row(const struct bpf_kwork_key *key,
						     _Bool *ret_new)
{
	struct bpf_kwork_row *row = bpf_map_lookup_elem(&rows, key);
	struct bpf_kwork_row empty = { 0 };

	*ret_new = !row;
	if (row)
		return row;
	bpf_map_update_elem(&rows, key, &empty, BPF_NOEXIST);
	row = bpf_map_lookup_elem(&rows, key);
	if (!row)
		add_count(BPF_KWORK_FULL);
	return row;
}

static __always_inline void begin(struct bpf_kwork_row *row, __u32 unmatched)
{
	if (row->begin_ns)
		add_count(unmatched);
	row->begin_ns = bpf_ktime_get_ns();
}

static __always_inline void add(struct bpf_kwork_row *row, __u64 begin_ns)
{
	__u64 now = bpf_ktime_get_ns(), ns = now > begin_ns ? now - begin_ns : 0;

	row->begin_ns = 0;
	row->sum_ns += ns;
	if (!row->count || ns > row->max_ns) {
		row->max_ns = ns;
		row->max_begin_ns = begin_ns;
	}
	row->count++;
}

static __always_inline void end(struct bpf_kwork_row *row, __u32 unmatched)
{
	if (row && row->begin_ns)
		add(row, row->begin_ns);
	else
		add_count(unmatched);
}

/*
 * Returns the id for a row. For BPF_KWORK_USAGE, interrupts are counted by the task that they
 * interrupt.
 */
static __always_inline __u64 id_of(__u64 id)
{
	return constants.mode == BPF_KWORK_USAGE ? (__u32)bpf_get_current_pid_tgid() : id;
}

/* Arguments: the number, and the handler. */
SEC("tp_btf/irq_handler_entry")
int on_irq_entry(__u64 *ctx)
{
	struct irqaction *action = (void *)ctx[1];
	struct bpf_kwork_key key = key_of(BPF_KWORK_IRQ, id_of((__s64)(int)ctx[0]));
	_Bool is_new;
	struct bpf_kwork_row *row = get_row(&key, &is_new);

	if (!row)
		return 0;
	if (is_new)
		bpf_probe_read_kernel_str(row->name, sizeof(row->name), action->name);
	begin(row, BPF_KWORK_BEGINS);
	return 0;
}

SEC("tp_btf/irq_handler_exit")
int on_irq_exit(__u64 *ctx)
{
	struct bpf_kwork_key key = key_of(BPF_KWORK_IRQ, id_of((__s64)(int)ctx[0]));

	end(bpf_map_lookup_elem(&rows, &key), BPF_KWORK_ENDS);
	return 0;
}

/* The argument is the softirq's number. */
SEC("tp_btf/softirq_raise")
int on_softirq_raise(__u64 *ctx)
{
	struct bpf_kwork_key key = key_of(BPF_KWORK_SOFTIRQ, (__u32)ctx[0]);
	_Bool is_new;
	struct bpf_kwork_row *row = get_row(&key, &is_new);

	if (row)
		begin(row, BPF_KWORK_RAISES);
	return 0;
}

SEC("tp_btf/softirq_entry")
int on_softirq_entry(__u64 *ctx)
{
	struct bpf_kwork_key key = key_of(BPF_KWORK_SOFTIRQ, id_of((__u32)ctx[0]));
	_Bool is_new;
	struct bpf_kwork_row *row;

	if (constants.mode == BPF_KWORK_DELAY) {
		end(bpf_map_lookup_elem(&rows, &key), BPF_KWORK_BEGINS);
		return 0;
	}
	row = get_row(&key, &is_new);
	if (row)
		begin(row, BPF_KWORK_BEGINS);
	return 0;
}

SEC("tp_btf/softirq_exit")
int on_softirq_exit(__u64 *ctx)
{
	struct bpf_kwork_key key = key_of(BPF_KWORK_SOFTIRQ, id_of((__u32)ctx[0]));

	end(bpf_map_lookup_elem(&rows, &key), BPF_KWORK_ENDS);
	return 0;
}

static __always_inline void begin_work(struct work_struct *work, __u32 unmatched)
{
	struct bpf_kwork_key key = key_of(BPF_KWORK_WORKQUEUE, (__u64)work);
	_Bool is_new;
	struct bpf_kwork_row *row = get_row(&key, &is_new);

	if (!row)
		return;
	if (is_new)
		row->function = (__u64)work->func;
	begin(row, unmatched);
}

/* The argument is the work item. */
SEC("tp_btf/workqueue_activate_work")
int on_work_activate(__u64 *ctx)
{
	begin_work((void *)ctx[0], BPF_KWORK_RAISES);
	return 0;
}

SEC("tp_btf/workqueue_execute_start")
int on_work_start(__u64 *ctx)
{
	struct bpf_kwork_key key = key_of(BPF_KWORK_WORKQUEUE, ctx[0]);

	if (constants.mode == BPF_KWORK_DELAY)
		end(bpf_map_lookup_elem(&rows, &key), BPF_KWORK_BEGINS);
	else
		begin_work((void *)ctx[0], BPF_KWORK_BEGINS);
	return 0;
}

/* The work item may be freed already: only its address is used. */
SEC("tp_btf/workqueue_execute_end")
int on_work_end(__u64 *ctx)
{
	struct bpf_kwork_key key = key_of(BPF_KWORK_WORKQUEUE, ctx[0]);

	end(bpf_map_lookup_elem(&rows, &key), BPF_KWORK_ENDS);
	return 0;
}

static __always_inline struct bpf_kwork_row *task_row(struct task_struct *task)
{
	struct bpf_kwork_key key = key_of(BPF_KWORK_SCHED, (__u32)task->pid);
	_Bool is_new;
	struct bpf_kwork_row *row = get_row(&key, &is_new);

	if (row && is_new)
		bpf_probe_read_kernel_str(row->name, sizeof(task->comm), task->comm);
	return row;
}

/*
 * Ends the run of a task. The task that leaves at the first switch of a CPU has run on it since the
 * beginning.
 */
static __always_inline void leave(struct bpf_kwork_row *row)
{
	__u32 which = BPF_KWORK_SWITCHES;
	__u64 *switches = bpf_map_lookup_elem(&counts, &which);

	if (switches && !*switches) {
		*switches = 1;
		add(row, constants.begin_ns);
	} else {
		end(row, BPF_KWORK_ENDS);
	}
}

/* Arguments: whether it is a preemption, the task that leaves, the task that comes. */
SEC("tp_btf/sched_switch")
int on_switch(__u64 *ctx)
{
	struct bpf_kwork_row *old = task_row((void *)ctx[1]);
	struct bpf_kwork_row *next = task_row((void *)ctx[2]);

	if (old)
		leave(old);
	if (next)
		begin(next, BPF_KWORK_BEGINS);
	return 0;
}
