/* SPDX-License-Identifier: MIT */
/*
 * Reports every system call of the chosen tasks, in the ring of the CPU on which the call ends.
 *
 * The arguments of a call are kept with the task until it ends, so that one record reports
 * everything. Only if the task has to wait meanwhile, an earlier record reports the begin.
 *
 * `constants` defines what is requested. The verifier knows its values, so that unrequested
 * features cost nothing.
 */
#include <stddef.h>

#include "bpf/about.bpf.h"
#include "bpf/targets.bpf.h"
#include "bpf/trace-kernel.bpf.h"
#include "tools/trace/bpf-types.h"
#include "tools/trace/trace-copy.bpf.h"
#include "tools/trace/trace-file.bpf.h"
#include "tools/trace/trace-ring.bpf.h"
#include "tools/trace/trace-state.bpf.h"

const volatile struct trace_constants constants = { 0 };

#include "bpf/unwind.bpf.h"

/* A state belongs to its task: fork does not copy it, exec keeps it, exit removes it. */
struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct task_state);
} states SEC(".maps");

static __always_inline void set_record(struct trace_record *r, const struct task_state *s,
				       __u8 kind, __u32 size, __u64 now_ns)
{
	r->size = size;
	r->kind = kind;
	r->is_compat = 0;
	r->n_data = 0;
	r->time_ns = now_ns;
	r->pid = s->pid;
	r->tid = s->tid;
}

/* Reports the number of records that are missing here. */
static __always_inline void tell_losses(struct writer *w, const struct task_state *s, __u64 now_ns)
{
	__u64 count = w->ring->lost - w->ring->lost_told;
	struct trace_lost_record *r = reserve(w, sizeof(*r));

	if (!r)
		return;
	set_record(&r->record, s, TRACE_LOST, sizeof(*r), now_ns);
	r->count = count;
	w->ring->lost_told += count;
	publish(w);
}

static __always_inline void tell_task(struct writer *w, struct task_state *s, __u64 now_ns)
{
	struct trace_task_record *r = reserve(w, sizeof(*r));

	if (!r)
		return;
	set_record(&r->record, s, TRACE_TASK, sizeof(*r), now_ns);
	r->parent_pid = r->parent_tid = 0;
	r->cgroup = bpf_get_current_cgroup_id();
	bpf_get_current_comm(r->comm, sizeof(r->comm));
	s->is_named = 1;
	publish(w);
}

/* Reports what must precede the next record of a task. */
static __always_inline void tell_first(struct writer *w, struct task_state *s, __u64 now_ns)
{
	if (w->ring->lost != w->ring->lost_told)
		tell_losses(w, s, now_ns);
	if (!s->is_named)
		tell_task(w, s, now_ns);
}

/*
 * Unwinds the user stack of the current task. Returns how many words it has; 0: it cannot be
 * unwound.
 */
static __always_inline __u32 take_frames(void)
{
	struct unwind_state *u = unwind_begin();

	return u && unwind_user(0) == UNWIND_DONE ? u->n : 0;
}

/* Copies @size bytes of take_frames() to @to, where there is space for all of them. */
static __always_inline void copy_frames(void *to, __u64 size)
{
	struct unwind_state *u = unwind_state();

	/* The very register that is compared must be used, or the verifier does not see its limit.
	 */
	barrier_var(size);
	if (u && size <= sizeof(u->frames))
		bpf_probe_read_kernel(to, size, u->frames);
}

