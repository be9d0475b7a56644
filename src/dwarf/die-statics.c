/* SPDX-License-Identifier: MIT */
#include "dwarf/die-statics.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/workers.h"
#include "dwarf/die-scan.h"

/* More workers would only wait for memory. */
#define WORKERS_MAX 8

/* Less than this is read faster than a thread starts. */
#define THREADS_FROM (1 << 20)

/* Units are given to threads in runs, because most are small. */
#define RUN 16

/* More than any program has. */
#define STATICS_MAX (1u << 20)

/* A limit for die_table.work, against many units with one large table. */
#define WORK_FLOOR    (UINT64_C(64) << 20)
#define WORK_PER_BYTE 64

/* The results of one thread. */
struct die_statics_found {
	struct die_table table;
	struct die_statics statics;
};

struct scan {
	const struct die_file *file;
	size_t n_units;
	uint64_t work_max;
	atomic_bool is_indexed;
	struct die_statics_found found[WORKERS_MAX];
};

static void die_statics_read_unit(struct scan *s, struct die_statics_found *to,
				  const struct die_unit *u)
{
	struct die_walk w;
	struct die_entry e;

	if (to->table.work > s->work_max || !die_table_compile(&to->table, s->file, u))
		return;
	die_walk_init(&w, s->file, &to->table, DIE_JUMP_TYPE | DIE_JUMP_RECORD | DIE_JUMP_FUNCTION);
	while (to->statics.n < STATICS_MAX && die_walk_next(&w, DIE_VARIABLE, &e)) {
		struct die_static v = { .entry = e.offset };
		enum die_place place = die_variable_place(s->file, &to->table, &e, &v.addr);

		if (place == DIE_AT_ADDRESS)
			*ARRAY_ADD(&to->statics) = v;
		else if (place == DIE_AT_INDEX)
			s->is_indexed = true;
	}
}

static void read_run(void *arg, size_t piece, unsigned worker)
{
	struct scan *s = arg;

	for (size_t i = piece * RUN; i < (piece + 1) * RUN && i < s->n_units && !s->is_indexed; i++)
		die_statics_read_unit(s, &s->found[worker], &s->file->units[i]);
}

static int die_statics_by_addr(const void *a, const void *b)
{
	const struct die_static *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x->entry > y->entry) - (x->entry < y->entry);
}

static void die_statics_gather(struct scan *s, struct die_statics *ret)
{
	for (size_t i = 0; i < WORKERS_MAX; i++) {
		const struct die_statics *from = &s->found[i].statics;

		for (size_t k = 0; k < from->n; k++)
			*ARRAY_ADD(ret) = from->items[k];
		die_statics_done(&s->found[i].statics);
		die_table_done(&s->found[i].table);
	}
	if (ret->n)
		qsort(ret->items, ret->n, sizeof(ret->items[0]), die_statics_by_addr);
}

int die_statics_read(struct die_file *f, uint64_t limit, struct die_statics *ret)
{
	_cleanup_(workers_freep) struct workers *w = workers_new(f->info.size < THREADS_FROM,
								 WORKERS_MAX);
	struct scan s = { .file = f, .work_max = WORK_FLOOR + f->abbrev.size * WORK_PER_BYTE };
	_cleanup_(freep) struct die_unit *units = die_file_read_units(f, &s.n_units);

	while (s.n_units && units[s.n_units - 1].start >= limit)
		s.n_units--;
	f->units = units;
	f->n_units = s.n_units;
	workers_run(w, (s.n_units + RUN - 1) / RUN, read_run, &s);
	die_statics_gather(&s, ret);
	f->units = NULL;
	f->n_units = 0;
	if (!s.is_indexed)
		return 0;
	die_statics_done(ret);
	return -EOPNOTSUPP;
}

void die_statics_done(struct die_statics *s)
{
	free(s->items);
	*s = (struct die_statics){ 0 };
}
