/* SPDX-License-Identifier: MIT */
#include "tools/query/record-rows-work.h"

#include <stdlib.h>
#include <string.h>

#include "base/build-id.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "session/consumer.h"
#include "tools/query/row-builder-work.h"
#include "tools/query/tables-work.h"
#include "wire/record.h"

/* A thread from its first record to its end. */
struct known_task {
	int64_t tid, pid, ptid, ppid, start, end; /* -1: not known */
	const char *comm;
};

struct taking_records {
	const struct query_table *table;
	struct session *session;
	struct row_builder *builder;
	struct {
		struct known_task *items;
		size_t n, room;
	} tasks;
	struct u64_map living; /* 1 + the index of a thread's task, by tid */
	struct intern names;
};

static void query_record_rows_add_known(struct row_builder *b, unsigned column, int64_t value)
{
	if (value >= 0)
		row_add_number(b, column, value);
}

struct sample_table *event_rows(const struct query_table *t, const struct session *s)
{
	struct row_builder *b = row_builder_new(t);
	struct sample_table *made;

	for (size_t i = 0; i < session_event_count(s); i++) {
		const struct session_event *e = session_event(s, i);

		row_add_number(b, 0, (int64_t)i);
		row_add_text(b, 1, e->name);
		row_add_text(b, 2, e->system);
		row_add_text(b, 3, e->tracepoint);
		row_add_number(b, 4, e->attr.type);
		row_add_number(b, 5, (int64_t)e->attr.config);
		row_add_number(b, 6, (int64_t)e->attr.sample_type);
		if (e->attr.freq)
			row_add_number(b, 8, (int64_t)e->attr.sample_period);
		else
			row_add_number(b, 7, (int64_t)e->attr.sample_period);
		row_add_number(b, 9, (int64_t)e->leader);
		row_add_text(b, 10, e->unit);
		row_end(b);
	}
	made = row_builder_finish(b);
	row_builder_free(b);
	return made;
}

/* Adds columns 0 and 1, which most tables have. */
static void query_record_rows_add_moment(struct row_builder *b, const struct delivered *d,
					 const struct record *r)
{
	if (d->time)
		row_add_number(b, 0, (int64_t)d->time);
	if (r->id.cpu != UINT32_MAX)
		row_add_number(b, 1, (int32_t)r->id.cpu);
}

static void add_who(struct row_builder *b, uint32_t pid, uint32_t tid)
{
	row_add_number(b, 2, (int32_t)pid);
	row_add_number(b, 3, (int32_t)tid);
}

static void query_record_rows_take_comm(struct taking_records *t, const struct delivered *d,
					const struct record *r)
{
	struct row_builder *b = t->builder;

	query_record_rows_add_moment(b, d, r);
	add_who(b, r->comm.pid, r->comm.tid);
	row_add_text(b, 4, r->comm.comm);
	row_add_number(b, 5, !!(r->header.misc & PERF_RECORD_MISC_COMM_EXEC));
	row_end(b);
}

static void query_record_rows_add_build_id(struct row_builder *b, const struct record *r)
{
	struct text hex = TEXT_EMPTY;

	if (r->header.type != PERF_RECORD_MMAP2)
		return;
	if (r->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		for (size_t i = 0; i < r->mmap.build_id.size; i++)
			text_addf(&hex, "%02x", r->mmap.build_id.bytes[i]);
		row_add_text(b, 10, hex.chars);
		text_done(&hex);
		return;
	}
	row_add_number(b, 11, r->mmap.maj);
	row_add_number(b, 12, r->mmap.min);
	row_add_number(b, 13, (int64_t)r->mmap.ino);
}

static void take_mmap(struct taking_records *t, const struct delivered *d, const struct record *r)
{
	struct row_builder *b = t->builder;

	query_record_rows_add_moment(b, d, r);
	add_who(b, r->mmap.pid, r->mmap.tid);
	row_add_number(b, 4, (int64_t)r->mmap.addr);
	row_add_number(b, 5, (int64_t)r->mmap.len);
	row_add_number(b, 6, (int64_t)r->mmap.pgoff);
	if (r->header.type == PERF_RECORD_MMAP2) {
		row_add_number(b, 7, r->mmap.prot);
		row_add_number(b, 8, r->mmap.flags);
	}
	row_add_text(b, 9, r->mmap.filename);
	query_record_rows_add_build_id(b, r);
	row_end(b);
}

