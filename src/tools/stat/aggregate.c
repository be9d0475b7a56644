/* SPDX-License-Identifier: MIT */
#include "tools/stat/aggregate.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "options/value.h"

static const struct {
	const char *option;
	enum stat_aggregation over;
} modes[] = {
	{ "no-aggr", STAT_CPU },   { "per-socket", STAT_SOCKET },   { "aggr-socket", STAT_SOCKET },
	{ "per-die", STAT_DIE },   { "per-cluster", STAT_CLUSTER }, { "per-core", STAT_CORE },
	{ "per-node", STAT_NODE }, { "per-thread", STAT_THREAD },
};

int aggregate_set(void *field, const struct option *o, const char *value, bool negated,
		  struct diag *diag)
{
	struct aggregate_request *a = field;

	(void)value;
	(void)diag;
	*a = (struct aggregate_request){ .given = true };
	for (size_t i = 0; i < ARRAY_SIZE(modes) && !negated; i++)
		if (!strcmp(modes[i].option, o->name))
			a->over = modes[i].over;
	return 0;
}

static int cache_set(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	struct aggregate_request *a = field;

	if (value &&
	    (strncasecmp(value, "l", 1) || !strchr("1234", value[1]) || !value[1] || value[2]))
		return value_refuse(diag, o, value, 0, strlen(value),
				    "'%s' is not a level of cache; they are l1, l2, l3 and l4",
				    value);
	*a = (struct aggregate_request){
		.given = true,
		.over = negated ? STAT_GLOBAL : STAT_CACHE,
		.cache_level = value ? (unsigned)(value[1] - '0') : 0,
	};
	return 0;
}

#define MODE(l, n, h)                                                                              \
	OPT_CALL(l, n, struct aggregate_request, given, NULL, h, .set = aggregate_set,             \
		 .flags = OPTION_NO_VALUE)

const struct option aggregate_options[] = {
	OPT_HEADING("Sums:"),
	MODE('A', "no-aggr", "a row for each CPU"),
	MODE(0, "per-socket", "a row for each socket"),
	MODE(0, "per-die", "a row for each die"),
	MODE(0, "per-cluster", "a row for each cluster of cores"),
	OPT_CALL(0, "per-cache", struct aggregate_request, given, "level",
		 "a row for each cache of that level: l2, l3 (default: the last)", .set = cache_set,
		 .flags = OPTION_OPTIONAL),
	MODE(0, "per-core", "a row for each core"),
	MODE(0, "per-node", "a row for each NUMA node"),
	OPT_CALL(0, "aggr-socket", struct aggregate_request, given, NULL,
		 "the old name of --per-socket", .set = aggregate_set,
		 .flags = OPTION_NO_VALUE | OPTION_HIDDEN),
	OPT_END
};
