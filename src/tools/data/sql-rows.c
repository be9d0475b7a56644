/* SPDX-License-Identifier: MIT */
#include "tools/data/sql-rows.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "elf/build-id.h"
#include "profile/export.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "session/session.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"

#define HOST 1

#define NUMBER(x)                                                                                  \
	{                                                                                          \
		.number = (int64_t)(x)                                                             \
	}
#define TEXT(x)                                                                                    \
	{                                                                                          \
		.text = (x)                                                                        \
	}

#define ROW(r, table, ...)                                                                         \
	do {                                                                                       \
		const struct export_value values_[] = { __VA_ARGS__ };                             \
		(r)->row((r)->arg, table, values_, ARRAY_SIZE(values_));                           \
	} while (0)

void sql_rows_init(struct sql_rows *r, const struct timeline *t)
{
	*r = (struct sql_rows){ .t = t };
	contexts_init(&r->comms, 2);
	contexts_init(&r->comm_threads, 2);
}

void sql_rows_done(struct sql_rows *r)
{
	contexts_done(&r->comms);
	contexts_done(&r->comm_threads);
	free(r->comm_firsts.items);
}

/* Returns the id of the present name of @task. */
static uint64_t comm_id(struct sql_rows *r, uint32_t task, uint64_t time)
{
	const struct timeline_task *t = &r->t->tasks.items[task];
	const uint64_t key[] = { t->pid, (uintptr_t)t->comm };
	uint64_t id = contexts_add(&r->comms, key);
	const uint64_t used[] = { id + 1, task + 1 };

	if (id * 2 == r->comm_firsts.n) {
		*ARRAY_ADD(&r->comm_firsts) = time;
		*ARRAY_ADD(&r->comm_firsts) = task + 1;
	}
	contexts_add(&r->comm_threads, used);
	return id + 1;
}

static uint64_t sql_rows_id_of(uint32_t number)
{
	return number == CODE_NONE ? 0 : (uint64_t)number + 1;
}

/* Returns the innermost function at a location. */
static uint64_t sql_rows_symbol_of(const struct code_table *c, const struct code_location *l)
{
	return l->n_lines ? sql_rows_id_of(c->lines.items[l->first_line].function) : 0;
}

/* Adds new paths. A path has a larger number than its caller. */
static void sql_rows_add_paths(struct sql_rows *r)
{
	const struct stack_table *t = &r->t->stacks;

	for (; r->n_paths < t->items.n; r->n_paths++) {
		uint32_t caller = stack_caller(t, r->n_paths);
		const struct code_location *l =
			&t->code.locations.items[stack_location(t, r->n_paths)];
		uint64_t symbol = sql_rows_symbol_of(&t->code, l);

		ROW(r, EXPORT_CALL_PATH, NUMBER(r->n_paths + 1), NUMBER(sql_rows_id_of(caller)),
		    NUMBER(symbol), NUMBER(symbol ? 0 : l->addr));
	}
}

void sql_rows_sample(void *arg, const struct timeline_sample *s)
{
	struct sql_rows *r = arg;
	const struct sample *p = s->sample->sample;
	const struct timeline_place *at = &s->place, *to = &s->target;

	sql_rows_add_paths(r);
	const struct export_value values[EXPORT_COLUMNS_MAX] = {
		NUMBER(++r->n_samples),
		NUMBER(s->event->index + 1),
		NUMBER(HOST),
		NUMBER(s->task + 1),
		NUMBER(comm_id(r, s->task, s->time)),
		NUMBER(sql_rows_id_of(at->image)),
		NUMBER(sql_rows_id_of(at->function)),
		NUMBER(at->offset),
		NUMBER(p->ip),
		NUMBER(s->time),
		NUMBER(s->cpu),
		NUMBER(sql_rows_id_of(to->image)),
		NUMBER(sql_rows_id_of(to->function)),
		NUMBER(to->offset),
		NUMBER(p->addr),
		NUMBER(s->period),
		NUMBER(p->weight),
		NUMBER(p->transaction),
		NUMBER(p->data_src),
		NUMBER(0), /* only hardware traces give these */
		NUMBER(0),
		NUMBER(sql_rows_id_of(s->stack)),
	};

	r->row(r->arg, EXPORT_SAMPLE, values, EXPORT_COLUMNS_MAX);
}

void sql_rows_switch(void *arg, const struct timeline_switch *s)
{
	struct sql_rows *r = arg;
	uint64_t comm = comm_id(r, s->task, s->time), task = s->task + 1;
	const struct export_value values[] = {
		NUMBER(++r->n_switches),
		NUMBER(HOST),
		NUMBER(s->time),
		NUMBER(s->cpu),
		NUMBER(s->comes ? 0 : task),
		NUMBER(s->comes ? 0 : comm),
		NUMBER(s->comes ? task : 0),
		NUMBER(s->comes ? comm : 0),
		NUMBER(s->comes          ? 0
		       : s->state == 'R' ? 3
					 : 1),
	};

	r->row(r->arg, EXPORT_CONTEXT_SWITCH, values, ARRAY_SIZE(values));
}