static __always_inline void write_call(struct writer *w, struct task_state *s, __u8 kind,
				       __s64 result, __u64 now_ns, __u32 n_frames)
{
	__u32 size = s->data_size, frames_size = n_frames * sizeof(__u64);
	struct trace_call_record *r;

	if (size > TRACE_PIECES_SIZE)
		size = 0;
	r = reserve(w, sizeof(*r) + size + frames_size);
	if (!r)
		return;
	set_record(&r->record, s, kind, sizeof(*r) + size + frames_size, now_ns);
	r->record.n_data = s->n_data;
	r->record.is_compat = s->is_compat;
	r->nr = s->nr;
	r->n_frames = n_frames;
	r->enter_ns = s->enter_ns;
	r->result = result;
	__builtin_memcpy(r->args, s->args, sizeof(r->args));
	if (size)
		bpf_probe_read_kernel(r + 1, size, s->data);
	if (n_frames)
		copy_frames((void *)(r + 1) + size, frames_size);
	publish(w);
}

/* Reports the current or last call of @s, with @n_frames words of take_frames(). */
static __always_inline void tell_call(struct task_state *s, __u8 kind, __s64 result, __u64 now_ns,
				      __u32 n_frames)
{
	struct writer w;

	if (!begin_writing(&w))
		return;
	tell_first(&w, s, now_ns);
	write_call(&w, s, kind, result, now_ns, n_frames);
	end_writing(&w);
}

static __always_inline void write_file(struct writer *w, const struct task_state *s, __u32 fd,
				       __u32 names_size, struct file *file, __u64 now_ns)
{
	__u32 size = (names_size + 7) & ~7U;
	struct trace_file_record *r;

	if (size > TRACE_PIECES_SIZE)
		return;
	r = reserve(w, sizeof(*r) + size);
	if (!r)
		return;
	set_record(&r->record, s, TRACE_FILE, sizeof(*r) + size, now_ns);
	r->fd = (__s32)fd;
	r->names_size = names_size;
	r->inode = BPF_CORE_READ(file, f_inode, i_ino);
	r->magic = BPF_CORE_READ(file, f_path.mnt, mnt_sb, s_magic);
	if (size)
		bpf_probe_read_kernel(r + 1, size, s->data);
	publish(w);
}

/*
 * Reports the file of the new descriptor @fd. The data of @s was reported before and is
 * overwritten.
 */
__noinline int tell_file(struct task_state *s, __u32 fd, __u64 now_ns)
{
	struct file *file = file_of((void *)bpf_get_current_task(), fd);
	struct writer w;
	int size;

	if (!s || !file)
		return 0;
	size = file_names(s, (__u64)BPF_CORE_READ(file, f_path.mnt),
			  (__u64)BPF_CORE_READ(file, f_path.dentry));
	if (size < 0 || !begin_writing(&w))
		return 0;
	write_file(&w, s, fd, (__u32)size, file, now_ns);
	end_writing(&w);
	return 0;
}

/* Reports the descriptors that a call has made. */
static __always_inline void tell_files(struct task_state *s, __s64 result, __u64 now_ns)
{
	const struct trace_plan *plan = plan_of(s->is_compat, s->nr);
	__u32 pair[2];

	if (!plan || result < 0)
		return;
	if (plan->returns_fd)
		tell_file(s, (__u32)result, now_ns);
	if (!plan->has_fd_pair || plan->fd_pair_arg >= TRACE_ARGS_MAX ||
	    bpf_probe_read_user(pair, sizeof(pair), (void *)s->args[plan->fd_pair_arg]))
		return;
	tell_file(s, pair[0], now_ns);
	tell_file(s, pair[1], now_ns);
}

static __always_inline _Bool is_excluded(__u32 pid)
{
#pragma unroll
	for (__u32 i = 0; i < TRACE_EXCLUDED_MAX; i++)
		if (i < constants.n_excluded && constants.excluded[i] == pid)
			return 1;
	return 0;
}

static __always_inline struct task_state *new_state(struct task_struct *task)
{
	struct task_state *s = bpf_task_storage_get(&states, task, NULL,
						    BPF_LOCAL_STORAGE_GET_F_CREATE);
	__u32 zero = 0;
	__u64 *lost;

	if (s) {
		s->pid = task->tgid;
		s->tid = task->pid;
		s->counts = !is_excluded(s->pid);
		return s;
	}
	lost = bpf_map_lookup_elem(&tasks_lost, &zero);
	if (lost)
		*lost += 1;
	return NULL;
}

