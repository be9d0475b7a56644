/* SPDX-License-Identifier: MIT */
#include "tools/lock/contention-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/memory.h"
#include "session/consumer.h"
#include "session/sample-filter.h"
#include "tools/lock/contention-internal-model.h"

struct lock_contention *lock_contention_new(const struct lock_contention_options *o)
{
	struct lock_contention *m = xcalloc(1, sizeof(*m));

	m->o = *o;
	return m;
}

void lock_contention_free(struct lock_contention *m)
{
	if (!m)
		return;
	lock_events_done(&m->events);
	lock_rows_done(&m->rows);
	lock_sequences_done(&m->sequences);
	lock_filter_done(&m->filter);
	call_chain_done(&m->chain);
	u64_map_done(&m->threads);
	free(m->stack.items);
	free(m->thread_list);
	free(m);
}

void lock_contention_settle(struct lock_contention *m)
{
	if (m->is_settled)
		return;
	m->is_settled = true;
	lock_filter_init(&m->filter, m->o.filters, &m->o.names);
	if (m->o.by == LOCK_BY_CALLER || m->o.acquisitions)
		lock_code_find(&m->code, &m->o.names);
}

static struct lock_stack lock_contention_stack_of(const struct lock_waits *w)
{
	return (struct lock_stack){ .ips = w->stack, .n = w->n_stack };
}

/*
 * Returns the number of frames to skip: 0 for stacks of user space, which begin with the caller
 * that wants the lock.
 */
static size_t skip_of(const struct lock_contention *m, const struct lock_waits *w)
{
	return w->flags & LOCK_USER ? 0 : m->o.stack_skip;
}

/*
 * Returns a key that includes the process, because addresses of user space are valid only within
 * it.
 */
static uint64_t user_key(const struct lock_waits *w, uint64_t key)
{
	return w->flags & LOCK_USER ? hash_u64(w->pid, key) : key;
}

uint64_t lock_contention_key(const struct lock_contention *m, const struct lock_waits *w)
{
	const struct lock_stack s = lock_contention_stack_of(w);

	switch (m->o.by) {
	case LOCK_BY_TASK:
		return w->tid;
	case LOCK_BY_ADDR:
		return user_key(w, w->addr);
	case LOCK_BY_CGROUP:
		return w->cgroup;
	default:
		return user_key(w, lock_stack_key(&m->code, &s, skip_of(m, w)) ^
					   (w->flags & LOCK_USER ? w->addr : 0));
	}
}

/* Returns the name of the caller. Locks of user space are named as well: "work+0x4 (hot_lock)". */
static const char *name_of_caller(struct lock_contention *m, const struct lock_waits *w)
{
	const struct lock_stack s = lock_contention_stack_of(w);
	const struct lock_names *names = &m->o.names;
	const char *caller = lock_stack_caller(&m->code, names, &s, skip_of(m, w), w->pid,
					       &m->rows.arena);
	_cleanup_(freep) char *both = NULL;
	struct lock_symbol sym;

	if (!(w->flags & LOCK_USER) || !names->symbol(names->arg, w->pid, w->addr, &sym))
		return caller;
	both = xasprintf("%s (%s)", caller, sym.name);
	return arena_strndup(&m->rows.arena, both, strlen(both));
}

/*
 * Returns the name of a new row. Names of threads are looked up at the end, because they may
 * change.
 */
static const char *lock_contention_name_of(struct lock_contention *m, const struct lock_waits *w)
{
	const struct lock_names *names = &m->o.names;
	struct lock_symbol sym;

	if (m->o.by == LOCK_BY_TASK || m->o.by == LOCK_BY_CGROUP)
		return "";
	if (m->o.by == LOCK_BY_CALLER || m->o.acquisitions)
		return name_of_caller(m, w);
	if (!names->symbol(names->arg, w->pid, w->addr, &sym))
		return "";
	return arena_strndup(&m->rows.arena, sym.name, strlen(sym.name));
}

static void keep_stack(struct lock_contention *m, struct lock_row *row, const struct lock_waits *w)
{
	uint64_t *copy;

	if (!m->o.keep_stacks || !w->n_stack)
		return;
	copy = arena_alloc(&m->rows.arena, w->n_stack * sizeof(*copy));
	memcpy(copy, w->stack, w->n_stack * sizeof(*copy));
	row->stack = copy;
	row->n_stack = w->n_stack;
}

struct lock_entry *lock_contention_row(struct lock_contention *m, const struct lock_waits *w)
{
	uint64_t key = lock_contention_key(m, w);
	struct lock_entry *e = lock_rows_find(&m->rows, key);

