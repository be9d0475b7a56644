/* SPDX-License-Identifier: MIT */
/* The tables of events and metrics that vendors define. */
#include <string.h>

#include "event/env.h"
#include "event/event.h"
#include "event/metric-expr.h"
#include "event/metric.h"
#include "event/vendor.h"
#include "kernel/pmu.h"
#include "tools/test/checks/checks.h"
#include "tools/test/checks/kit.h"

static enum selftest_outcome test_table(struct selftest_run *t)
{
	_cleanup_(event_env_freep) struct event_env *env = event_env_new(NULL, NULL);
	size_t at = 0;
	const struct pmu *pmu = pmu_list_next_core(event_env_pmus(env), &at);
	const struct vendor_table *table = pmu ? vendor_table_for_pmu(pmu) : NULL;

	if (!pmu)
		return selftest_skip(t, "no hardware counters");
	if (!table)
		return selftest_skip(t, "no table describes the events of this CPU");
	fprintf(t->out, "%s: %zu events for %s\n", table->name, table->n, pmu->name);
	for (size_t i = 0; i < table->n; i++) {
		_cleanup_(event_list_done) struct event_list l = { 0 };
		_cleanup_(diag_done) struct diag d = { 0 };
		const struct vendor_event *e = &table->events[i];

		EXPECT(t, !i || strcmp(table->events[i - 1].name, e->name) < 0,
		       "'%s' is not in its place", e->name);
		EXPECT(t, event_list_parse(&l, e->name, env, EVENT_USE_COUNTING, &d) >= 0,
		       "'%s' is refused: %s", e->name, d.message);
	}
	return SELFTEST_OK;
}

static enum selftest_outcome test_metrics(struct selftest_run *t)
{
	size_t n;
	const struct metric *all = metrics(&n);

	for (size_t i = 0; i < n; i++) {
		_cleanup_(metric_expr_freep) struct metric_expr *e = NULL;
		_cleanup_(diag_done) struct diag d = { 0 };

		fprintf(t->out, "%s = %s\n", all[i].name, all[i].expression);
		EXPECT(t, metric_compile(&all[i], &e, &d) >= 0, "the formula of %s is wrong: %s",
		       all[i].name, d.message);
	}
	EXPECT(t, n, "there are no metrics");
	return SELFTEST_OK;
}

static const struct selftest_case table_cases[] = {
	{ "PMU event table sanity", test_table },
	{ "Parsing of PMU event table metrics", test_metrics },
	{ NULL, NULL },
};

const struct selftest check_pmu_events = {
	.name = "PMU events",
	.why = "events that the CPU's vendor names, or metrics, cannot be used",
	.cases = table_cases,
};
