/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Walks the frames of interpreted languages (runtime/runtime-types.h). A part of bpf/unwind.bpf.h:
 * runtime_loop() puts the interpreted frames of a native frame in a loop in its place, and
 * runtime_code() leaves a frame of generated code.
 *
 * Each runtime has one function for each of both that it needs, in a header of its own. They are
 * not static, so that the verifier checks each of them once.
 */
#include "runtime/runtime-types.h"

/* Processes by thread group id in the initial namespace. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct runtime_process);
} runtime_processes SEC(".maps");

/*
 * Code objects that were met a short while ago, at a place that depends on them: the recorder is
 * asked to read the names of others at once.
 */
#define RUNTIME_MET 16384

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, RUNTIME_MET);
	__type(key, __u32);
	__type(value, __u64);
} runtime_met SEC(".maps");

/*
 * Native frames in the ranges of runtimes, by what became of them: for each enum runtime_kind a row
 * by enum runtime_result.
 */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, RUNTIME_KINDS *RUNTIME_RESULTS);
	__type(key, __u32);
	__type(value, __u64);
} runtime_counts SEC(".maps");

/* The thread pointer of user mode, by machine. */
struct thread_struct___x86 {
	unsigned long fsbase;
} __attribute__((preserve_access_index));

struct task_struct___x86 {
	struct thread_struct___x86 thread;
} __attribute__((preserve_access_index));

struct thread_user___arm64 {
	unsigned long tp_value;
} __attribute__((preserve_access_index));

struct thread_struct___arm64 {
	struct thread_user___arm64 uw;
} __attribute__((preserve_access_index));

struct task_struct___arm64 {
	struct thread_struct___arm64 thread;
} __attribute__((preserve_access_index));

static __always_inline __u64 thread_pointer(void)
{
	void *task = bpf_get_current_task_btf();

	if (bpf_core_field_exists(((struct task_struct___x86 *)0)->thread.fsbase))
		return BPF_CORE_READ((struct task_struct___x86 *)task, thread.fsbase);
	if (bpf_core_field_exists(((struct task_struct___arm64 *)0)->thread.uw.tp_value))
		return BPF_CORE_READ((struct task_struct___arm64 *)task, thread.uw.tp_value);
	return 0;
}

static __always_inline _Bool read_user(__u64 addr, void *to, __u32 size)
{
	return !bpf_probe_read_user(to, size, (void *)addr);
}

/* Parts of the target's memory that were read to s->scratch: the words and numbers at an offset. */
#define RUNTIME_SCRATCH sizeof(((struct unwind_state *)0)->scratch)

static __always_inline __u64 scratch_u64(const struct unwind_state *s, __u32 offset)
{
	return s->scratch.words[offset / 8 % (RUNTIME_SCRATCH / 8)];
}

static __always_inline __u32 scratch_u32(const struct unwind_state *s, __u32 offset)
{
	return s->scratch.numbers[offset / 4 % (RUNTIME_SCRATCH / 4)];
}

static __always_inline __u8 scratch_u8(const struct unwind_state *s, __u32 offset)
{
	return s->scratch.bytes[offset % RUNTIME_SCRATCH];
}

/* Returns the description of the process, or NULL. */
static __always_inline struct runtime_process *runtime_of(struct unwind_state *s)
{
	return s->has_process ? &s->process : (void *)0;
}

/* Has the name of a frame read if its code object was not met before. */
static __always_inline void wish_for_name(struct unwind_state *s, __u64 object, __u64 checked)
{
	__u64 key = object ^ (checked >> 32) << 24 ^ (__u64)s->tgid << 40;
	__u32 at = (__u32)(key * 0x9e3779b97f4a7c15 >> 32) % RUNTIME_MET;
	__u64 *met = bpf_map_lookup_elem(&runtime_met, &at);
	struct unwind_wish *w;

	if (!met || *met == key)
		return;
	*met = key;
	w = begin_wish(s);
	w->pid = s->pid;
	w->frame[0] = object;
	w->frame[1] = checked;
	if (send_wish(s))
		*met = 0;
}

/* Adds an interpreted frame. */
static __always_inline int add_interpreted(struct unwind_state *s, __u32 sort, __u64 object,
					   __u32 check, __u32 position)
{
	__u32 n = s->n;

	barrier_var(n);
	if (n >= UNWIND_FRAMES_MAX - 1)
		return RUNTIME_ENDLESS;
	s->frames[n] = RUNTIME_FRAME(sort, object);
	s->frames[n + 1] = RUNTIME_CHECKED(check, position);
	s->n = n + 2;
	s->has_interpreted = 1;
	wish_for_name(s, s->frames[n], s->frames[n + 1]);
	return RUNTIME_FOUND;
}

