/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Unwinds the user stack of the current task with the tables that bpf/unwind-tables.h fills.
 *
 *	const volatile struct NAME_constants constants = ...;	 has a struct unwind_host `host`
 *	struct unwind_state *s = unwind_begin();
 *	... s->n frames may be put into s->frames before ...
 *	if (unwind_user(regs) == UNWIND_DONE)			 s->frames now has s->n
 *
 * `regs` is the address of the registers at the interruption, or 0: those with which the task has
 * entered the kernel. A caller is represented by an address inside its call, as everywhere in perf.
 *
 * The verifier checks the functions that are not static once, not on every path to them, so a stack
 * may have hundreds of frames. State is in a map for each CPU for the same reason.
 */
#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "bpf/task.bpf.h"
#include "bpf/unwind-types.h"
#include "runtime/runtime-types.h"

#ifndef UNWIND_HOST
#define UNWIND_HOST (constants.host)
#endif

#define PF_KTHREAD 0x00200000

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct unwind_shared);
} unwind_shared SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} unwind_rows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, FLAT_RULES_MAX);
	__type(key, __u32);
	__type(value, struct flat_rule);
} unwind_rules SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct unwind_chunk);
} unwind_chunks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct unwind_mapped);
} unwind_maps SEC(".maps");

/* Processes by thread group id in the initial namespace. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct unwind_process);
} unwind_processes SEC(".maps");

/* The last request for the maps of a process: its time and the state of the process. */
struct unwind_ask {
	__u64 time_ns, code_pages;
	__u64 wait_ns; /* wait before changed maps are requested again */
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, __u32);
	__type(value, struct unwind_ask);
} unwind_asked SEC(".maps");

/* struct unwind_wish */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 65536); /* a multiple of the largest size of pages */
} unwind_wishes SEC(".maps");

struct unwind_state {
	__u64 pc, sp, fp, lr;
	__u64 regs; /* the kernel's copy of all registers at the interruption; 0: they are others */
	__u8 has_fp, has_lr;
	__u8 is_interrupted;     /* pc is the next instruction; else it is a return address */
	__u8 is_user;            /* the interrupted registers were those of user mode */
	__u32 first_map, n_maps; /* the maps of the process */
	__u32 pid, tid;          /* in perf's own namespace */
	__u64 epoch, fence;
	struct unwind_mapped map; /* the map that last contained pc */
	/* for bpf/runtime.bpf.h */
	__u64 frame;                  /* the next interpreted frame; 0: none */
	__u32 has_frame;              /* it was looked up */
	__u32 has_other, n_ranges;    /* as in struct runtime_process */
	__u32 wants_process;          /* it is to be looked at again */
	__u32 has_interpreted;        /* interpreted frames were added */
	__u32 in_loop;                /* enum runtime_in_loop */
	__u32 n_looped;               /* n after the last native frame of a loop that has some */
	__u32 waits;                  /* its runtime has not started yet, when it was looked at */
	__u32 tgid;                   /* the process whose maps are used: itself, or its parent */
	__u64 found_at, found_target; /* the best return address so far */
	__u32 has_process;
	struct runtime_process process; /* a copy, for it is looked at with each frame */
	union runtime_scratch {
		__u8 bytes[256];
		__u32 numbers[64];
		__u64 words[32];
	} scratch;
	__u64 own[8]; /* for the walker of one runtime */
	struct unwind_wish wish;
	__u32 n;        /* number of frames */
	__u64 head[16]; /* for the user of this file, right before the frames */
	__u64 frames[UNWIND_FRAMES_MAX];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct unwind_state);
} unwind_states SEC(".maps");

/* Rules that were found, by a hash of their place: the first row of the table, and the offset. */
#define UNWIND_FOUND 1024

struct unwind_found {
	__u64 key, epoch; /* epoch + 1 */
	__u32 rule, reserved;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, UNWIND_FOUND);
	__type(key, __u32);
	__type(value, struct unwind_found);
} unwind_found SEC(".maps");

