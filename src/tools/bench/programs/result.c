/* SPDX-License-Identifier: MIT */
#include "tools/bench/programs/result.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void numa_done(struct bench_numa *numa)
{
	for (size_t i = 0; i < numa->n; i++) {
		free(numa->items[i].name);
		free(numa->items[i].line);
		free(numa->items[i].cpu_binding);
		free(numa->items[i].node_binding);
		free(numa->items[i].convergence_text);
		free(numa->items[i].pids);
		free(numa->items[i].not_applicable);
	}
	free(numa->items);
	free(numa->machine);
}

static void bench_result_part_done(struct bench_result *r)
{
	switch (r->layout) {
	case BENCH_LAYOUT_MEM:
		free(r->mem.size);
		free(r->mem.items);
		break;
	case BENCH_LAYOUT_LINES:
		for (size_t i = 0; i < r->lines.n; i++)
			free(r->lines.items[i].label);
		free(r->lines.items);
		break;
	case BENCH_LAYOUT_RATES:
		free(r->rates.items);
		break;
	case BENCH_LAYOUT_RUNS:
		free(r->runs.items);
		break;
	case BENCH_LAYOUT_NUMA:
		numa_done(&r->numa);
		break;
	case BENCH_LAYOUT_NONE:
	case BENCH_LAYOUT_MESSAGING:
	case BENCH_LAYOUT_OPS:
		break;
	}
}

void bench_result_done(struct bench_result *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->items[i].name);
	free(r->items);
	bench_result_part_done(r);
	*r = (struct bench_result){ 0 };
}

void bench_figure_add(struct bench_result *r, const char *name, const char *unit,
		      enum bench_better better, double value)
{
	*ARRAY_ADD(r) = (struct bench_figure){
		.name = xstrdup(name), .unit = unit, .better = better, .value = value
	};
}

const struct bench_figure *bench_figure_find(const struct bench_result *r, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->items[i].name, name))
			return &r->items[i];
	return NULL;
}

void bench_figures_of_ops(struct bench_result *r, double seconds, double ops)
{
	r->seconds = seconds;
	bench_figure_add(r, "usecs/op", "usecs", BENCH_LESS, seconds * 1e6 / ops);
	bench_figure_add(r, "time", "s", BENCH_LESS, seconds);
	r->items[r->n - 1].derived = true;
	if (seconds <= 0)
		return;
	bench_figure_add(r, "ops/sec", "ops/sec", BENCH_MORE, ops / seconds);
	r->items[r->n - 1].derived = true;
}

static struct bench_line *bench_result_add(struct bench_result *r, enum bench_line_kind kind,
					   const char *label)
{
	struct bench_lines *lines = &r->lines;
	struct bench_line *line = ARRAY_ADD(lines);

	r->layout = BENCH_LAYOUT_LINES;
	line->kind = kind;
	line->label = xstrdup(label);
	line->unit = "";
	return line;
}

void bench_lines_ready(struct bench_result *r)
{
	if (r->on_lines)
		r->on_lines(r->arg, r);
}

void bench_line_text(struct bench_result *r, const char *label)
{
	bench_result_add(r, BENCH_LINE_TEXT, label);
}

void bench_line_count(struct bench_result *r, const char *label, uint64_t n, const char *suffix)
{
	struct bench_line *line = bench_result_add(r, BENCH_LINE_COUNT, label);

	line->value = (double)n;
	line->unit = suffix;
}

void bench_line_value(struct bench_result *r, const char *label, double value, const char *unit)
{
	struct bench_line *line = bench_result_add(r, BENCH_LINE_VALUE, label);

	line->value = value;
	line->unit = unit;
	line->decimals = 3;
}

void bench_line_mean(struct bench_result *r, const char *label, const struct moments *m,
		     const char *unit, unsigned decimals)
{
	struct bench_line *line = bench_result_add(r, BENCH_LINE_MEAN, label);

	line->value = m->mean;
	line->error = moments_error(m);
	line->unit = unit;
	line->decimals = decimals;
}