/*
 * Returns the state of the current task, @task, if it may be watched. A task that waits for exec
 * gets a state when it calls exec (@is_exec); if that succeeds, the call is reported.
 */
static __always_inline struct task_state *state_of(struct task_struct *task, _Bool is_exec)
{
	struct task_state *s = bpf_task_storage_get(&states, task, NULL, 0);
	__u32 tid = task->pid;
	__u32 *found;

	if (s)
		return s;
	if (!constants.targets.limits_tasks)
		return new_state(task);
	found = bpf_map_lookup_elem(&tasks, &tid);
	if (!found || (*found == PROGRAM_TASK_WAITS && !is_exec))
		return NULL;
	s = new_state(task);
	if (s && *found == PROGRAM_TASK_WAITS) {
		s->waits = 1;
		s->counts = 0;
	}
	return s;
}

/* True if the filters accept the current user and place, whatever the task is. */
static __always_inline _Bool is_place(void)
{
	if (constants.limits_user && (__u32)bpf_get_current_uid_gid() != constants.user)
		return 0;
	if (constants.targets.limits_cpus && !target_cpu(&constants.targets))
		return 0;
	return !constants.targets.limits_cgroup || bpf_current_task_under_cgroup(&cgroup, 0) == 1;
}

/*
 * Checks a bit. A mask limits the index, because the verifier follows masks more easily than
 * comparisons.
 */
static __always_inline _Bool has_call(const volatile __u64 calls[][TRACE_CALLS_MAX / 64],
				      _Bool is_compat, __u64 nr)
{
	__u32 word = nr / 64 % (TRACE_CALLS_MAX / 64);

	if (nr >= TRACE_CALLS_MAX)
		return 0;
	asm volatile("" : "+r"(word));
	word %= TRACE_CALLS_MAX / 64;
	return (is_compat ? calls[TRACE_COMPAT][word] : calls[TRACE_NATIVE][word]) >> nr % 64 & 1;
}

static __always_inline _Bool is_wanted(_Bool is_compat, __u64 nr)
{
	return constants.wants_all || has_call(constants.wanted, is_compat, nr);
}

static __always_inline _Bool is_watched(_Bool is_compat, __u64 nr)
{
	return constants.wants_all || has_call(constants.watched, is_compat, nr);
}

static __always_inline void begin_call(struct task_state *s, __s64 nr, _Bool is_compat)
{
	s->nr = (__s32)nr;
	s->is_compat = is_compat;
	s->is_told = s->is_silent = 0;
	s->is_open = 1;
	s->data_size = s->n_data = 0;
	s->has_faults = 0;
}

SEC("tp_btf/sys_enter")
int on_sys_enter(__u64 *ctx)
{
	struct pt_regs *regs = (void *)ctx[0];
	struct task_struct *task = bpf_get_current_task_btf();
	_Bool is_compat = task_is_compat(task);
	__s64 nr = (__s64)ctx[1];
	const struct trace_plan *plan;
	struct task_state *s;

	if (!is_watched(is_compat, nr) || !is_place())
		return 0;
	plan = plan_of(is_compat, nr);
	s = state_of(task, plan && plan->is_exec);
	if (!s || !(s->counts || (s->waits && plan && plan->is_exec)))
		return 0;
	begin_call(s, nr, is_compat);
	call_args(regs, is_compat, s->args);
	s->enter_ns = bpf_ktime_get_ns();
	s->is_silent = !is_wanted(is_compat, nr);
	if (s->is_silent) {
		s->is_told = 1;
		return 0;
	}
	if (plan && plan->copies_at & COPY_AT_ENTER)
		copy_args(s, plan, COPY_AT_ENTER, -1);
	if (plan && plan->no_return) {
		s->is_open = 0;
		tell_call(s, TRACE_ENTER, 0, s->enter_ns, 0);
	}
	return 0;
}