/* The numbers of stacks by result: enum unwind_result. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, UNWIND_RESULTS);
	__type(key, __u32);
	__type(value, __u64);
} unwind_counts SEC(".maps");

/*
 * Limits on how often the maps of a process are requested: the same ones, and changed ones. If the
 * maps change all the time, as those of a JIT compiler that makes pages writable and executable in
 * turn, the wait doubles each time, up to a limit, until the process pauses for a while.
 */
#define ASK_AGAIN_NS       20000000
#define ASK_CHANGED_NS     1000000
#define ASK_CHANGED_MAX_NS 512000000
#define ASK_REST           8 /* a pause of this many waits resets the wait */

static __always_inline struct unwind_state *unwind_state(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&unwind_states, &zero);
}

static __always_inline void add_frame(struct unwind_state *s, __u64 ip)
{
	__u32 n = s->n;

	/* Verifiers before Linux 6.8 do not carry the limit over to what was made of it before. */
	barrier_var(n);
	if (n < UNWIND_FRAMES_MAX) {
		s->frames[n] = ip;
		s->n = n + 1;
	}
}

/* Returns the next wish, empty. It is not on the stack, which is small. */
static __always_inline struct unwind_wish *begin_wish(struct unwind_state *s)
{
	__builtin_memset(&s->wish, 0, sizeof(s->wish));
	return &s->wish;
}

static __always_inline long send_wish(struct unwind_state *s)
{
	return bpf_ringbuf_output(&unwind_wishes, &s->wish, sizeof(s->wish), BPF_RB_FORCE_WAKEUP);
}

#include "bpf/runtime.bpf.h"

static __always_inline void unwind_count(__u32 result)
{
	__u64 *n = bpf_map_lookup_elem(&unwind_counts, &result);

	if (n)
		*n += 1;
}

static __always_inline __u64 unwind_epoch(void)
{
	__u32 zero = 0;
	volatile struct unwind_shared *s = bpf_map_lookup_elem(&unwind_shared, &zero);

	return s ? s->epoch : 1;
}

/*
 * Separates reading the epoch from reading the tables. Loads are reordered on the machines that
 * have a link register. BPF has no barriers of its own, but an atomic operation that fetches is
 * ordered on both sides.
 */
static __always_inline void unwind_fence(struct unwind_state *s)
{
	if (UNWIND_HOST.lr)
		__sync_lock_test_and_set(&s->fence, 0);
}

/* Finds the numbers of the current task in perf's namespace. False: it has none there. */
static __always_inline _Bool take_numbers(struct unwind_state *s)
{
	const volatile struct unwind_host *h = &UNWIND_HOST;
	__u64 both = bpf_get_current_pid_tgid();
	struct bpf_pidns_info ns = { .pid = (__u32)both, .tgid = (__u32)(both >> 32) };

	if (h->pid_ns_inode &&
	    bpf_get_ns_current_pid_tgid(h->pid_ns_device, h->pid_ns_inode, &ns, sizeof(ns)))
		return 0;
	s->pid = ns.tgid;
	s->tid = ns.pid;
	return 1;
}

/* Begins to unwind. NULL: nothing is known about the current task. */
static __always_inline struct unwind_state *unwind_begin(void)
{
	struct unwind_state *s = unwind_state();

	if (!s)
		return (void *)0;
	s->n = 0;
	if (take_numbers(s))
		return s;
	unwind_count(UNWIND_NO_TASK);
	return (void *)0;
}

/*
 * Returns all ones if @a is less than @b, else 0. This is the borrow of a - b, correct even if they
 * differ by more than half of all addresses, as [vsyscall] and user code do. There is no branch,
 * which would be two paths to check.
 */
static __always_inline __u64 is_less(__u64 a, __u64 b)
{
	return (__u64)((__s64)((~a & b) | (~(a ^ b) & (a - b))) >> 63);
}

