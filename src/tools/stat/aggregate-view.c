/* SPDX-License-Identifier: MIT */
#include "tools/stat/aggregate-view.h"

#include "base/escape.h"

/*
 * Functions that format names. Each pads the last number to @width; 0 is for formats without
 * columns.
 */

static void name_cpu(struct text *t, const struct stat_unit *u, int width)
{
	text_addf(t, "%-*d", width, u->cpu);
}

static void name_core(struct text *t, const struct stat_unit *u, int width)
{
	text_addf(t, "S%d-D%d-C%-*d", u->socket, u->die, width, u->core);
}

static void name_die(struct text *t, const struct stat_unit *u, int width)
{
	text_addf(t, "S%d-D%-*d", u->socket, width, u->die);
}

static void name_socket(struct text *t, const struct stat_unit *u, int width)
{
	text_addf(t, "S%-*d", width, u->socket);
}

static void name_node(struct text *t, const struct stat_unit *u, int width)
{
	text_addf(t, "N%-*d", width, u->node);
}

static void stat_aggregate_name_cache(struct text *t, const struct stat_unit *u, int width)
{
	text_addf(t, "S%d-D%d-L%d-ID%-*d", u->socket, u->die, u->cache_level, width, u->cache);
}

static void name_cluster(struct text *t, const struct stat_unit *u, int width)
{
	text_addf(t, "S%d-D%d-CLS%-*d", u->socket, u->die, width, u->cluster);
}

static void stat_aggregate_name_thread(struct text *t, const struct stat_unit *u, int width)
{
	text_addf(t, "%*s-%-*d", width ? 16 : 0, u->comm, width, (int)u->tid);
}

const struct stat_aggregate *stat_aggregate_find(enum stat_aggregation a, bool per_core)
{
	static const struct stat_aggregate aggregates[] = {
		[STAT_CPU] = { "cpu", "CPU        ", "CPU", name_cpu, 7, false },
		[STAT_CORE] = { "core", "core            cpus ", "", name_core, 8, true },
		[STAT_DIE] = { "die", "die          cpus ", "", name_die, 8, true },
		[STAT_SOCKET] = { "socket", "socket cpus ", "", name_socket, 5, true },
		[STAT_NODE] = { "node", "node   cpus ", "", name_node, 5, true },
		[STAT_CACHE] = { "cache", "cache               cpus ", "",
				 stat_aggregate_name_cache, 8, true },
		[STAT_CLUSTER] = { "cluster", "cluster           cpus ", "", name_cluster, 8,
				   true },
		[STAT_THREAD] = { "thread", "            comm-pid      ", "",
				  stat_aggregate_name_thread, 8, false },
	};
	static const struct stat_aggregate core_among_cpus = {
		"core", "", "", name_core, 3, false
	};

	if (a == STAT_GLOBAL)
		return NULL;
	return a == STAT_CPU && per_core ? &core_among_cpus : &aggregates[a];
}

static void stat_aggregate_add_name(struct text *t, const struct stat_aggregate *a,
				    const struct stat_row *r, int width)
{
	struct text name = TEXT_EMPTY;

	a->name(&name, r->unit, width);
	text_add(t, a->label);
	escape_terminal(t, name.chars, name.length);
	text_done(&name);
}

void stat_aggregate_add_text(struct text *t, enum stat_aggregation aggregation,
			     const struct stat_row *r)
{
	const struct stat_aggregate *a = stat_aggregate_find(aggregation, r->per_core);

	if (!a)
		return;
	stat_aggregate_add_name(t, a, r, a->width);
	text_add_char(t, ' ');
	if (a->has_cpus)
		text_addf(t, "%4u ", r->n_cpus);
}

void stat_aggregate_add_csv(struct text *t, enum stat_aggregation aggregation,
			    const struct stat_row *r, const char *separator)
{
	const struct stat_aggregate *a = stat_aggregate_find(aggregation, r->per_core);

	if (!a)
		return;
	stat_aggregate_add_name(t, a, r, 0);
	text_add(t, separator);
	if (a->has_cpus)
		text_addf(t, "%u%s", r->n_cpus, separator);
}

void stat_aggregate_add_csv_heading(struct text *t, enum stat_aggregation aggregation,
				    const char *separator)
{
	const struct stat_aggregate *a = stat_aggregate_find(aggregation, false);

	if (!a)
		return;
	text_addf(t, "%s%s", a->key, separator);
	if (a->has_cpus)
		text_addf(t, "cpus%s", separator);
}
