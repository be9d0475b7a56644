/* SPDX-License-Identifier: MIT */
/*
 * Interprets the events: a thread requests a lock, waits for it, has it, releases it.
 *
 * An event that cannot follow the previous one means that events were lost. It marks its row as
 * broken, is counted in the histogram of failures if it is the row's first, and the thread's state
 * at that lock is forgotten. An event without any state before it belongs to the time before the
 * recording, and is ignored. These are the rules of Linux's perf.
 */
#include "base/memory.h"
#include "session/consumer.h"
#include "tools/lock/contention-internal-model.h"
#include "wire/sample.h"

/* Appends the frames of @s that lie in the kernel. False: others follow within the depth. */
static bool take_kernel_stack(struct lock_contention *m, const struct sample *s)
{
	size_t n = s->chain.n;

	m->stack.n = 0;
	m->stack.items = array_reserve(m->stack.items, &m->stack.room, n, sizeof(uint64_t));
	for (size_t i = 0; i < n && m->stack.n < m->o.max_stack; i++) {
		uint64_t ip = words_get(&s->chain, i);

		if (ip == PERF_CONTEXT_KERNEL)
			continue;
		if (ip >= PERF_CONTEXT_MAX)
			return false;
		m->stack.items[m->stack.n++] = ip;
	}
	return true;
}

static void lock_contention_events_take_stack(struct lock_contention *m,
					      const struct session_sample *s)
{
	struct call_chain *c = &m->chain;

	if (take_kernel_stack(m, s->sample))
		return;
	call_chain_take(c, m->session, s->sample, s->time, m->o.max_stack);
	m->stack.items = array_reserve(m->stack.items, &m->stack.room, c->n, sizeof(uint64_t));
	m->stack.n = c->n < m->o.max_stack ? c->n : m->o.max_stack;
	for (size_t i = 0; i < m->stack.n; i++)
		m->stack.items[i] = c->items[i].ip;
}

static bool needs_stack(const struct lock_contention *m, enum lock_kind kind)
{
	if (m->o.by == LOCK_BY_CALLER)
		return true;
	return kind == LOCK_BEGIN && (m->o.acquisitions || lock_filter_needs_stacks(&m->filter));
}

static struct lock_waits lock_contention_events_describe(struct lock_contention *m,
							 const struct lock_event *e,
							 const struct session_sample *s)
{
	struct lock_waits w = { .pid = e->pid,
				.tid = e->tid,
				.addr = e->addr,
				.cgroup = s->sample->cgroup,
				.flags = e->flags };

	if (needs_stack(m, e->kind)) {
		lock_contention_events_take_stack(m, s);
		w.stack = m->stack.items;
		w.n_stack = m->stack.n;
	}
	return w;
}

static void lock_contention_events_fail(struct lock_contention *m, struct lock_entry *row,
					struct lock_sequence *q, uint64_t *count)
{
	*count += !row->row.is_broken;
	row->row.is_broken = true;
	lock_sequence_set(&m->sequences, q, LOCK_STATE_NONE, 0);
}

static void lock_contention_events_end_wait(struct lock_entry *row, const struct lock_sequence *q,
					    uint64_t time, uint64_t waits)
{
	uint64_t ns = time - q->time;

	lock_entry_wait(row, waits, ns, ns, ns);
}

static void lock_contention_events_on_begin(struct lock_contention *m, const struct lock_event *e,
					    const struct session_sample *s)
{
	const struct lock_waits w = lock_contention_events_describe(m, e, s);
	struct lock_entry *row;
	struct lock_sequence *q;

	if (!lock_filter_passes(&m->filter, &m->o.names, &w))
		return;
	row = lock_contention_row(m, &w);
	q = lock_sequence_get(&m->sequences, e->tid, e->addr);
	switch (q->state) {
	case LOCK_STATE_CONTENDED:
		/* A mutex that spins first begins twice. */
		break;
	case LOCK_STATE_NONE:
	case LOCK_STATE_ACQUIRED:
		lock_sequence_set(&m->sequences, q, LOCK_STATE_CONTENDED, e->time);
		row->row.contended++;
		m->n_open++;
		break;
	default:
		lock_contention_events_fail(m, row, q, &m->failures.contended);
	}
}

static void lock_contention_events_on_end(struct lock_contention *m, const struct lock_event *e,
					  const struct session_sample *s)
{
	const struct lock_waits w = lock_contention_events_describe(m, e, s);
	struct lock_entry *row = lock_rows_find(&m->rows, lock_contention_key(m, &w));
	struct lock_sequence *q;

	if (!row)
		return;
	q = lock_sequence_get(&m->sequences, e->tid, e->addr);
	switch (q->state) {
	case LOCK_STATE_NONE:
		break;
	case LOCK_STATE_CONTENDED:
		lock_contention_events_end_wait(row, q, e->time, 1);
		lock_sequence_set(&m->sequences, q, LOCK_STATE_ACQUIRED, e->time);
		row->row.acquired++;
		m->n_open--;
		break;
	default:
		lock_contention_events_fail(m, row, q, &m->failures.acquired);
	}
}