/* Returns the number of the rule at @at, of the @n rows from @first on; 0: FLAT_CANNOT. */
__noinline __u32 unwind_find_rule(__u32 first, __u32 n, __u32 at)
{
	__u64 pos = 0;
	__u32 i;
	__u64 *pair;

	for (__u32 step = 1 << 14; step; step >>= 1) {
		__u64 next = pos + step;

		i = (first + (__u32)next) >> 1;
		pair = bpf_map_lookup_elem(&unwind_rows, &i);
		if (!pair)
			continue;

		__u32 row = (__u32)(*pair >> ((first + (__u32)next & 1) << 5));

		pos += step & is_less(next, n) & ~is_less(at, FLAT_ROW_AT(row));
	}
	i = (first + (__u32)pos) >> 1;
	pair = bpf_map_lookup_elem(&unwind_rows, &i);
	return pair ? FLAT_ROW_RULE((__u32)(*pair >> ((first + (__u32)pos & 1) << 5))) : 0;
}

/* Does the same, but remembers: the outer frames of a program are the same in most of its stacks.
 */
static __always_inline __u32 unwind_recall_rule(const struct unwind_state *s, __u32 first, __u32 n,
						__u32 at)
{
	__u64 key = (__u64)first << 32 | at, epoch = s->epoch + 1;
	__u32 slot = (__u32)(key * 0x9e3779b97f4a7c15 >> 32) % UNWIND_FOUND;
	struct unwind_found *f = bpf_map_lookup_elem(&unwind_found, &slot);

	if (!f)
		return 0;
	if (f->key != key || f->epoch != epoch) {
		f->rule = unwind_find_rule(first, n, at);
		f->key = key;
		f->epoch = epoch;
	}
	return f->rule;
}

/* Sets the state's map to the one around the pc. 0: there is none. */
__noinline int unwind_find_map(__u64 pc)
{
	struct unwind_state *s = unwind_state();
	struct unwind_mapped *m;
	__u64 pos = 0;
	__u32 i;

	if (!s)
		return 0;
	if (pc - s->map.start < s->map.end - s->map.start)
		return 1;
	for (__u32 step = UNWIND_MAPS_MAX / 2; step; step >>= 1) {
		__u64 next = pos + step;

		i = s->first_map + (__u32)next;
		m = bpf_map_lookup_elem(&unwind_maps, &i);
		if (m)
			pos += step & is_less(next, s->n_maps) & ~is_less(pc, m->start);
	}
	i = s->first_map + (__u32)pos;
	m = bpf_map_lookup_elem(&unwind_maps, &i);
	if (!m || !s->n_maps || pc < m->start || pc >= m->end)
		return 0;
	s->map = *m;
	return 1;
}

static __always_inline void wish_for_chunk(struct unwind_state *s, struct unwind_table *t,
					   __u32 chunk, __u32 table)
{
	struct unwind_wish *w;

	if (t->state != UNWIND_UNLOADED)
		return;
	/* Set before the request, because the table may be loaded at once. */
	t->state = UNWIND_ASKED;
	w = begin_wish(s);
	w->chunk = chunk;
	w->table = table;
	if (send_wish(s))
		t->state = UNWIND_UNLOADED;
}

/* Finds the rule for the state's pc. */
static __always_inline int find_rule(struct unwind_state *s, struct flat_rule *ret)
{
	__u64 pc = s->pc, offset = pc - s->map.shift;
	__u32 nth = (__u32)(offset >> FLAT_CHUNK_BITS), chunk = s->map.first_chunk + nth;
	__u32 table = s->is_interrupted ? 1 : 0, rule;
	struct unwind_chunk *c = bpf_map_lookup_elem(&unwind_chunks, &chunk);
	struct flat_rule *r;

	if (!s->map.n_chunks)
		return UNWIND_NO_IMAGE;
	if (!c || nth >= s->map.n_chunks)
		return UNWIND_NEEDS_MORE;
	if (c->tables[table].state != UNWIND_LOADED) {
		wish_for_chunk(s, &c->tables[table], chunk, table);
		return UNWIND_NO_TABLES;
	}
	rule = unwind_recall_rule(s, c->tables[table].first, c->tables[table].n,
				  (__u32)offset & (FLAT_CHUNK_SIZE - 1));
	r = bpf_map_lookup_elem(&unwind_rules, &rule);
	if (!r)
		return UNWIND_NEEDS_MORE;
	*ret = *r;
	return UNWIND_DONE;
}

