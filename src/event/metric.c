/* SPDX-License-Identifier: MIT */
#include "event/metric.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"
#include "event/env.h"
#include "event/metric-expr.h"
#include "event/tables.h"
#include "kernel/cpuid.h"
#include "kernel/pmu.h"

const struct metric *metrics(size_t *ret_n)
{
	*ret_n = metrics_generic_n;
	return metrics_generic;
}

static const struct metric *event_metric_find(const struct metric *all, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcasecmp(all[i].name, name))
			return &all[i];
	return NULL;
}

const struct metric *metric_find(const struct metric_table *table, const char *name)
{
	const struct metric *m = table ? event_metric_find(table->metrics, table->n, name) : NULL;

	return m ? m : event_metric_find(metrics_generic, metrics_generic_n, name);
}

const struct metric_table *metric_table_for_cpu(const char *cpuid)
{
	for (size_t i = 0; i < metric_cpus_n; i++)
		if (glob_matches(metric_cpus[i].pattern, cpuid))
			return metric_cpus[i].table;
	return NULL;
}

/* Returns the table of the first kind of cores that has one. */
static const struct metric_table *metric_table_of(struct event_env *env)
{
	const struct metric_table *table = NULL;
	const struct pmu *pmu;

	for (size_t at = 0; !table && (pmu = pmu_list_next_core(event_env_pmus(env), &at));) {
		_cleanup_(freep) char *cpuid = NULL;

		if (cpuid_read("", pmu->cpus.n ? pmu->cpus.items[0] : 0, &cpuid) >= 0)
			table = metric_table_for_cpu(cpuid);
	}
	return table;
}

static int metric_by_name(const void *a, const void *b)
{
	return strcasecmp((*(const struct metric *const *)a)->name,
			  (*(const struct metric *const *)b)->name);
}

void metric_list_make(struct metric_list *l, struct event_env *env)
{
	const struct metric_table *table = metric_table_of(env);

	for (size_t i = 0; table && i < table->n; i++)
		*ARRAY_ADD(l) = &table->metrics[i];
	for (size_t i = 0; i < metrics_generic_n; i++)
		if (!table || !event_metric_find(table->metrics, table->n, metrics_generic[i].name))
			*ARRAY_ADD(l) = &metrics_generic[i];
	if (l->n)
		qsort(l->items, l->n, sizeof(l->items[0]), metric_by_name);
}

void metric_list_done(struct metric_list *l)
{
	free(l->items);
	*l = (struct metric_list){ 0 };
}

/* True if @fits accepts one of the groups of @m. */
static bool any_group(const struct metric *m, bool (*fits)(const char *group, const char *word),
		      const char *word)
{
	_cleanup_(freep) char *groups = xstrdup(m->groups);
	char *rest = groups;

	for (char *group; (group = strsep(&rest, ";"));)
		if (fits(group, word))
			return true;
	return false;
}

static bool metric_same(const char *group, const char *word)
{
	return !strcasecmp(group, word);
}

static bool metric_matches(const char *name, const char *pattern)
{
	return glob_matches_any_case(pattern, name);
}

bool metric_in_group(const struct metric *m, const char *group)
{
	return any_group(m, metric_same, group);
}

bool metric_selected(const struct metric *m, const char *word)
{
	return !strcasecmp(word, "all") || metric_matches(m->name, word) ||
	       any_group(m, metric_matches, word);
}

struct compilation {
	const struct metric *metric;     /* the metric that is being expanded */
	const struct compilation *outer; /* the metric that uses this one, or NULL */
	struct diag *diag;
};

static int event_metric_compile(const struct compilation *c, struct metric_expr **ret);

static int metric_expand(void *arg, const char *name, struct metric_expr **ret)
{
	const struct compilation *outer = arg;
	const struct compilation inner = { metric_find(outer->metric->table, name), outer,
					   outer->diag };

	if (!inner.metric)
		return 0;
	for (const struct compilation *c = outer; c; c = c->outer)
		if (c->metric == inner.metric)
			return diag_set(c->diag, -EINVAL, "the metric '%s' uses itself", name);
	return event_metric_compile(&inner, ret);
}

static int event_metric_compile(const struct compilation *c, struct metric_expr **ret)
{
	_cleanup_(metric_expr_freep) struct metric_expr *e = NULL;
	int r = metric_expr_parse(c->metric->expression, &e, c->diag);

	if (r >= 0)
		r = metric_expr_expand(e, metric_expand, (void *)c);
	if (r >= 0)
		*ret = TAKE(e);
	return r;
}

int metric_compile(const struct metric *m, struct metric_expr **ret, struct diag *diag)
{
	return event_metric_compile(&(struct compilation){ m, NULL, diag }, ret);
}