/*
 * Copies memory at the end of a call. Memory that the call has read is still present, except after
 * a successful exec. Memory that it writes is valid only if it did not fail.
 */
static __always_inline void copy_at_end(struct task_state *s, __s64 result)
{
	const struct trace_plan *plan = plan_of(s->is_compat, s->nr);

	if (s->is_told)
		s->data_size = s->n_data = 0;
	if (!plan)
		return;
	if (s->has_faults && !plan->is_exec) {
		s->data_size = s->n_data = 0;
		copy_args(s, plan, COPY_AT_ENTER, -1);
	}
	if (result >= 0 && plan->copies_at & COPY_AT_EXIT)
		copy_args(s, plan, COPY_AT_EXIT, result);
}

/* True if a call with this duration and result is to be reported. */
static __always_inline _Bool is_shown(__u64 taken_ns, __s64 result)
{
	if (taken_ns < constants.min_duration_ns)
		return 0;
	return !constants.only_failures || (result < 0 && result >= -4095);
}

static __always_inline _Bool is_trigger(__u64 taken_ns, __s64 result)
{
	if (constants.trigger_error && result == -(__s64)constants.trigger_error)
		return 1;
	return constants.trigger_duration_ns && taken_ns >= constants.trigger_duration_ns;
}

/*
 * The end of a call. rt_sigreturn() has lost its number when it returns, and exec may have changed
 * the ABI; the kept call then identifies it. Without a kept call, its begin was not seen.
 */
static __always_inline int end_call(__u64 *ctx, _Bool unwinds)
{
	struct pt_regs *regs = (void *)ctx[0];
	__s64 nr = call_number(regs), result = (__s64)ctx[1];
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *s;
	__u8 kind = TRACE_EXIT;
	__u64 now_ns;

	if (nr >= 0 && !is_watched(TRACE_NATIVE, nr) && !is_watched(TRACE_COMPAT, nr))
		return 0;
	s = state_of(task, 0);
	if (!s || !s->counts)
		return 0;
	now_ns = bpf_ktime_get_ns();
	if (!s->is_open) {
		_Bool is_compat = task_is_compat(task);

		if (nr < 0 || !is_wanted(is_compat, nr) || !is_place() || !is_shown(0, result))
			return 0;
		begin_call(s, nr, is_compat);
		s->enter_ns = 0;
	} else if (!s->is_told) {
		kind = TRACE_WHOLE;
		s->is_silent = !is_shown(now_ns - s->enter_ns, result);
	}
	s->is_open = 0;
	if (!s->is_silent) {
		if (s->enter_ns)
			copy_at_end(s, result);
		tell_call(s, kind, result, now_ns, unwinds ? take_frames() : 0);
	}
	if (s->enter_ns)
		tell_files(s, result, now_ns);
	if (!s->is_silent && is_trigger(s->enter_ns ? now_ns - s->enter_ns : 0, result))
		trigger();
	return 0;
}

SEC("tp_btf/sys_exit")
int on_sys_exit(__u64 *ctx)
{
	return end_call(ctx, 0);
}

/* The same with stacks: a program of its own, because some kernels can watch and not unwind. */
SEC("tp_btf/sys_exit")
int on_sys_exit_unwinding(__u64 *ctx)
{
	return end_call(ctx, 1);
}

SEC("tp_btf/sched_switch")
int on_switch(__u64 *ctx)
{
	struct task_struct *task = (void *)ctx[1];
	struct task_state *s = bpf_task_storage_get(&states, task, NULL, 0);

	if (!s || !s->is_open || s->is_told || !s->counts || !task_waits(task, ctx[0]))
		return 0;
	s->is_told = 1;
	tell_call(s, TRACE_BLOCKED, 0, bpf_ktime_get_ns(), 0);
	return 0;
}