/* Returns the row of an event of lockdep, named by the class of the lock. */
static struct lock_entry *class_row(struct lock_contention *m, const struct lock_event *e)
{
	uint64_t key = m->o.by == LOCK_BY_TASK ? e->tid : e->addr;
	struct lock_entry *row = lock_rows_find(&m->rows, key);

	if (row)
		return row;
	row = lock_rows_add(&m->rows, key);
	row->row.pid = e->pid;
	row->row.tid = e->tid;
	row->row.addr = e->addr;
	if (m->o.by != LOCK_BY_TASK && e->name)
		row->row.name = arena_strndup(&m->rows.arena, e->name, e->name_length);
	return row;
}

static void on_acquire(struct lock_contention *m, const struct lock_event *e)
{
	struct lock_entry *row = class_row(m, e);
	struct lock_sequence *q = lock_sequence_get(&m->sequences, e->tid, e->addr);
	bool reads = e->flags & LOCK_ACQUIRE_READ, is_easy = e->flags != 0;

	switch (q->state) {
	case LOCK_STATE_NONE:
		lock_sequence_set(&m->sequences, q,
				  is_easy ? LOCK_STATE_READ_ACQUIRED : LOCK_STATE_ACQUIRING,
				  e->time);
		q->readers = 1;
		row->row.acquired += is_easy;
		break;
	case LOCK_STATE_READ_ACQUIRED:
		if (reads) {
			q->readers++;
			row->row.acquired++;
			break;
		}
		lock_contention_events_fail(m, row, q, &m->failures.acquire);
		break;
	default:
		lock_contention_events_fail(m, row, q, &m->failures.acquire);
	}
}

static void on_acquired(struct lock_contention *m, const struct lock_event *e)
{
	struct lock_entry *row = class_row(m, e);
	struct lock_sequence *q = lock_sequence_get(&m->sequences, e->tid, e->addr);

	switch (q->state) {
	case LOCK_STATE_NONE:
		return;
	case LOCK_STATE_CONTENDED:
		lock_contention_events_end_wait(row, q, e->time, 0);
		break;
	case LOCK_STATE_ACQUIRING:
		break;
	default:
		lock_contention_events_fail(m, row, q, &m->failures.acquired);
		return;
	}
	lock_sequence_set(&m->sequences, q, LOCK_STATE_ACQUIRED, e->time);
	row->row.acquired++;
}

static void on_contended(struct lock_contention *m, const struct lock_event *e)
{
	struct lock_entry *row = class_row(m, e);
	struct lock_sequence *q = lock_sequence_get(&m->sequences, e->tid, e->addr);

	if (q->state == LOCK_STATE_NONE)
		return;
	if (q->state != LOCK_STATE_ACQUIRING) {
		lock_contention_events_fail(m, row, q, &m->failures.contended);
		return;
	}
	lock_sequence_set(&m->sequences, q, LOCK_STATE_CONTENDED, e->time);
	row->row.contended++;
	row->waits++;
}

static void on_release(struct lock_contention *m, const struct lock_event *e)
{
	struct lock_entry *row = class_row(m, e);
	struct lock_sequence *q = lock_sequence_get(&m->sequences, e->tid, e->addr);

	switch (q->state) {
	case LOCK_STATE_READ_ACQUIRED:
		if (--q->readers)
			return;
		break;
	case LOCK_STATE_NONE:
	case LOCK_STATE_ACQUIRED:
		break;
	default:
		lock_contention_events_fail(m, row, q, &m->failures.release);
		return;
	}
	lock_sequence_set(&m->sequences, q, LOCK_STATE_NONE, 0);
}

static void note_thread(struct lock_contention *m, const struct lock_event *e)
{
	if (m->o.keep_threads && e->kind != LOCK_END)
		u64_map_put(&m->threads, e->tid, m);
}

void lock_contention_take(struct lock_contention *m, const struct lock_event *e,
			  const struct session_sample *s)
{
	lock_contention_settle(m);
	note_thread(m, e);
	switch (e->kind) {
	case LOCK_BEGIN:
		lock_contention_events_on_begin(m, e, s);
		break;
	case LOCK_END:
		lock_contention_events_on_end(m, e, s);
		break;
	case LOCK_ACQUIRE:
		on_acquire(m, e);
		break;
	case LOCK_ACQUIRED:
		on_acquired(m, e);
		break;
	case LOCK_CONTENDED:
		on_contended(m, e);
		break;
	case LOCK_RELEASE:
		on_release(m, e);
		break;
	default:
		break;
	}
}