static int add_branch_type(void *arg, unsigned number, const char *name)
{
	struct sql_rows *r = arg;

	ROW(r, EXPORT_BRANCH_TYPE, NUMBER(number), TEXT(name));
	return 0;
}

static void sql_rows_add_unknown(struct sql_rows *r)
{
	static const struct export_value none[EXPORT_COLUMNS_MAX];

	ROW(r, EXPORT_EVSEL, NUMBER(0), TEXT("unknown"));
	ROW(r, EXPORT_MACHINE, NUMBER(0), NUMBER(0), TEXT("unknown"));
	ROW(r, EXPORT_MACHINE, NUMBER(HOST), NUMBER(-1), TEXT(""));
	ROW(r, EXPORT_THREAD, NUMBER(0), NUMBER(0), NUMBER(0), NUMBER(-1), NUMBER(-1));
	ROW(r, EXPORT_COMM, NUMBER(0), TEXT("unknown"), NUMBER(0), NUMBER(0), NUMBER(0));
	ROW(r, EXPORT_DSO, NUMBER(0), NUMBER(0), TEXT("unknown"), TEXT("unknown"), TEXT(""));
	ROW(r, EXPORT_SYMBOL, NUMBER(0), NUMBER(0), NUMBER(0), NUMBER(0), NUMBER(0),
	    TEXT("unknown"));
	r->row(r->arg, EXPORT_CALL_PATH, none, sql_table_columns(EXPORT_CALL_PATH));
}

/* Returns the main thread of @t's process; the thread's own id if the main thread is not known. */
static uint64_t main_thread(const struct sql_rows *r, size_t i)
{
	const struct timeline_task *t = &r->t->tasks.items[i];
	uintptr_t number = (uintptr_t)u64_map_find(&r->t->task_numbers,
						   (uint64_t)t->pid << 32 | t->pid);

	return number ? number : i + 1;
}

static void sql_rows_add_tasks(struct sql_rows *r)
{
	for (size_t i = 0; i < r->t->tasks.n; i++) {
		const struct timeline_task *t = &r->t->tasks.items[i];

		ROW(r, EXPORT_THREAD, NUMBER(i + 1), NUMBER(HOST), NUMBER(main_thread(r, i)),
		    NUMBER((int32_t)t->pid), NUMBER((int32_t)t->tid));
	}
	for (uint32_t i = 0; i < r->comms.n; i++) {
		const char *comm = (const char *)(uintptr_t)contexts_get(&r->comms, i)[1];

		ROW(r, EXPORT_COMM, NUMBER(i + 1), TEXT(comm),
		    NUMBER(r->comm_firsts.items[2 * i + 1]), NUMBER(r->comm_firsts.items[2 * i]),
		    NUMBER(0));
	}
	for (uint32_t i = 0; i < r->comm_threads.n; i++) {
		const uint64_t *used = contexts_get(&r->comm_threads, i);

		ROW(r, EXPORT_COMM_THREAD, NUMBER(i + 1), NUMBER(used[0]), NUMBER(used[1]));
	}
}

static void sql_rows_add_code(struct sql_rows *r)
{
	const struct code_table *c = &r->t->stacks.code;
	char id[BUILD_ID_TEXT_MAX];

	for (size_t i = 0; i < c->images.n; i++) {
		const struct image *im = c->images.items[i].image;

		ROW(r, EXPORT_DSO, NUMBER(i + 1), NUMBER(HOST), TEXT(image_short_name(im)),
		    TEXT(image_long_name(im)), TEXT(build_id_format(image_build_id(im), id)));
	}
	for (size_t i = 0; i < c->functions.n; i++) {
		const struct code_function *f = &c->functions.items[i];

		ROW(r, EXPORT_SYMBOL, NUMBER(i + 1), NUMBER(sql_rows_id_of(f->image)),
		    NUMBER(f->sym->start), NUMBER(f->sym->end), NUMBER(symbol_elf_binding(f->sym)),
		    TEXT(f->name));
	}
}

void sql_rows_end(struct sql_rows *r)
{
	sql_rows_add_unknown(r);
	export_branch_types(add_branch_type, r);
	for (size_t i = 0; i < session_event_count(r->t->session); i++)
		ROW(r, EXPORT_EVSEL, NUMBER(i + 1), TEXT(session_event(r->t->session, i)->name));
	sql_rows_add_tasks(r);
	sql_rows_add_code(r);
}