static __always_inline int read_word(__u64 addr, __u64 *ret)
{
	return bpf_probe_read_user(ret, sizeof(*ret), (void *)addr);
}

/* Steps to the registers that a signal has interrupted. */
static __always_inline int step_signal(struct unwind_state *s)
{
	const volatile struct unwind_host *m = &UNWIND_HOST;
	__u64 sp = s->sp;

	if (read_word(sp + m->signal_pc, &s->pc) || read_word(sp + m->signal_fp, &s->fp))
		return UNWIND_UNREADABLE;
	s->has_lr = m->lr && !read_word(sp + m->signal_lr, &s->lr);
	if (read_word(sp + m->signal_sp, &s->sp))
		return UNWIND_UNREADABLE;
	s->has_fp = s->is_interrupted = 1;
	s->regs = 0;
	return -1;
}

static __always_inline int find_cfa(struct unwind_state *s, const struct flat_rule *r, __u64 *ret)
{
	_Bool from_fp = r->cfa == FLAT_CFA_FP || r->cfa == FLAT_CFA_AT_FP;
	__u64 cfa = (from_fp ? s->fp : s->sp) + (__u64)(__s64)r->cfa_offset;

	if (from_fp && !s->has_fp)
		return UNWIND_NEEDS_MORE;
	if ((r->cfa == FLAT_CFA_AT_SP || r->cfa == FLAT_CFA_AT_FP) && read_word(cfa, &cfa))
		return UNWIND_UNREADABLE;
	cfa += (__u64)(__s64)r->cfa_added;
	*ret = cfa;
	return cfa < s->sp ? UNWIND_NEEDS_MORE : UNWIND_DONE;
}

static __always_inline int find_fp(struct unwind_state *s, const struct flat_rule *r, __u64 cfa)
{
	__u64 at = (r->fp == FLAT_FP_AT_FP ? s->fp : cfa) + (__u64)(__s64)r->fp_offset;

	if (r->fp == FLAT_FP_LOST || (r->fp == FLAT_FP_AT_FP && !s->has_fp))
		s->has_fp = 0;
	if (r->fp == FLAT_FP_SAME || !s->has_fp)
		return UNWIND_DONE;
	return read_word(at, &s->fp) ? UNWIND_UNREADABLE : UNWIND_DONE;
}

/* Steps to the caller; -1: there is one. */
static __always_inline int step_frame(struct unwind_state *s, const struct flat_rule *r)
{
	__u64 cfa, pc, old = s->pc;
	int result = find_cfa(s, r, &cfa);

	if (result != UNWIND_DONE)
		return result;
	if (r->ra == FLAT_RA_LINK) {
		/* A call has overwritten the link register. */
		if (!s->is_interrupted || !s->has_lr)
			return UNWIND_NEEDS_MORE;
		pc = s->lr;
	} else if (read_word(cfa + (__u64)(__s64)r->ra_offset, &pc)) {
		return UNWIND_UNREADABLE;
	}
	if (r->fp == FLAT_FP_AT_CFA)
		s->has_fp = 1;
	result = find_fp(s, r, cfa);
	if (result != UNWIND_DONE)
		return result;
	if (cfa == s->sp && pc == old)
		return UNWIND_NEEDS_MORE;
	/* If the return address is at or above the CFA, the caller's frame begins after it. */
	s->sp = r->ra == FLAT_RA_AT_CFA && r->ra_offset >= 0 ? cfa + (__u64)r->ra_offset + 8 : cfa;
	s->pc = pc & UNWIND_HOST.address_mask;
	s->is_interrupted = 0;
	return s->pc ? -1 : UNWIND_DONE;
}