/* Interpreted frames of one native frame. */
#define RUNTIME_FRAMES_MAX 1000

/* In bpf/unwind.bpf.h. */
__noinline int unwind_find_map(__u64 pc);

/* Prepares to walk the process whose maps were found, if it has a runtime. */
static __always_inline void runtime_begin(struct unwind_state *s)
{
	__u32 tgid = s->tgid;
	struct runtime_process *p = bpf_map_lookup_elem(&runtime_processes, &tgid);

	s->has_process = 0;
	s->n_ranges = s->has_other = 0;
	s->has_frame = s->wants_process = s->waits = s->has_interpreted = 0;
	s->n_looped = s->in_loop = 0;
	if (!p)
		return;
	s->waits = !p->is_ready;
	s->has_other = p->has_other;
	s->n_ranges = p->n_ranges;
	s->has_process = !bpf_probe_read_kernel(&s->process, sizeof(s->process), p);
}

/* The frames of a loop were added with its own native frame, or with one of generated code. */
enum runtime_in_loop {
	RUNTIME_LOOP_NONE,
	RUNTIME_LOOP_ITSELF,
	RUNTIME_LOOP_CODE,
};

/* The part of the runtime that the code at an address is. */
enum runtime_role {
	RUNTIME_ROLE_NONE,
	RUNTIME_ROLE_LOOP,
	RUNTIME_ROLE_CODE,
	RUNTIME_ROLE_OUTER,
};

static __always_inline int runtime_role(const struct unwind_state *s, __u64 pc)
{
	for (__u32 i = 0; i < RUNTIME_RANGES_MAX; i++) {
		const struct runtime_range *r = &s->process.ranges[i];

		if (i < s->n_ranges && pc - r->start < r->end - r->start)
			return r->is_code    ? RUNTIME_ROLE_CODE
			       : r->is_outer ? RUNTIME_ROLE_OUTER
					     : RUNTIME_ROLE_LOOP;
	}
	return RUNTIME_ROLE_NONE;
}

/* True if @state is the state of the current thread. */
static __always_inline _Bool is_own_state(const struct runtime_process *p, __u64 state)
{
	__u64 self = 0;

	return !state || (read_user(state + p->self_at, &self, sizeof(self)) &&
			  self == thread_pointer() + (__u64)p->self);
}

/* Follows a path to the innermost frame. RUNTIME_NO_THREAD: a pointer on the way is NULL. */
static __always_inline int follow_path(struct unwind_state *s, const struct runtime_process *p,
				       const struct runtime_path *path, _Bool checks_state)
{
	__u64 at = path->is_absolute ? 0 : thread_pointer();

	for (__u32 i = 0; i < RUNTIME_STEPS_MAX; i++) {
		if (i >= path->n)
			break;
		if (!at && (i || !path->is_absolute))
			return RUNTIME_NO_THREAD;
		if (!read_user(at + (__u64)path->offsets[i], &at, sizeof(at)))
			return RUNTIME_UNREADABLE;
		if (!i && checks_state && !is_own_state(p, at))
			return RUNTIME_NO_THREAD;
	}
	s->frame = at;
	s->has_frame = 1;
	return RUNTIME_FOUND;
}

/* Finds the innermost frame of the current thread. */
__noinline int find_frame(void)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	int result;

	if (!s || !p)
		return RUNTIME_NO_THREAD;
	if (!p->is_ready) {
		s->wants_process = 1;
		return RUNTIME_NO_THREAD;
	}
	result = follow_path(s, p, &p->frame, p->self_at != 0);
	if (result == RUNTIME_NO_THREAD && p->other.n)
		result = follow_path(s, p, &p->other, 0);
	return result;
}

static __always_inline void runtime_count(const struct runtime_process *p, __u32 result)
{
	__u32 at = p->kind * RUNTIME_RESULTS + result;
	__u64 *n = bpf_map_lookup_elem(&runtime_counts, &at);

	if (n)
		*n += 1;
}

#include "bpf/runtime-java.bpf.h"
#include "bpf/runtime-php.bpf.h"
#include "bpf/runtime-python.bpf.h"
#include "bpf/runtime-ruby.bpf.h"
#include "bpf/runtime-v8.bpf.h"

/* Adds one frame of the loop. -1: there is another one of this native frame. */
static __always_inline int loop_step(__u32 kind)
{
	switch (kind) {
	case RUNTIME_KIND_PYTHON:
		return python_step();
	case RUNTIME_KIND_PHP:
		return php_step();
	case RUNTIME_KIND_RUBY:
		return ruby_step();
	default:
		return RUNTIME_NOT_CODE;
	}
}