static void query_record_rows_take_fork(struct taking_records *t, const struct delivered *d,
					const struct record *r)
{
	struct row_builder *b = t->builder;

	query_record_rows_add_moment(b, d, r);
	add_who(b, r->task.pid, r->task.tid);
	row_add_number(b, 4, (int32_t)r->task.ppid);
	row_add_number(b, 5, (int32_t)r->task.ptid);
	row_end(b);
}

static const char *query_record_rows_event_name(const struct taking_records *t,
						const struct delivered *d, uint64_t id)
{
	const struct session_event *e = id ? session_event_by_id(t->session, id) : d->event;

	return e ? e->name : NULL;
}

static void take_lost(struct taking_records *t, const struct delivered *d, const struct record *r)
{
	struct row_builder *b = t->builder;
	bool samples = r->header.type == PERF_RECORD_LOST_SAMPLES;

	query_record_rows_add_moment(b, d, r);
	row_add_text(b, 2, query_record_rows_event_name(t, d, r->lost.id));
	row_add_number(b, 3, (int64_t)r->lost.lost);
	row_add_text(b, 4, samples ? "samples" : "records");
	row_end(b);
}

static void query_record_rows_take_switch(struct taking_records *t, const struct delivered *d,
					  const struct record *r)
{
	struct row_builder *b = t->builder;

	query_record_rows_add_moment(b, d, r);
	add_who(b, r->id.pid, r->id.tid);
	row_add_number(b, 4, !!(r->header.misc & PERF_RECORD_MISC_SWITCH_OUT));
	row_add_number(b, 5, !!(r->header.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT));
	if (r->header.type == PERF_RECORD_SWITCH_CPU_WIDE) {
		row_add_number(b, 6, (int32_t)r->context_switch.next_prev_pid);
		row_add_number(b, 7, (int32_t)r->context_switch.next_prev_tid);
	}
	row_end(b);
}

static void take_throttle(struct taking_records *t, const struct delivered *d,
			  const struct record *r)
{
	struct row_builder *b = t->builder;

	query_record_rows_add_moment(b, d, r);
	row_add_text(b, 2, query_record_rows_event_name(t, d, r->throttle.id));
	row_add_text(b, 3, r->header.type == PERF_RECORD_THROTTLE ? "throttle" : "unthrottle");
	row_end(b);
}

/* Returns the current task of thread @tid, which is made if there is none. */
static struct known_task *query_record_rows_task_of(struct taking_records *t, uint32_t pid,
						    uint32_t tid)
{
	uintptr_t index = (uintptr_t)u64_map_find(&t->living, tid);
	struct known_task *task;

	if (index)
		return &t->tasks.items[index - 1];
	task = ARRAY_ADD(&t->tasks);
	*task = (struct known_task){ (int32_t)tid, (int32_t)pid, -1, -1, -1, -1, NULL };
	u64_map_put(&t->living, tid, (void *)(uintptr_t)t->tasks.n);
	return task;
}

static void query_record_rows_take_task(struct taking_records *t, const struct delivered *d,
					const struct record *r)
{
	struct known_task *task, *parent;
	const char *comm;

	switch (r->header.type) {
	case PERF_RECORD_COMM:
		query_record_rows_task_of(t, r->comm.pid, r->comm.tid)->comm =
			intern_text(&t->names, r->comm.comm);
		break;
	case PERF_RECORD_FORK:
		parent = query_record_rows_task_of(t, r->task.ppid, r->task.ptid);
		comm = parent->comm;
		u64_map_remove(&t->living, r->task.tid);
		task = query_record_rows_task_of(t, r->task.pid, r->task.tid);
		task->comm = comm;
		task->ptid = (int32_t)r->task.ptid;
		task->ppid = (int32_t)r->task.ppid;
		task->start = d->time ? (int64_t)d->time : -1;
		break;
	case PERF_RECORD_EXIT:
		query_record_rows_task_of(t, r->task.pid, r->task.tid)->end =
			d->time ? (int64_t)d->time : -1;
		u64_map_remove(&t->living, r->task.tid);
		break;
	}
}