static __always_inline void tell_fork(const struct task_state *parent, struct task_struct *child)
{
	__u64 now_ns = bpf_ktime_get_ns();
	struct trace_task_record *r;
	struct writer w;

	if (!begin_writing(&w))
		return;
	r = reserve(&w, sizeof(*r));
	if (r) {
		set_record(&r->record, parent, TRACE_FORK, sizeof(*r), now_ns);
		r->record.pid = child->tgid;
		r->record.tid = child->pid;
		r->parent_pid = parent->pid;
		r->parent_tid = parent->tid;
		r->cgroup = bpf_get_current_cgroup_id();
		bpf_get_current_comm(r->comm, sizeof(r->comm));
		publish(&w);
	}
	end_writing(&w);
}

/* The new task does not run yet, so none of its calls is missed. */
SEC("tp_btf/sched_process_fork")
int on_fork(__u64 *ctx)
{
	struct task_struct *child = (void *)ctx[1];
	struct task_state *s = bpf_task_storage_get(&states, bpf_get_current_task_btf(), NULL, 0);
	struct task_state *c = NULL;

	if (s ? !s->counts : !constants.targets.limits_tasks || !target_task())
		return 0;
	if (constants.targets.limits_tasks && !constants.follows_no_forks)
		c = new_state(child);
	if (!s)
		s = state_of(bpf_get_current_task_btf(), 0);
	if (!s)
		return 0;
	if (c)
		c->is_named = 1;
	tell_fork(s, child);
	return 0;
}

static __always_inline void tell_end(const struct task_state *s)
{
	__u64 now_ns = bpf_ktime_get_ns();
	struct trace_task_record *r;
	struct writer w;

	if (!begin_writing(&w))
		return;
	r = reserve(&w, sizeof(*r));
	if (r) {
		__builtin_memset(r, 0, sizeof(*r));
		set_record(&r->record, s, TRACE_END, sizeof(*r), now_ns);
		publish(&w);
	}
	end_writing(&w);
}

/*
 * A thread that calls exec becomes the process. It then has the id of the process's first thread,
 * which has ended before.
 */
SEC("tp_btf/sched_process_exec")
int on_exec(__u64 *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *s = bpf_task_storage_get(&states, task, NULL, 0);
	__u32 old = (__u32)ctx[1];

	if (!s && (!constants.targets.limits_tasks || !bpf_map_lookup_elem(&tasks, &old)))
		return 0;
	if (!s)
		s = new_state(task);
	if (!s)
		return 0;
	if (s->waits)
		s->counts = 1;
	s->waits = 0;
	if (s->tid != (__u32)task->pid) {
		if (s->counts)
			tell_end(s);
		s->tid = task->pid;
	}
	return 0;
}

SEC("tp_btf/task_rename")
int on_rename(__u64 *ctx)
{
	struct task_state *s = bpf_task_storage_get(&states, (struct task_struct *)ctx[0], NULL, 0);

	if (s)
		s->is_named = 0;
	return 0;
}

/* True if the current task is one of the named tasks, and not just their child. */
static __always_inline _Bool target_is_named(void)
{
	__u32 tid = (__u32)bpf_get_current_pid_tgid();

	return bpf_map_lookup_elem(&tasks, &tid) != NULL;
}

SEC("tp_btf/sched_process_exit")
int on_exit(__u64 *ctx)
{
	struct task_state *s = bpf_task_storage_get(&states, bpf_get_current_task_btf(), NULL, 0);

	_Bool is_end = constants.triggers_at_end && target_is_named();

	if (constants.targets.limits_tasks)
		target_exit();
	if (!s || !s->counts)
		return 0;
	if (s->is_open && !s->is_told && constants.tells_blocked)
		tell_call(s, TRACE_BLOCKED, 0, bpf_ktime_get_ns(), 0);
	s->is_open = 0;
	tell_end(s);
	if (is_end)
		trigger();
	return 0;
}
