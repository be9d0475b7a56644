/* SPDX-License-Identifier: MIT */
#include "tools/lock/futex-events-model.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "session/call-chain.h"
#include "session/consumer.h"
#include "session/session.h"
#include "tools/lock/contention-model.h"
#include "tracepoint/field.h"

enum futex_kind {
	FUTEX_NONE,
	FUTEX_ENTER,
	FUTEX_EXIT,
};

struct futex_source {
	enum futex_kind kind;
	struct field_ref addr, op, value, result;
};

/* The last call of a thread. */
struct futex_thread {
	struct futex_waits *row; /* NULL: the thread is not in a waiting call */
	uint64_t time;
};

struct futex_events {
	struct futex_events_options o;
	const struct session *session;
	struct futex_source *sources;
	size_t n_sources;
	bool there;
	struct call_chain chain;
	struct {
		uint64_t *items;
		size_t n, room;
	} stack;
	struct u64_map threads, rows;
	struct {
		struct futex_waits **items;
		size_t n, room;
	} list;
	struct arena arena; /* owns threads, rows and stacks */
	uint64_t seed;
	uint64_t n_open;
};

struct futex_events *futex_events_new(const struct futex_events_options *o)
{
	struct futex_events *f = xcalloc(1, sizeof(*f));

	f->o = *o;
	f->seed = hash_seed();
	return f;
}

void futex_events_free(struct futex_events *f)
{
	if (!f)
		return;
	free(f->sources);
	call_chain_done(&f->chain);
	free(f->stack.items);
	u64_map_done(&f->threads);
	u64_map_done(&f->rows);
	free(f->list.items);
	arena_done(&f->arena);
	free(f);
}

static void futex_events_bind_source(struct futex_events *f, const struct session_event *e,
				     bool swap)
{
	struct futex_source *s = &f->sources[e->index];

	if (!e->format || !e->system || strcmp(e->system, "syscalls") != 0)
		return;
	if (!strcmp(e->tracepoint, "sys_enter_futex"))
		s->kind = FUTEX_ENTER;
	else if (!strcmp(e->tracepoint, "sys_exit_futex"))
		s->kind = FUTEX_EXIT;
	else
		return;
	s->addr = tracepoint_field_bind(e->format, "uaddr", swap);
	s->op = tracepoint_field_bind(e->format, "op", swap);
	s->value = tracepoint_field_bind(e->format, "val", swap);
	s->result = tracepoint_field_bind(e->format, "ret", swap);
	f->there = true;
}

void futex_events_bind(struct futex_events *f, const struct session *s)
{
	f->session = s;
	f->n_sources = session_event_count(s);
	free(f->sources);
	f->sources = xcalloc(f->n_sources + 1, sizeof(*f->sources));
	for (size_t i = 0; i < f->n_sources; i++)
		futex_events_bind_source(f, session_event(s, i), session_is_swapped(s));
}

static const struct futex_source *futex_events_source_of(const struct futex_events *f,
							 const struct session_event *e)
{
	return e->index < f->n_sources && f->sources[e->index].kind != FUTEX_NONE
		       ? &f->sources[e->index]
		       : NULL;
}

bool futex_events_want(const struct futex_events *f, const struct session_event *e)
{
	return futex_events_source_of(f, e);
}

bool futex_events_there(const struct futex_events *f)
{
	return f->there;
}

/* Takes the frames of user space, which follow those of the kernel. */
static void futex_events_take_stack(struct futex_events *f, const struct session_sample *s)
{
	struct call_chain *c = &f->chain;

	call_chain_take(c, f->session, s->sample, s->time, SIZE_MAX);
	f->stack.n = 0;
	for (size_t i = 0; i < c->n && f->stack.n < f->o.max_stack; i++)
		if (c->items[i].mode == ADDRESS_USER)
			*ARRAY_ADD(&f->stack) = c->items[i].ip;
}

static uint64_t futex_events_key_of(const struct futex_events *f, const struct futex_waits *w)
{
	const uint64_t parts[] = {
		w->wait.pid,
		w->addr,
		(uint64_t)w->wait.op << 32 | w->wait.value,
		f->o.by_task ? w->tid : 0,
		f->o.by_cgroup ? w->cgroup : 0,
	};

	return hash_bytes(f->seed, parts, sizeof(parts)) ^
	       hash_bytes(f->seed + 1, f->stack.items, f->stack.n * sizeof(uint64_t));
}

static struct futex_waits *futex_events_row_of(struct futex_events *f, const struct futex_waits *w)
{
	uint64_t key = futex_events_key_of(f, w);
	struct futex_waits *row = u64_map_find(&f->rows, key);
	uint64_t *stack;

	if (row)
		return row;
	row = arena_alloc(&f->arena, sizeof(*row));
	*row = *w;
	row->min_ns = UINT64_MAX;
	stack = arena_alloc(&f->arena, (f->stack.n + 1) * sizeof(*stack));
	if (f->stack.n)
		memcpy(stack, f->stack.items, f->stack.n * sizeof(*stack));
	row->wait.stack = stack;
	row->wait.n_stack = f->stack.n;
	u64_map_put(&f->rows, key, row);
	*ARRAY_ADD(&f->list) = row;
	return row;
}