static void query_record_rows_add_tasks(struct taking_records *t)
{
	for (size_t i = 0; i < t->tasks.n; i++) {
		const struct known_task *task = &t->tasks.items[i];
		const int64_t values[] = { task->tid, task->pid, task->ptid, task->ppid };

		row_add_number(t->builder, 0, values[0]);
		row_add_number(t->builder, 1, values[1]);
		query_record_rows_add_known(t->builder, 2, values[2]);
		query_record_rows_add_known(t->builder, 3, values[3]);
		row_add_text(t->builder, 4, task->comm);
		query_record_rows_add_known(t->builder, 5, task->start);
		query_record_rows_add_known(t->builder, 6, task->end);
		row_end(t->builder);
	}
}

/* The records from which the rows of a kind of table are made. */
static const struct {
	enum query_table_kind kind;
	uint64_t types;
	void (*take)(struct taking_records *t, const struct delivered *d, const struct record *r);
} kinds[] = {
	{ QUERY_TABLE_TASKS,
	  RECORD_TYPE_BIT(PERF_RECORD_COMM) | RECORD_TYPE_BIT(PERF_RECORD_FORK) |
		  RECORD_TYPE_BIT(PERF_RECORD_EXIT),
	  query_record_rows_take_task },
	{ QUERY_TABLE_COMMS, RECORD_TYPE_BIT(PERF_RECORD_COMM), query_record_rows_take_comm },
	{ QUERY_TABLE_MMAPS, RECORD_TYPE_BIT(PERF_RECORD_MMAP) | RECORD_TYPE_BIT(PERF_RECORD_MMAP2),
	  take_mmap },
	{ QUERY_TABLE_FORKS, RECORD_TYPE_BIT(PERF_RECORD_FORK), query_record_rows_take_fork },
	{ QUERY_TABLE_EXITS, RECORD_TYPE_BIT(PERF_RECORD_EXIT), query_record_rows_take_fork },
	{ QUERY_TABLE_LOST,
	  RECORD_TYPE_BIT(PERF_RECORD_LOST) | RECORD_TYPE_BIT(PERF_RECORD_LOST_SAMPLES),
	  take_lost },
	{ QUERY_TABLE_SWITCHES,
	  RECORD_TYPE_BIT(PERF_RECORD_SWITCH) | RECORD_TYPE_BIT(PERF_RECORD_SWITCH_CPU_WIDE),
	  query_record_rows_take_switch },
	{ QUERY_TABLE_THROTTLES,
	  RECORD_TYPE_BIT(PERF_RECORD_THROTTLE) | RECORD_TYPE_BIT(PERF_RECORD_UNTHROTTLE),
	  take_throttle },
};

static size_t kind_index(enum query_table_kind kind)
{
	size_t i = 0;

	while (i + 1 < ARRAY_SIZE(kinds) && kinds[i].kind != kind)
		i++;
	return i;
}

static int query_record_rows_on_records(void *arg, const struct record_batch *b)
{
	struct taking_records *t = arg;
	size_t kind = kind_index(t->table->kind);
	struct record r;

	for (size_t i = 0; i < b->n; i++)
		if (session_decode_record(t->session, &b->items[i], &r) >= 0)
			kinds[kind].take(t, &b->items[i], &r);
	return 0;
}

int record_rows(const struct query_table *t, struct session *s, struct sample_table **ret,
		struct diag *diag)
{
	struct taking_records taking = { .table = t, .session = s };
	const struct consumer consumer = {
		.order = CONSUMER_IN_ORDER,
		.types = kinds[kind_index(t->kind)].types,
		.records = query_record_rows_on_records,
		.arg = &taking,
	};
	int status;

	taking.builder = row_builder_new(t);
	status = session_feed(s, NULL, &consumer, diag);
	if (status >= 0) {
		query_record_rows_add_tasks(&taking);
		*ret = row_builder_finish(taking.builder);
	}
	row_builder_free(taking.builder);
	free(taking.tasks.items);
	u64_map_done(&taking.living);
	intern_done(&taking.names);
	return status;
}