static __always_inline _Bool ends_with_record(struct unwind_state *s, const struct flat_rule *r)
{
	__u64 ra = 0;

	if (!s->has_fp)
		return 0;
	return !s->fp || (!read_word(s->fp + (__u64)(__s64)r->ra_offset, &ra) && !ra);
}

/* Steps over one frame. -1: there is another; else the result, enum unwind_result. */
__noinline int unwind_step(void)
{
	struct unwind_state *s = unwind_state();
	struct flat_rule r;
	int result, role = RUNTIME_ROLE_NONE;

	if (!s)
		return UNWIND_NO_USER;
	if (s->n_ranges)
		role = runtime_role(s, s->is_interrupted ? s->pc : s->pc - 1);
	if (role == RUNTIME_ROLE_CODE)
		return runtime_code();
	if (!unwind_find_map(s->is_interrupted ? s->pc : s->pc - 1))
		return s->has_other ? runtime_code() : UNWIND_NO_IMAGE;
	result = find_rule(s, &r);
	if (result == UNWIND_NO_IMAGE && s->has_other)
		return runtime_code();
	if (result != UNWIND_DONE)
		return result;
	if (s->n >= UNWIND_FRAMES_MAX)
		return UNWIND_TOO_DEEP;
	add_frame(s, s->is_interrupted || r.kind == FLAT_SIGNAL || r.kind == FLAT_END_ENTERED
			     ? s->pc
			     : s->pc - 1);
	if (role == RUNTIME_ROLE_LOOP || role == RUNTIME_ROLE_OUTER)
		runtime_native(s, role);
	switch (r.kind) {
	case FLAT_FRAME:
		return step_frame(s, &r);
	case FLAT_SIGNAL:
		return step_signal(s);
	case FLAT_END:
	case FLAT_END_ENTERED:
		return UNWIND_DONE;
	case FLAT_END_NO_FP:
		return s->has_fp && !s->fp ? UNWIND_DONE : UNWIND_NEEDS_MORE;
	case FLAT_END_RECORD:
		return ends_with_record(s, &r) ? UNWIND_DONE : UNWIND_NEEDS_MORE;
	default:
		return UNWIND_NEEDS_MORE;
	}
}

static __always_inline void wish_for_process(struct unwind_state *s, __u32 tgid, __u64 code_pages,
					     __u64 stack_start)
{
	struct unwind_ask *asked = bpf_map_lookup_elem(&unwind_asked, &tgid);
	struct unwind_ask ask = { .time_ns = bpf_ktime_get_ns(), .code_pages = code_pages };
	struct unwind_wish *w;

	ask.wait_ns = ASK_CHANGED_NS;
	if (asked) {
		__u64 passed = ask.time_ns - asked->time_ns;

		if (passed < (asked->code_pages == code_pages ? ASK_AGAIN_NS : asked->wait_ns))
			return;
		if (passed < asked->wait_ns * ASK_REST)
			ask.wait_ns = asked->wait_ns * 2;
		if (ask.wait_ns > ASK_CHANGED_MAX_NS)
			ask.wait_ns = ASK_CHANGED_MAX_NS;
	}
	bpf_map_update_elem(&unwind_asked, &tgid, &ask, BPF_ANY);
	w = begin_wish(s);
	w->process = tgid;
	w->pid = s->pid;
	w->code_pages = code_pages;
	w->stack_start = stack_start;
	w->pc = s->pc;
	send_wish(s);
}

static __always_inline _Bool take_process(struct unwind_state *s, __u32 tgid, __u64 code_pages,
					  __u64 stack_start)
{
	struct unwind_process *p = bpf_map_lookup_elem(&unwind_processes, &tgid);

	if (!p || p->code_pages != code_pages || p->stack_start != stack_start)
		return 0;
	s->tgid = tgid;
	s->first_map = p->first_map;
	s->n_maps = p->n_maps;
	s->map.start = s->map.end = 0;
	return 1;
}