/*
 * Puts the interpreted frames of the native frame that was added last, which is in a loop, in its
 * place. If there are none, the native frame stays.
 */
__noinline int runtime_loop(void)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	int result = RUNTIME_FOUND;
	__u64 native;
	__u32 n;

	if (!s || !p)
		return 0;
	n = s->n - 1;
	if (n >= UNWIND_FRAMES_MAX)
		return 0;
	native = s->frames[n];
	if (!s->has_frame)
		result = find_frame();
	if (result == RUNTIME_FOUND) {
		s->n = n;
		result = -1;
		for (int i = 0; i < RUNTIME_FRAMES_MAX && result < 0; i++)
			result = loop_step(p->kind);
	}
	if (result < 0)
		result = RUNTIME_ENDLESS;
	runtime_count(p, (__u32)result);
	if (result != RUNTIME_FOUND)
		s->frame = 0;
	if (s->n > n)
		s->n_looped = s->n;
	if (s->n <= n) {
		s->frames[n] = native;
		s->n = n + 1;
	}
	return 0;
}

/* Handles the native frame that was added last, which is in a loop or calls one. */
static __always_inline void runtime_native(struct unwind_state *s, int role)
{
	if (s->in_loop == RUNTIME_LOOP_CODE || (s->in_loop && role == RUNTIME_ROLE_OUTER)) {
		if (s->n)
			s->n--;
		s->in_loop = role == RUNTIME_ROLE_LOOP ? RUNTIME_LOOP_ITSELF : RUNTIME_LOOP_NONE;
		return;
	}
	runtime_loop();
	s->in_loop = role == RUNTIME_ROLE_LOOP ? RUNTIME_LOOP_ITSELF : RUNTIME_LOOP_NONE;
}

/* Leaves one frame of generated code. -1: its caller is known. */
static __always_inline int code_step(__u32 kind)
{
	switch (kind) {
	case RUNTIME_KIND_JAVA:
		return java_step();
	case RUNTIME_KIND_V8:
		return v8_step();
	default:
		return RUNTIME_NOT_FRAME;
	}
}

/*
 * Adds the frame of generated code in which the state's pc is, and goes on to its caller: sets pc,
 * sp and, if it is known, fp. -1: there is a caller; else a result of the unwinder. If a caller is
 * not known after frames of generated code, the stack ends there: a copy would tell less.
 */
__noinline int runtime_code(void)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	int result;

	if (!s || !p)
		return UNWIND_NO_IMAGE;
	if (!p->is_ready) {
		s->wants_process = 1;
		result = RUNTIME_NO_THREAD;
	} else if (p->kind == RUNTIME_KIND_PHP) {
		return php_code();
	} else if (p->kind == RUNTIME_KIND_RUBY) {
		return ruby_code();
	} else {
		result = code_step(p->kind);
	}
	runtime_count(p, result < 0 ? RUNTIME_FOUND : (__u32)result);
	return result < 0 ? -1 : UNWIND_NO_IMAGE;
}

/*
 * Adds the frames that are left at the end of the native stack. One that is complete should have
 * had a place for them: it has not if a function is just about to be called from C, or has just
 * returned. Then they replace the native frames at the end.
 */
__noinline int runtime_rest(int is_complete)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	int result = RUNTIME_FOUND;

	if (!s || !p || !s->has_frame)
		return RUNTIME_NO_THREAD;
	if (is_complete && s->frame && s->n_looped && s->n_looped < s->n)
		s->n = s->n_looped;
	for (int i = 0; i < RUNTIME_FRAMES_MAX && result <= RUNTIME_FOUND && s->frame; i++)
		result = loop_step(p->kind);
	return result;
}

/*
 * Ends a stack with the result @result. One with interpreted frames is better than a copy, which
 * has none of them, although the outermost native frames are missing.
 */
static __always_inline int runtime_end(struct unwind_state *s, int result)
{
	struct runtime_process *p;

	if (result != UNWIND_DONE && result != UNWIND_NO_IMAGE && result != UNWIND_NEEDS_MORE &&
	    result != UNWIND_UNREADABLE)
		return result;
	p = s->n_ranges ? runtime_of(s) : (void *)0;
	/* Every thread of Python has frames of its own, or none. */
	if (p && p->kind == RUNTIME_KIND_PYTHON && result != UNWIND_DONE) {
		if (s->has_frame || find_frame() == RUNTIME_FOUND)
			runtime_rest(0);
	} else if (p && (p->kind == RUNTIME_KIND_PHP || p->kind == RUNTIME_KIND_RUBY)) {
		runtime_rest(result == UNWIND_DONE);
	}
	return s->has_interpreted ? UNWIND_DONE : result;
}
