/* SPDX-License-Identifier: MIT */
/*
 * Counts system calls, and their durations.
 *
 * Every call runs two programs, so each lookup in a map matters. The state of the task that runs on
 * a CPU is in `current`, which is cleared by the switch to another task. The contents therefore
 * always belong to the current task: a call that neither waits nor is preempted needs no search for
 * its begin, and a task is checked only once each time it runs.
 */
#include <stddef.h>

#include "bpf/about.bpf.h"
#include "bpf/losses.bpf.h"
#include "bpf/targets.bpf.h"
#include "bpf/trace-kernel.bpf.h"
#include "tools/trace/summary-bpf-types.h"

const volatile struct trace_summary_constants constants = { 0 };

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct trace_summary_current);
} current SEC(".maps");

/* By task; only tasks that were switched away during a call. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct trace_summary_open);
} open_calls SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(struct trace_summary_key)); /* user space may reduce it */
	__uint(value_size, sizeof(struct trace_summary_row));
} rows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1);
	__type(key, struct trace_summary_error);
	__type(value, __u64);
} errors SEC(".maps");

/* The names of tasks that have ended. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1);
	__type(key, __u32);
	__uint(value_size, TRACE_SUMMARY_COMM_MAX);
} names SEC(".maps");

LOSSES(TRACE_SUMMARY_LOSSES)

static __always_inline _Bool is_excluded(__u32 pid)
{
#pragma unroll
	for (__u32 i = 0; i < TRACE_SUMMARY_EXCLUDED_MAX; i++)
		if (i < constants.n_excluded && constants.excluded[i] == pid)
			return 1;
	return 0;
}

static __always_inline _Bool is_meant(__u32 pid)
{
	if (is_excluded(pid) || !is_target(&constants.targets))
		return 0;
	return !constants.limits_user || (__u32)bpf_get_current_uid_gid() == constants.user;
}

static __noinline void look_at_task(struct trace_summary_current *c)
{
	__u64 pid_tid = bpf_get_current_pid_tgid();

	if (!c)
		return;
	c->tid = (__u32)pid_tid;
	c->state = is_meant(pid_tid >> 32) ? TRACE_SUMMARY_COUNTS : TRACE_SUMMARY_LEFT_OUT;
	if (constants.by == TRACE_SUMMARY_BY_CGROUP)
		c->cgroup = bpf_get_current_cgroup_id();
}

static __always_inline struct trace_summary_current *get_current(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&current, &zero);
}

/* True if the current task counts. */
static __always_inline _Bool counts(struct trace_summary_current *c)
{
	if (c->state == TRACE_SUMMARY_UNKNOWN)
		look_at_task(c);
	return c->state == TRACE_SUMMARY_COUNTS;
}

static __always_inline _Bool is_wanted(_Bool is_compat, __u64 nr)
{
	if (constants.wants_all)
		return 1;
	if (nr >= TRACE_SUMMARY_CALLS_MAX)
		return 0;
	return constants.wanted[is_compat][nr / 64] >> nr % 64 & 1;
}

static __always_inline __u32 call_of(_Bool is_compat, __s64 nr)
{
	return ((__u32)nr & ~TRACE_SUMMARY_COMPAT) | (is_compat ? TRACE_SUMMARY_COMPAT : 0);
}

/* The arguments are the registers and the call's number. */
SEC("tp_btf/sys_enter")
int on_enter(__u64 *ctx)
{
	__u64 nr = ctx[1];
	struct trace_summary_current *c = get_current();
	_Bool is_compat;

	if (!c || !counts(c))
		return 0;
	is_compat = task_is_compat(bpf_get_current_task_btf());
	if (!is_wanted(is_compat, nr)) {
		c->enter_ns = 0;
		return 0;
	}
	c->call = call_of(is_compat, nr);
	c->enter_ns = bpf_ktime_get_ns();
	if (c->enter_ns < constants.from_ns)
		c->enter_ns = 0;
	return 0;
}