/* Finds the process. A forked child has the maps of its parent until one of them maps something. */
static __always_inline int find_process(struct unwind_state *s, struct task_struct *task)
{
	__u32 tgid = (__u32)(bpf_get_current_pid_tgid() >> 32);
	__u64 code_pages = BPF_CORE_READ(task, mm, exec_vm);
	__u64 stack_start = BPF_CORE_READ(task, mm, start_stack);

	if (take_process(s, tgid, code_pages, stack_start))
		return UNWIND_DONE;
	wish_for_process(s, tgid, code_pages, stack_start);
	tgid = (__u32)BPF_CORE_READ(task, real_parent, tgid);
	return take_process(s, tgid, code_pages, stack_start) ? UNWIND_DONE : UNWIND_NO_TABLES;
}

/* Takes the registers at @regs, or those with which the task has entered the kernel. */
static __always_inline int take_registers(struct unwind_state *s, __u64 regs)
{
	const volatile struct unwind_host *m = &UNWIND_HOST;
	__u64 mode = 0;

	if (bpf_probe_read_kernel(&mode, sizeof(mode), (void *)(regs + m->mode)) ||
	    (mode & m->native_mask) != m->native_value)
		return UNWIND_NO_USER;
	bpf_probe_read_kernel(&s->pc, sizeof(s->pc), (void *)(regs + m->pc));
	bpf_probe_read_kernel(&s->sp, sizeof(s->sp), (void *)(regs + m->sp));
	bpf_probe_read_kernel(&s->fp, sizeof(s->fp), (void *)(regs + m->fp));
	if (m->lr)
		bpf_probe_read_kernel(&s->lr, sizeof(s->lr), (void *)(regs + m->lr));
	s->has_lr = m->lr != 0;
	s->has_fp = s->is_interrupted = 1;
	s->regs = regs;
	return UNWIND_DONE;
}

/* True if @regs are registers of user mode. */
static __always_inline _Bool unwind_is_user(__u64 regs)
{
	const volatile struct unwind_host *m = &UNWIND_HOST;
	__u64 mode = 0;

	bpf_probe_read_kernel(&mode, sizeof(mode), (void *)(regs + m->mode));
	return (mode & m->user_mask) == m->user_value;
}

static __always_inline int unwind_walk(__u64 regs)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task_btf();
	struct unwind_state *s = unwind_state();
	int result = UNWIND_NO_USER;

	if (!s || !BPF_CORE_READ(task, mm) || BPF_CORE_READ(task, flags) & PF_KTHREAD)
		return UNWIND_NO_USER;
	s->epoch = unwind_epoch();
	if (s->epoch & 1)
		return UNWIND_CHANGED;
	unwind_fence(s);
	if (!regs)
		regs = (__u64)bpf_task_pt_regs((void *)task);
	result = take_registers(s, regs);
	if (result == UNWIND_DONE)
		result = find_process(s, task);
	if (result != UNWIND_DONE)
		return result;
	runtime_begin(s);
	for (int i = 0; i < UNWIND_FRAMES_MAX + 1; i++) {
		result = unwind_step();
		if (result >= 0)
			break;
	}
	if (s->wants_process || (s->waits && result == UNWIND_NEEDS_MORE))
		wish_for_process(s, (__u32)(bpf_get_current_pid_tgid() >> 32),
				 BPF_CORE_READ(task, mm, exec_vm),
				 BPF_CORE_READ(task, mm, start_stack));
	result = runtime_end(s, result);
	if (result < 0)
		return UNWIND_TOO_DEEP;
	unwind_fence(s);
	return unwind_epoch() == s->epoch ? result : UNWIND_CHANGED;
}

/*
 * Adds the user frames of the current task to those of unwind_begin(); see above. Results other
 * than UNWIND_DONE leave some of the frames there. UNWIND_NO_USER: the task has none.
 */
static __always_inline int unwind_user(__u64 regs)
{
	int result = unwind_walk(regs);

	unwind_count((__u32)result);
	return result;
}
