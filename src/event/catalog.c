/* SPDX-License-Identifier: MIT */
#include "event/catalog.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/similar.h"
#include "event/catalog-gather.h"
#include "tracepoint/format.h"

#define KIND(x) (1u << CATALOG_##x)
/* All kinds that -e and -M accept. */
#define ALL_KINDS ((1u << CATALOG_KINDS) - 1)
/* The kinds in which a word is searched; the rows of raw events and breakpoints are not names. */
#define SEARCHED   (ALL_KINDS & ~(KIND(RAW) | KIND(BREAKPOINT) | KIND(METRIC_GROUP)))
#define BLOCK_SIZE (32 << 10)

/*
 * Texts are packed into blocks, because there are thousands of tracepoints, and all have the same
 * lifetime.
 */
struct catalog_block {
	struct catalog_block *next;
	size_t used, size;
	char chars[];
};

static const struct {
	const char *name;
	unsigned kinds;
} classes[] = {
	{ "hw", KIND(HARDWARE) },
	{ "hardware", KIND(HARDWARE) },
	{ "sw", KIND(SOFTWARE) | KIND(TOOL) },
	{ "software", KIND(SOFTWARE) | KIND(TOOL) },
	{ "tool", KIND(TOOL) },
	{ "cache", KIND(CACHE) },
	{ "hwcache", KIND(CACHE) },
	{ "pmu", KIND(PMU) | KIND(HWMON) | KIND(DRM) },
	{ "hwmon", KIND(HWMON) },
	{ "tracepoint", KIND(TRACEPOINT) },
	{ "sdt", KIND(SDT) },
	{ "pfm", KIND(PFM) },
	{ "metric", KIND(METRIC) },
	{ "metrics", KIND(METRIC) },
	{ "metricgroup", KIND(METRIC_GROUP) },
	{ "metricgroups", KIND(METRIC_GROUP) },
};

static const char *const labels[CATALOG_KINDS] = {
	[CATALOG_HARDWARE] = "Hardware event",
	[CATALOG_SOFTWARE] = "Software event",
	[CATALOG_TOOL] = "Tool event",
	[CATALOG_CACHE] = "Hardware cache event",
	[CATALOG_PMU] = "Kernel PMU event",
	[CATALOG_HWMON] = "Hwmon event",
	[CATALOG_DRM] = "DRM event",
	[CATALOG_RAW] = "Raw hardware event descriptor",
	[CATALOG_BREAKPOINT] = "Hardware breakpoint",
	[CATALOG_TRACEPOINT] = "Tracepoint event",
	[CATALOG_SDT] = "SDT event",
	[CATALOG_PFM] = "libpfm4 event",
	[CATALOG_METRIC] = "Metric",
	[CATALOG_METRIC_GROUP] = "Metric group",
};

const char *catalog_kind_label(enum catalog_kind kind)
{
	return labels[kind];
}

static unsigned class_kinds(const char *selector)
{
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++)
		if (!strcmp(classes[i].name, selector))
			return classes[i].kinds;
	return 0;
}

bool catalog_is_class(const char *selector)
{
	return class_kinds(selector) != 0;
}

bool catalog_is_pattern(const char *selector)
{
	return glob_is_pattern(selector);
}

static char *keep_room(struct catalog *c, size_t size)
{
	struct catalog_block *b = c->blocks;

	if (!b || b->size - b->used < size) {
		size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;

		b = xmalloc(sizeof(*b) + room);
		*b = (struct catalog_block){ .next = c->blocks, .size = room };
		c->blocks = b;
	}

	char *at = b->chars + b->used;

	b->used += size;
	return at;
}

const char *gather_keep(struct gathering *g, const char *s)
{
	size_t size = strlen(s) + 1;

	return memcpy(keep_room(g->catalog, size), s, size);
}

const char *gather_keepf(struct gathering *g, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	_cleanup_(freep) char *s = xvasprintf(format, ap);
	va_end(ap);
	return gather_keep(g, s);
}

struct catalog_entry *gather_add(struct gathering *g, enum catalog_kind kind, const char *name)
{
	struct catalog_entry *e = ARRAY_ADD(g->catalog);

	e->kind = kind;
	e->name = name;
	return e;
}

static int catalog_by_name(const void *a, const void *b)
{
	return strcmp(((const struct catalog_entry *)a)->name,
		      ((const struct catalog_entry *)b)->name);
}

void gather_sort(struct gathering *g, size_t first)
{
	struct catalog *c = g->catalog;

	if (c->n > first)
		qsort(&c->items[first], c->n - first, sizeof(c->items[0]), catalog_by_name);
}

