/* SPDX-License-Identifier: MIT */
#include "tools/script/round-counts-model.h"

#include <stdlib.h>

#include "base/memory.h"
#include "session/session.h"
#include "wire/record.h"

/* The maximum product of events, threads and CPUs. A file with more is damaged. */
#define CELLS_MAX (1 << 22)

/* Tags of STAT_CONFIG. */
enum {
	CONFIG_AGGREGATION = 0,
	CONFIG_SCALE = 2,
	AGGREGATION_GLOBAL = 1,
};

struct script_round_counts_cell {
	uint64_t value, enabled, running;
};

struct counted {
	struct script_round_counts_cell file; /* the file's count, since the beginning */
	struct script_round_counts_cell last; /* the same at the end of the previous round */
	struct script_round_counts_cell shown;
};

struct script_round_counts_numbers {
	int *items;
	size_t n, room;
};

struct round_counts {
	const struct session *session;
	struct script_round_counts_numbers threads, cpus;
	struct counted *cells; /* by event, thread and CPU; NULL: the maps are incomplete */
	struct script_round_counts_cell *sums; /* by event */
	size_t n_events;
	bool is_summed, is_unscaled;
};

struct round_counts *round_counts_new(const struct session *s)
{
	struct round_counts *c = xcalloc(1, sizeof(*c));

	c->session = s;
	c->is_summed = true; /* the default without a STAT_CONFIG */
	return c;
}

void round_counts_free(struct round_counts *c)
{
	if (!c)
		return;
	free(c->threads.items);
	free(c->cpus.items);
	free(c->cells);
	free(c->sums);
	free(c);
}

static void round_counts_add_number(void *arg, int number)
{
	struct script_round_counts_numbers *l = arg;

	*ARRAY_ADD(l) = number;
}

/*
 * Takes the thread map. A file has one map of each kind; another one would change the meaning of
 * the cells.
 */
static void take_threads(struct round_counts *c, const struct record_thread_map *m)
{
	for (size_t i = 0; !c->cells && i < m->n; i++)
		round_counts_add_number(&c->threads, (int)record_thread_map_get(m, i).pid);
}

static void round_counts_take_cpus(struct round_counts *c, const struct record_cpu_map *m)
{
	if (!c->cells)
		record_cpu_map_for_each(m, round_counts_add_number, &c->cpus);
}

static void round_counts_take_config(struct round_counts *c,
				     const struct record_stat_config *config)
{
	for (size_t i = 0; i + 1 < config->entries.n; i += 2) {
		uint64_t value = words_get(&config->entries, i + 1);

		switch (words_get(&config->entries, i)) {
		case CONFIG_AGGREGATION:
			c->is_summed = value == AGGREGATION_GLOBAL;
			break;
		case CONFIG_SCALE:
			c->is_unscaled = !value;
			break;
		default:
			break;
		}
	}
}

static bool make_cells(struct round_counts *c)
{
	size_t n_events = session_event_count(c->session);
	size_t rows = n_events * c->threads.n;

	if (c->cells)
		return true;
	if (!rows || !c->cpus.n || rows > CELLS_MAX / c->cpus.n)
		return false;
	c->n_events = n_events;
	c->cells = xcalloc(rows * c->cpus.n, sizeof(*c->cells));
	c->sums = xcalloc(n_events, sizeof(*c->sums));
	return true;
}

static struct counted *cells_of(const struct round_counts *c, size_t event)
{
	return &c->cells[event * c->threads.n * c->cpus.n];
}

/* Takes a count. Tasks are counted on any CPU, which is -1. */
static void round_counts_take_count(struct round_counts *c, const struct record_stat *s)
{
	const struct session_event *e = session_event_by_id(c->session, s->id);

	if (!e || !make_cells(c) || e->index >= c->n_events || s->thread >= c->threads.n)
		return;
	for (size_t i = 0; i < c->cpus.n; i++)
		if (c->cpus.items[i] == (int)s->cpu || c->cpus.items[i] < 0) {
			struct counted *to = cells_of(c, e->index) + s->thread * c->cpus.n + i;

			to->file = (struct script_round_counts_cell){ s->value, s->enabled,
								      s->running };
			return;
		}
}

static struct script_round_counts_cell cell_minus(struct script_round_counts_cell a,
						  struct script_round_counts_cell b)
{
	return (struct script_round_counts_cell){ a.value - b.value, a.enabled - b.enabled,
						  a.running - b.running };
}

/*
 * Scales a count. An event that counted for a part of the time is assumed to have the same rate for
 * the rest.
 */
static void cell_scale(const struct round_counts *c, struct script_round_counts_cell *cell)
{
	if (c->is_unscaled)
		return;
	if (!cell->running)
		cell->value = 0;
	else if (cell->running < cell->enabled)
		cell->value = (uint64_t)((double)cell->value * (double)cell->enabled /
						 (double)cell->running +
					 0.5);
}

static void round_counts_end_event(struct round_counts *c, size_t event)
{
	struct counted *cells = cells_of(c, event);
	struct script_round_counts_cell *sum = &c->sums[event];

	*sum = (struct script_round_counts_cell){ 0 };
	for (size_t i = 0; i < round_counts_cells(c); i++) {
		struct script_round_counts_cell part = cell_minus(cells[i].file, cells[i].last);

		cells[i].last = cells[i].file;
		sum->value += part.value;
		sum->enabled += part.enabled;
		sum->running += part.running;
		cell_scale(c, &part);
		cells[i].shown = c->is_summed ? cells[i].file : part;
	}
	cell_scale(c, sum);
}

static bool round_counts_end_round(struct round_counts *c)
{
	if (!make_cells(c))
		return false;
	for (size_t i = 0; i < c->n_events; i++)
		round_counts_end_event(c, i);
	return true;
}

bool round_counts_record(struct round_counts *c, const struct record *r)
{
	switch (r->header.type) {
	case PERF_RECORD_STAT_CONFIG:
		round_counts_take_config(c, &r->stat_config);
		return false;
	case PERF_RECORD_THREAD_MAP:
		take_threads(c, &r->thread_map);
		return false;
	case PERF_RECORD_CPU_MAP:
		round_counts_take_cpus(c, &r->cpu_map);
		return false;
	case PERF_RECORD_STAT:
		round_counts_take_count(c, &r->stat);
		return false;
	case PERF_RECORD_STAT_ROUND:
		return round_counts_end_round(c);
	default:
		return false;
	}
}

size_t round_counts_events(const struct round_counts *c)
{
	return c->n_events;
}

size_t round_counts_cells(const struct round_counts *c)
{
	return c->threads.n * c->cpus.n;
}

struct round_count round_counts_get(const struct round_counts *c, size_t event, size_t cell)
{
	const struct script_round_counts_cell *shown = &cells_of(c, event)[cell].shown;

	return (struct round_count){ .cpu = c->cpus.items[cell % c->cpus.n],
				     .thread = c->threads.items[cell / c->cpus.n],
				     .value = shown->value,
				     .enabled = shown->enabled,
				     .running = shown->running };
}

bool round_counts_summed(const struct round_counts *c)
{
	return c->is_summed;
}

struct round_count round_counts_sum(const struct round_counts *c, size_t event)
{
	const struct script_round_counts_cell *sum = &c->sums[event];

	return (struct round_count){ .cpu = -1,
				     .thread = -1,
				     .value = sum->value,
				     .enabled = sum->enabled,
				     .running = sum->running };
}