static __always_inline struct trace_summary_row *find_row(const struct trace_summary_key *key)
{
	struct trace_summary_row *row = bpf_map_lookup_elem(&rows, key);
	struct trace_summary_row empty = { 0 };

	if (row)
		return row;
	bpf_map_update_elem(&rows, key, &empty, BPF_NOEXIST);
	row = bpf_map_lookup_elem(&rows, key);
	if (!row)
		add_loss(TRACE_SUMMARY_LOST_CALLS);
	return row;
}

static __always_inline struct trace_summary_key key_of(const struct trace_summary_current *c,
						       __u32 call)
{
	return (struct trace_summary_key){
		.who = constants.by == TRACE_SUMMARY_BY_THREAD ? c->tid
							       : bpf_get_smp_processor_id(),
		.call = call,
		.cgroup = constants.by == TRACE_SUMMARY_BY_CGROUP ? c->cgroup : 0,
	};
}

/* Returns the logarithm to base 2. */
static __always_inline __u32 bucket_of(__u64 ns)
{
	__u32 bucket = 0;

#pragma unroll
	for (__u32 step = 32; step; step >>= 1)
		if (ns >> step) {
			ns >>= step;
			bucket += step;
		}
	return bucket < TRACE_SUMMARY_BUCKETS ? bucket : TRACE_SUMMARY_BUCKETS - 1;
}

static __always_inline void add_square(struct trace_summary_row *row, __u64 ns)
{
	if (ns >> 32) {
		row->large_squares += (ns >> 16) * (ns >> 16);
		return;
	}
	row->squares += ns * ns;
	if (row->squares < ns * ns)
		row->carries++;
}

static __noinline void add_error(const struct trace_summary_key *key, __s64 result)
{
	struct trace_summary_error e = { .error = (__u32)-result };
	__u64 one = 1, *count;

	if (!key)
		return;
	e.key = *key;
	count = bpf_map_lookup_elem(&errors, &e);
	if (count)
		*count += 1;
	else
		bpf_map_update_elem(&errors, &e, &one, BPF_NOEXIST);
}

static __always_inline void count(struct trace_summary_current *c, __u32 call, __u64 ns,
				  _Bool is_seen, __s64 result)
{
	struct trace_summary_key key = key_of(c, call);
	struct trace_summary_row *row = find_row(&key);

	if (!row)
		return;
	row->calls++;
	row->unseen += !is_seen;
	row->total_ns += ns;
	if (ns > row->max_ns)
		row->max_ns = ns;
	if (~ns > row->max_inverse)
		row->max_inverse = ~ns;
	add_square(row, ns);
	if (constants.fills_buckets)
		row->buckets[bucket_of(ns)]++;
	if (result < 0 && result >= -4095) {
		row->errors++;
		add_error(&key, result);
	}
}

/* True if the new task returns from the call that made it. The call belongs to its parent. */
static __always_inline _Bool is_child_return(_Bool is_compat, __s64 nr, __s64 result)
{
#pragma unroll
	for (int i = 0; i < TRACE_SUMMARY_FORKS_MAX; i++)
		if (result == 0 && constants.forks[is_compat][i] == nr)
			return 1;
	return 0;
}

/* Ends a call that began before the task was switched away, or before the trace. */
static __always_inline void end_other(struct trace_summary_current *c, struct pt_regs *regs,
				      __s64 result)
{
	_Bool is_compat = task_is_compat(bpf_get_current_task_btf());
	__s64 nr = call_number(regs);
	__u32 tid = c->tid;
	struct trace_summary_open *open = bpf_map_lookup_elem(&open_calls, &tid);

	if (open && open->enter_ns) {
		count(c, open->call, bpf_ktime_get_ns() - open->enter_ns, 1, result);
		open->enter_ns = 0;
		return;
	}
	if (nr < 0 || !is_wanted(is_compat, nr) || is_child_return(is_compat, nr, result) ||
	    constants.from_ns)
		return;
	count(c, call_of(is_compat, nr), 0, 0, result);
}

