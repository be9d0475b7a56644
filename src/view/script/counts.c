/* SPDX-License-Identifier: MIT */
#include "view/script/counts.h"

#include <inttypes.h>

#include "base/memory.h"
#include "session/session.h"
#include "wire/record.h"

/* Events, threads and CPUs of a file multiply: what exceeds this is no recording. */
#define CELLS_MAX (1 << 22)

struct cell {
	uint64_t value, enabled, running;
};

struct numbers {
	int *items;
	size_t n, room;
};

struct script_counts {
	const struct session *session;
	struct numbers threads, cpus;
	struct cell *cells; /* by event, thread and CPU; NULL: the maps are not complete yet */
	size_t n_events;
	bool has_title;
};

struct script_counts *script_counts_new(const struct session *s)
{
	struct script_counts *c = xcalloc(1, sizeof(*c));

	c->session = s;
	return c;
}

void script_counts_free(struct script_counts *c)
{
	if (!c)
		return;
	free(c->threads.items);
	free(c->cpus.items);
	free(c->cells);
	free(c);
}

static void add_number(void *arg, int number)
{
	struct numbers *l = arg;

	*ARRAY_ADD(l) = number;
}

/* A file has one of each map; another one would give the cells another meaning. */
static void take_threads(struct script_counts *c, const struct record_thread_map *m)
{
	for (size_t i = 0; !c->cells && i < m->n; i++)
		add_number(&c->threads, (int)record_thread_map_get(m, i).pid);
}

static void take_cpus(struct script_counts *c, const struct record_cpu_map *m)
{
	if (!c->cells)
		record_cpu_map_for_each(m, add_number, &c->cpus);
}

static bool make_cells(struct script_counts *c)
{
	size_t n_events = session_event_count(c->session);
	size_t rows = n_events * c->threads.n;

	if (c->cells)
		return true;
	if (!rows || !c->cpus.n || rows > CELLS_MAX / c->cpus.n)
		return false;
	c->n_events = n_events;
	c->cells = xcalloc(rows * c->cpus.n, sizeof(*c->cells));
	return true;
}

static struct cell *cell_at(struct script_counts *c, size_t event, size_t thread, size_t cpu)
{
	return &c->cells[(event * c->threads.n + thread) * c->cpus.n + cpu];
}

/* Tasks are counted on any CPU, which is -1. */
static void take_count(struct script_counts *c, const struct record_stat *s)
{
	const struct session_event *e = session_event_by_id(c->session, s->id);

	if (!e || !make_cells(c) || e->index >= c->n_events || s->thread >= c->threads.n)
		return;
	for (size_t i = 0; i < c->cpus.n; i++)
		if (c->cpus.items[i] == (int)s->cpu || c->cpus.items[i] < 0) {
			*cell_at(c, e->index, s->thread, i) = (struct cell){ s->value, s->enabled,
									     s->running };
			return;
		}
}

static void print_event(struct script_counts *c, size_t event, uint64_t time, FILE *out)
{
	for (size_t t = 0; t < c->threads.n; t++)
		for (size_t i = 0; i < c->cpus.n; i++) {
			const struct cell *cell = cell_at(c, event, t, i);

			fprintf(out,
				"%3d %8d %15" PRIu64 " %15" PRIu64 " %15" PRIu64 " %15" PRIu64
				" %s\n",
				c->cpus.items[i], c->threads.items[t], cell->value, cell->enabled,
				cell->running, time, session_event(c->session, event)->name);
		}
}

static void print_round(struct script_counts *c, uint64_t time, FILE *out)
{
	if (!make_cells(c))
		return;
	if (!c->has_title)
		fprintf(out, "%3s %8s %15s %15s %15s %15s %s\n", "CPU", "THREAD", "VAL", "ENA",
			"RUN", "TIME", "EVENT");
	c->has_title = true;
	for (size_t i = 0; i < c->n_events; i++)
		print_event(c, i, time, out);
}

void script_counts_record(struct script_counts *c, const struct record *r, FILE *out)
{
	switch (r->header.type) {
	case PERF_RECORD_THREAD_MAP:
		take_threads(c, &r->thread_map);
		break;
	case PERF_RECORD_CPU_MAP:
		take_cpus(c, &r->cpu_map);
		break;
	case PERF_RECORD_STAT:
		take_count(c, &r->stat);
		break;
	case PERF_RECORD_STAT_ROUND:
		print_round(c, r->stat_round.time, out);
		break;
	default:
		break;
	}
}