bool gather_selects(const struct gathering *g, const char *name)
{
	return name && (!g->pattern || glob_matches(g->pattern, name));
}

bool gather_selects_any_case(const struct gathering *g, const char *name)
{
	return name && (!g->pattern || glob_matches_any_case(g->pattern, name));
}

/*
 * Returns the kinds of a PMU. Some kinds are PMUs of the kernel, or of perf itself, whose events
 * have names of their own.
 */
static unsigned unit_kinds(const char *pmu)
{
	static const struct {
		const char *pmu;
		unsigned kinds;
	} units[] = {
		{ "software", KIND(SOFTWARE) },
		{ "tool", KIND(TOOL) },
		{ "tracepoint", KIND(TRACEPOINT) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(units[i].pmu, pmu))
			return units[i].kinds;
	return KIND(PMU) | KIND(HWMON) | KIND(DRM);
}

/* Sets the text that @g searches for, and the kinds in which it searches. */
static void select_kinds(struct gathering *g)
{
	const char *selector = g->query->selector;
	const char *colon = selector ? strchr(selector, ':') : NULL;

	if (!selector) {
		g->catalog->kinds = ALL_KINDS;
	} else if (catalog_is_class(selector)) {
		g->catalog->kinds = class_kinds(selector);
	} else if (colon) {
		g->catalog->kinds = KIND(TRACEPOINT) | KIND(SDT);
		g->system = xstrndup(selector, (size_t)(colon - selector));
		g->pattern = xstrdup(colon + 1);
	} else {
		g->catalog->kinds = SEARCHED;
		g->pattern = xasprintf("*%s*", selector);
	}
	if (g->query->pmu)
		g->catalog->kinds &= unit_kinds(g->query->pmu);
}

/*
 * True if the glob @system may match "sdt_...", the systems of markers: their cache has one file
 * for each program, which can be thousands. NULL: any system.
 */
static bool may_select_markers(const char *system)
{
	static const char prefix[] = "sdt_";

	for (size_t i = 0; system && i < strlen(prefix); i++) {
		if (strchr("*?[\\", system[i])) /* also finds the terminating NUL */
			return system[i];
		if (system[i] != prefix[i])
			return false;
	}
	return true;
}

/*
 * Gathers metrics, which come last in the result of a search, under a title that is not printed
 * without them.
 */
static void gather_metrics_if_any(struct gathering *g)
{
	struct catalog *c = g->catalog;
	size_t before = c->n;

	gather_metrics(g);
	if (g->pattern && c->n == before)
		c->kinds &= ~KIND(METRIC);
}

int catalog_gather(struct event_env *env, const struct catalog_query *q, struct catalog *ret,
		   struct diag *diag)
{
	struct gathering g = { .catalog = ret, .env = env, .query = q, .diag = diag };
	int r = 0;

	*ret = (struct catalog){ 0 };
	select_kinds(&g);
	for (enum catalog_kind k = 0; k < CATALOG_TRACEPOINT; k++)
		if (ret->kinds & 1u << k) {
			if (k == CATALOG_PMU)
				gather_pmus(&g);
			else if (k == CATALOG_HWMON)
				gather_hwmon(&g);
			else if (k == CATALOG_DRM)
				gather_drm(&g);
			else
				gather_generic(&g, k);
		}
	if (ret->kinds & KIND(TRACEPOINT))
		r = gather_tracepoints(&g);
	if (ret->kinds & KIND(SDT) && may_select_markers(g.system))
		gather_sdt(&g);
	if (ret->kinds & KIND(PFM) && !q->pmu) {
		int pfm = gather_pfm(&g, ret->kinds == KIND(PFM) ? diag : NULL);

		r = ret->kinds == KIND(PFM) ? pfm : r;
	}
	if (ret->kinds & (KIND(METRIC) | KIND(METRIC_GROUP)))
		gather_metrics_if_any(&g);
	free(g.system);
	free(g.pattern);
	return r;
}

void catalog_done(struct catalog *c)
{
	for (size_t i = 0; i < c->n; i++)
		tracepoint_format_free(c->items[i].format);
	free(c->items);
	for (struct catalog_block *next, *b = c->blocks; b; b = next) {
		next = b->next;
		free(b);
	}
	*c = (struct catalog){ 0 };
}

void catalog_suggest(const struct catalog *c, struct similar *near)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct catalog_entry *e = &c->items[i];
		const char *colon = strchr(e->name, ':');

		similar_add(near, e->name);
		if (e->alias)
			similar_add(near, e->alias);
		/* Users remember sched_switch, but not that it belongs to sched. */
		if (e->kind == CATALOG_TRACEPOINT && colon && !strchr(near->typed, ':'))
			similar_add(near, colon + 1);
	}
}