static struct futex_thread *futex_events_thread_of(struct futex_events *f, uint32_t tid)
{
	struct futex_thread *t = u64_map_find(&f->threads, tid);

	if (t)
		return t;
	t = arena_alloc(&f->arena, sizeof(*t));
	*t = (struct futex_thread){ 0 };
	u64_map_put(&f->threads, tid, t);
	return t;
}

static void futex_events_enter(struct futex_events *f, const struct futex_source *source,
			       const struct session_sample *s)
{
	struct futex_thread *t = futex_events_thread_of(f, s->sample->tid);
	struct futex_waits w = { .wait.pid = s->sample->pid,
				 .tid = s->sample->tid,
				 .cgroup = s->sample->cgroup };
	uint64_t op, value = 0;

	f->n_open -= t->row != NULL;
	t->row = NULL;
	if (!field_ref_number(&source->addr, s->sample->raw, s->sample->raw_size, &w.addr) ||
	    !field_ref_number(&source->op, s->sample->raw, s->sample->raw_size, &op) ||
	    !futex_op_waits((uint32_t)op))
		return;
	field_ref_number(&source->value, s->sample->raw, s->sample->raw_size, &value);
	w.wait.op = (uint32_t)op & FUTEX_CMD_MASK;
	/* For PI operations this is not the compared value. */
	w.wait.value = (uint32_t)value;
	futex_events_take_stack(f, s);
	t->row = futex_events_row_of(f, &w);
	t->time = s->time;
	f->n_open++;
}

static void futex_events_leave(struct futex_events *f, const struct futex_source *source,
			       const struct session_sample *s)
{
	struct futex_thread *t = futex_events_thread_of(f, s->sample->tid);
	uint64_t result = 0, ns = s->time > t->time ? s->time - t->time : 0;
	struct futex_waits *w;

	/* It may also be the end of a call that does not wait. */
	if (!t->row)
		return;
	w = t->row;
	t->row = NULL;
	f->n_open--;
	field_ref_number(&source->result, s->sample->raw, s->sample->raw_size, &result);
	/* The futex word had changed already, and the thread did not wait. */
	if ((int64_t)result == -EAGAIN)
		return;
	w->contended++;
	w->total_ns += ns;
	w->max_ns = ns > w->max_ns ? ns : w->max_ns;
	w->min_ns = ns < w->min_ns ? ns : w->min_ns;
}

void futex_events_take(struct futex_events *f, const struct session_sample *s)
{
	const struct futex_source *source = futex_events_source_of(f, s->event);

	if (source && source->kind == FUTEX_ENTER)
		futex_events_enter(f, source, s);
	else if (source)
		futex_events_leave(f, source, s);
}

struct futex_events_rest futex_events_finish(struct futex_events *f, struct user_locks *u,
					     const struct lock_filters *filters,
					     struct lock_contention *m)
{
	struct futex_events_rest rest = { .unended = f->n_open };

	for (size_t i = 0; i < f->list.n; i++)
		if (f->list.items[i]->contended)
			rest.conditions += futex_waits_add(f->list.items[i], u, filters, m);
	return rest;
}

static bool is_addr(const char *word, uint64_t addr)
{
	char *end;
	uint64_t wanted = strtoull(word, &end, 16);

	return end != word && !*end && wanted == addr;
}

static bool is_wanted_lock(const struct lock_filters *f, const struct futex_waits *w,
			   struct user_locks *u)
{
	struct lock_symbol sym;
	const char *name = NULL;

	if (!f->locks.n)
		return true;
	if (user_locks_symbol(u, w->wait.pid, w->addr, &sym))
		name = sym.name;
	for (size_t i = 0; i < f->locks.n; i++)
		if ((name && !strcmp(f->locks.items[i], name)) ||
		    is_addr(f->locks.items[i], w->addr))
			return true;
	return false;
}

uint64_t futex_waits_add(const struct futex_waits *w, struct user_locks *u,
			 const struct lock_filters *f, struct lock_contention *m)
{
	struct user_wait wait = user_locks_wait(u, &w->wait);

	if (!is_wanted_lock(f, w, u))
		return 0;
	if (wait.flags & LOCK_CONDITION && !lock_types_have(&f->types, wait.flags))
		return w->contended;
	lock_contention_add(m, &(struct lock_waits){
				       .pid = w->wait.pid,
				       .tid = w->tid,
				       .addr = w->addr,
				       .cgroup = w->cgroup,
				       .flags = wait.flags,
				       .stack = w->of_owner ? NULL : w->wait.stack + wait.skip,
				       .n_stack = w->of_owner ? 0 : w->wait.n_stack - wait.skip,
				       .contended = w->contended,
				       .total_ns = w->total_ns,
				       .max_ns = w->max_ns,
				       .min_ns = w->min_ns,
			       });
	return 0;
}