/* The arguments are the registers and the result. */
SEC("tp_btf/sys_exit")
int on_return(__u64 *ctx)
{
	struct trace_summary_current *c = get_current();
	__u64 enter_ns;

	if (!c)
		return 0;
	enter_ns = c->enter_ns;
	if (enter_ns) {
		c->enter_ns = 0;
		count(c, c->call, bpf_ktime_get_ns() - enter_ns, 1, (__s64)ctx[1]);
	} else if (counts(c)) {
		end_other(c, (struct pt_regs *)ctx[0], (__s64)ctx[1]);
	}
	return 0;
}

/*
 * Keeps the current task's call, because the task may return on another CPU, or after other tasks
 * have used this one.
 */
static __always_inline void keep_open_call(const struct trace_summary_current *c)
{
	struct trace_summary_open now = { .enter_ns = c->enter_ns, .call = c->call };
	__u32 tid = c->tid;
	struct trace_summary_open *open = bpf_map_lookup_elem(&open_calls, &tid);

	if (open)
		*open = now;
	else if (bpf_map_update_elem(&open_calls, &tid, &now, BPF_ANY))
		add_loss(TRACE_SUMMARY_LOST_TIMES);
}

SEC("tp_btf/sched_switch")
int on_switch(void *ctx)
{
	struct trace_summary_current *c = get_current();

	if (!c)
		return 0;
	c->state = TRACE_SUMMARY_UNKNOWN;
	if (c->enter_ns) {
		keep_open_call(c);
		c->enter_ns = 0;
	}
	return 0;
}

TARGET_FORK_PROGRAM()

/* Moves the open call of exec to the id of the process. */
static __always_inline void rename_open_call(__u32 old, __u32 tid)
{
	struct trace_summary_open *open = bpf_map_lookup_elem(&open_calls, &old);

	if (!open)
		return;
	bpf_map_update_elem(&open_calls, &tid, open, BPF_ANY);
	bpf_map_delete_elem(&open_calls, &old);
}

/*
 * Arguments: the task, its previous id. Exec may make the task one that counts, and gives a thread
 * the id of its process.
 */
SEC("tp_btf/sched_process_exec")
int on_exec(__u64 *ctx)
{
	__u32 tid = (__u32)bpf_get_current_pid_tgid(), old = (__u32)ctx[1];
	struct trace_summary_current *c = get_current();

	if (c) {
		c->state = TRACE_SUMMARY_UNKNOWN;
		c->tid = tid;
	}
	if (old != tid)
		rename_open_call(old, tid);
	if (!constants.targets.limits_tasks || !bpf_map_lookup_elem(&tasks, &old))
		return 0;
	if (old != tid)
		bpf_map_delete_elem(&tasks, &old);
	add_task(tid);
	return 0;
}

static __always_inline void end_task(struct trace_summary_current *c)
{
	__u32 tid = c->tid;
	struct trace_summary_open *open = bpf_map_lookup_elem(&open_calls, &tid);
	char comm[TRACE_SUMMARY_COMM_MAX];

	if (c->enter_ns || (open && open->enter_ns)) {
		struct trace_summary_key key = key_of(c, TRACE_SUMMARY_NO_CALL);
		struct trace_summary_row *row = find_row(&key);

		if (row)
			row->calls++;
	}
	c->enter_ns = 0;
	bpf_map_delete_elem(&open_calls, &tid);
	if (constants.by == TRACE_SUMMARY_BY_THREAD) {
		bpf_get_current_comm(comm, sizeof(comm));
		bpf_map_update_elem(&names, &tid, comm, BPF_ANY);
	}
}

SEC("tp_btf/sched_process_exit")
int on_exit(void *ctx)
{
	struct trace_summary_current *c = get_current();

	if (c && counts(c))
		end_task(c);
	target_exit();
	return 0;
}
