/* SPDX-License-Identifier: MIT */
/* Formulas, and the tables of events and metrics that vendors define. */
#include <math.h>
#include <string.h>

#include "event/env.h"
#include "event/event.h"
#include "event/metric-expr.h"
#include "event/metric.h"
#include "event/vendor.h"
#include "kernel/pmu.h"
#include "tools/test/checks/checks.h"
#include "tools/test/checks/kit.h"

static bool check_metrics_count_of(void *arg, const char *event, double *ret)
{
	(void)arg;
	*ret = !strcmp(event, "A")            ? 6
	       : !strcmp(event, "B")          ? 3
	       : !strcmp(event, "task-clock") ? 2
					      : 0;
	return strcmp(event, "MISSING") != 0;
}

static bool literal_of(void *arg, const char *name, double *ret)
{
	(void)arg, (void)name;
	*ret = 4;
	return true;
}

static const struct metric_inputs inputs = { .event = check_metrics_count_of,
					     .literal = literal_of };

static enum selftest_outcome test_expressions(struct selftest_run *t)
{
	static const struct {
		const char *text;
		double value; /* NAN: it has no value */
	} formulas[] = {
		{ "1 + 2 * 3", 7 },
		{ "(1 + 2) * 3", 9 },
		{ "A / B", 2 },
		{ "A / B - -1", 3 },
		{ "min(A, B) + max(1, 2)", 5 },
		{ "A % 4", 2 },
		{ "1 if A > B else 2", 1 },
		{ "d_ratio(A, 0)", 0 },
		{ "task\\-clock * #num_cpus", 8 },
		{ "A / 0", NAN },
		{ "A + MISSING", NAN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(formulas); i++) {
		_cleanup_(metric_expr_freep) struct metric_expr *e = NULL;
		_cleanup_(diag_done) struct diag d = { 0 };
		double value = 0;
		bool has;

		EXPECT(t, metric_expr_parse(formulas[i].text, &e, &d) >= 0, "'%s' is refused: %s",
		       formulas[i].text, d.message);
		has = metric_expr_value(e, &inputs, &value);
		fprintf(t->out, "%s = %g\n", formulas[i].text, has ? value : NAN);
		EXPECT(t, has ? value == formulas[i].value : isnan(formulas[i].value), "'%s' is %g",
		       formulas[i].text, value);
	}
	return SELFTEST_OK;
}

const struct selftest check_expressions = {
	.name = "Simple expression parser",
	.why = "the figures of perf stat -M are wrong",
	.run = test_expressions,
};

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

static enum selftest_outcome test_derived(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	double value;

	NEED(kit_need_events(t));
	EXPECT(t,
	       PERF(t, &out, "stat", "-x;", "-o", "/dev/stdout", "-e", "task-clock:u", "--",
		    t->perf, "test", "-w", "noploop", "1") == 0,
	       "perf stat fails");
	value = strtod(out.chars, NULL);
	for (const char *s = out.chars; (s = strchr(s, '\n')); s++)
		if (strstr(s, "task-clock"))
			value = strtod(s + 1, NULL);
	EXPECT(t, value > 1, "a second of work is %g ms of task-clock", value);
	EXPECT(t, strstr(out.chars, "CPUs utilized"), "CPUs utilized is not derived");
	return SELFTEST_OK;
}

const struct selftest check_metrics = {
	.name = "Parse and process metrics",
	.why = "perf stat does not show what follows from counts, such as CPUs utilized",
	.run = test_derived,
};