	if (e)
		return e;
	e = lock_rows_add(&m->rows, key);
	e->row.flags = w->flags;
	e->row.pid = w->pid;
	e->row.tid = w->tid;
	e->row.addr = w->addr;
	e->row.cgroup = w->cgroup;
	e->row.name = lock_contention_name_of(m, w);
	keep_stack(m, &e->row, w);
	return e;
}

void lock_contention_add(struct lock_contention *m, const struct lock_waits *w)
{
	struct lock_entry *e;

	lock_contention_settle(m);
	if (!lock_filter_passes(&m->filter, &m->o.names, w))
		return;
	e = lock_contention_row(m, w);
	e->row.contended += w->contended;
	e->row.acquired += w->contended;
	lock_entry_wait(e, w->contended, w->total_ns, w->max_ns, w->min_ns);
}

static int lock_contention_begin(void *arg, struct consumer *c)
{
	struct lock_contention *m = arg;

	m->session = c->session;
	lock_events_done(&m->events);
	lock_events_bind(&m->events, c->session);
	return 0;
}

static bool lock_contention_wants(void *arg, const struct session_event *e)
{
	const struct lock_contention *m = arg;
	enum lock_kind kind = lock_event_kind(&m->events, e);

	return kind >= LOCK_BEGIN || (kind != LOCK_NONE && m->o.acquisitions);
}

static int lock_contention_model_take(void *arg, const struct sample_batch *b)
{
	struct lock_contention *m = arg;
	struct lock_event e;

	for (size_t i = 0; i < b->n; i++)
		if (lock_event_read(&m->events, &b->items[i], &e) &&
		    (!m->o.threads || sample_filter_passes_task(m->o.threads, e.pid, e.tid)))
			lock_contention_take(m, &e, &b->items[i]);
	return 0;
}

void lock_contention_consumer(struct lock_contention *m, struct consumer *ret)
{
	*ret = (struct consumer){ .order = CONSUMER_IN_ORDER,
				  .wants = lock_contention_wants,
				  .begin = lock_contention_begin,
				  .samples = lock_contention_model_take,
				  .arg = m };
}

struct lock_failures *lock_contention_failures(struct lock_contention *m)
{
	return &m->failures;
}

const struct lock_events *lock_contention_events(const struct lock_contention *m)
{
	return &m->events;
}

const char *const *lock_contention_unknown_locks(const struct lock_contention *m, size_t *ret_n)
{
	*ret_n = m->filter.n_unknown;
	return m->filter.unknown;
}

uint64_t lock_contention_open(const struct lock_contention *m)
{
	return m->n_open;
}

/* Sets the names of threads and cgroups. These are the names at the end. */
static void name_rows(const struct lock_contention *m, struct lock_row *rows, size_t n)
{
	const struct lock_names *names = &m->o.names;

	for (size_t i = 0; i < n; i++) {
		const char *name = NULL;

		if (m->o.by == LOCK_BY_TASK)
			name = names->comm(names->arg, rows[i].tid);
		else if (m->o.by == LOCK_BY_CGROUP)
			name = names->cgroup(names->arg, rows[i].cgroup);
		if (name)
			rows[i].name = name;
	}
}

const struct lock_row *lock_contention_sort(struct lock_contention *m, const struct lock_sort *how,
					    size_t *ret_n)
{
	struct lock_row *rows = lock_rows_sort(&m->rows, how, ret_n);

	name_rows(m, rows, *ret_n);
	return rows;
}

static int lock_contention_compare_names(const void *a, const void *b)
{
	const struct lock_row *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : x->addr < y->addr ? -1 : x->addr > y->addr;
}

const struct lock_row *lock_contention_list(struct lock_contention *m, size_t *ret_n)
{
	struct lock_row *rows = lock_rows_sort(&m->rows, &(struct lock_sort){ 0 }, ret_n);

	qsort(rows, *ret_n, sizeof(*rows), lock_contention_compare_names);
	return rows;
}

static int compare_threads(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

struct thread_fill {
	uint32_t *items;
	size_t n;
};

static void lock_contention_add_thread(void *arg, uint64_t key, void *value)
{
	struct thread_fill *f = arg;

	(void)value;
	f->items[f->n++] = (uint32_t)key;
}

const uint32_t *lock_contention_threads(struct lock_contention *m, size_t *ret_n)
{
	struct thread_fill f = { .items = xcalloc(m->threads.n + 1, sizeof(*f.items)) };

	u64_map_for_each(&m->threads, lock_contention_add_thread, &f);
	qsort(f.items, f.n, sizeof(*f.items), compare_threads);
	free(m->thread_list);
	m->thread_list = f.items;
	*ret_n = f.n;
	return f.items;
}
