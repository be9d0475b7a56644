/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "capture/aux-plan.h"
#include "events.h"
#include "kernel/pmu.h"

static struct pmu_format pt_formats[] = {
	{ (char *)"psb_period", PMU_CONFIG, 0xf000000 },
	{ (char *)"tsc", PMU_CONFIG, 0x400 },
};
static struct pmu_format spe_formats[] = {
	{ (char *)"pa_enable", PMU_CONFIG, 2 },
	{ (char *)"ts_enable", PMU_CONFIG, 1 },
};

static const struct pmu intel_pt = { .name = (char *)"intel_pt",
				     .type = 8,
				     .formats = pt_formats,
				     .n_formats = ARRAY_SIZE(pt_formats) };
static const struct pmu intel_bts = { .name = (char *)"intel_bts", .type = 9 };
static const struct pmu cs_etm = { .name = (char *)"cs_etm", .type = 10 };
static const struct pmu arm_spe = { .name = (char *)"arm_spe_0",
				    .type = 11,
				    .formats = spe_formats,
				    .n_formats = ARRAY_SIZE(spe_formats) };
static const struct pmu hisi_ptt = { .name = (char *)"hisi_ptt0_2", .type = 12 };

static struct event *add_traced(struct event_list *l, const struct pmu *pmu)
{
	struct event *e = event_add(l, pmu->name, pmu->type, 0);

	e->pmu = pmu;
	return e;
}

static int plan(struct event_list *l, struct aux_request rq, struct aux_plan *ret)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	return aux_plan_make(l, &rq, ret, &diag);
}

static void without_a_trace_there_is_nothing_to_plan(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct aux_plan p;

	add_task_clock(&l);
	assert_int_equal(plan(&l, (struct aux_request){ 0 }, &p), 0);
	assert_int_equal(p.type, AUXTRACE_NONE);
	assert_int_equal(plan(&l, (struct aux_request){ .snapshot = "" }, &p), -EINVAL);
	assert_int_equal(plan(&l, (struct aux_request){ .sample = "" }, &p), -EINVAL);
}

static void the_group_that_traces_comes_first(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct aux_plan p;

	add_task_clock(&l);
	add_traced(&l, &intel_pt);
	add_faults(&l);
	add_switches(&l);
	l.items[2]->leader = 1;
	assert_int_equal(plan(&l, (struct aux_request){ 0 }, &p), 0);
	assert_int_equal(p.type, AUXTRACE_INTEL_PT);
	assert_string_equal(l.items[0]->name, "intel_pt");
	assert_true(l.items[0]->traces);
	assert_string_equal(l.items[1]->name, "page-faults");
	assert_int_equal(l.items[1]->leader, 0);
	assert_int_equal(l.items[2]->leader, 2);
	assert_int_equal(l.items[3]->leader, 3);
}

static void there_is_one_trace_at_a_time(void **state)
{
	static const struct pmu *const pairs[][2] = { { &intel_pt, &intel_pt },
						      { &intel_pt, &intel_bts },
						      { &arm_spe, &cs_etm } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		_cleanup_(event_list_done) struct event_list l = { 0 };
		struct aux_plan p;

		add_traced(&l, pairs[i][0]);
		add_traced(&l, pairs[i][1]);
		assert_int_equal(plan(&l, (struct aux_request){ 0 }, &p), -EINVAL);
	}
}

static void a_trace_that_would_not_be_understood_is_refused(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct aux_plan p;

	add_traced(&l, &hisi_ptt);
	assert_int_equal(plan(&l, (struct aux_request){ 0 }, &p), -EOPNOTSUPP);
}

static void snapshots_have_a_size_and_an_end(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct aux_plan p;

	add_traced(&l, &intel_pt);
	assert_int_equal(plan(&l, (struct aux_request){ .snapshot = "e0x3000" }, &p), 0);
	assert_true(p.snapshots);
	assert_true(p.at_exit);
	assert_int_equal(p.snapshot_bytes, 0x3000);
	assert_true(p.bytes >= 0x4000);
	assert_int_equal(p.bytes & (p.bytes - 1), 0);
	assert_int_equal(plan(&l, (struct aux_request){ .snapshot = "x" }, &p), -EINVAL);
	assert_int_equal(plan(&l, (struct aux_request){ .snapshot = "1048576", .pages = 1 }, &p),
			 -EINVAL);
	assert_int_equal(plan(&l, (struct aux_request){ .snapshot = "", .sample = "" }, &p),
			 -EINVAL);
}

static void samples_go_to_the_members_of_the_group(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	const struct aux_target t = { .per_cpu = true, .devices = "/nonexistent" };
	struct aux_plan p;

	add_traced(&l, &intel_pt);
	assert_int_equal(plan(&l, (struct aux_request){ .sample = "" }, &p), -EINVAL);
	add_task_clock(&l)->leader = 0;
	add_faults(&l);
	assert_int_equal(plan(&l, (struct aux_request){ .sample = "70000" }, &p), -EINVAL);
	assert_int_equal(plan(&l, (struct aux_request){ .sample = "0x2000" }, &p), 0);
	aux_plan_finish(&p, &l, &t, 2);
	assert_int_equal(l.items[1]->attr.aux_sample_size, 0x2000);
	assert_true(l.items[1]->attr.sample_type & PERF_SAMPLE_AUX);
	assert_int_equal(l.items[2]->attr.aux_sample_size, 0);
}

static void spe_has_times_where_cpus_are_to_be_put_in_order(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct aux_target t = { .devices = "/nonexistent" };
	struct aux_plan p;

	add_traced(&l, &arm_spe)->attr.config = 2;
	assert_int_equal(plan(&l, (struct aux_request){ 0 }, &p), 0);
	assert_int_equal(aux_plan_prepare(&p, &l, &t, &diag), 0);
	assert_int_equal(l.items[0]->attr.config, 2);
	assert_int_equal(l.items[0]->attr.sample_period, 4096);
	t.per_cpu = true;
	assert_int_equal(aux_plan_prepare(&p, &l, &t, &diag), 0);
	assert_int_equal(l.items[0]->attr.config, 3);
	event_add(&l, "dummy:u", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	aux_plan_finish(&p, &l, &t, 1);
	assert_true(l.items[0]->attr.sample_type & PERF_SAMPLE_PHYS_ADDR);
	assert_true(l.items[1]->attr.context_switch);
}

static void switches_of_all_tasks_are_for_those_who_may_see_them(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct aux_target t = { .per_cpu = true, .may_watch = true };
	struct aux_plan p;

	add_traced(&l, &intel_pt)->attr.config = 0x400;
	assert_int_equal(plan(&l, (struct aux_request){ 0 }, &p), 0);
	assert_true(aux_plan_dummies(&p, &l, &t).switches);
	assert_true(aux_plan_dummies(&p, &l, &t).pokes);
	l.items[0]->attr.exclude_kernel = 1;
	assert_false(aux_plan_dummies(&p, &l, &t).pokes);
	t.may_watch = false;
	assert_false(aux_plan_dummies(&p, &l, &t).switches);
}

static void bts_is_of_threads(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct aux_target t = { .per_cpu = true };
	struct aux_plan p;

	add_traced(&l, &intel_bts);
	assert_int_equal(plan(&l, (struct aux_request){ 0 }, &p), 0);
	assert_int_equal(aux_plan_prepare(&p, &l, &t, &diag), -EINVAL);
	t.per_cpu = false;
	assert_int_equal(aux_plan_prepare(&p, &l, &t, &diag), 0);
}

static void what_is_kept_must_have_a_place_to_begin(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct aux_plan p;

	add_traced(&l, &intel_pt)->attr.config = 3ULL << 24;
	assert_int_equal(plan(&l, (struct aux_request){ .snapshot = "4096" }, &p), 0);
	assert_int_equal(aux_plan_too_sparse(&p, &l), 16384);
	p.snapshot_bytes = 1 << 20;
	assert_int_equal(aux_plan_too_sparse(&p, &l), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_trace_there_is_nothing_to_plan),
		cmocka_unit_test(the_group_that_traces_comes_first),
		cmocka_unit_test(there_is_one_trace_at_a_time),
		cmocka_unit_test(a_trace_that_would_not_be_understood_is_refused),
		cmocka_unit_test(snapshots_have_a_size_and_an_end),
		cmocka_unit_test(samples_go_to_the_members_of_the_group),
		cmocka_unit_test(spe_has_times_where_cpus_are_to_be_put_in_order),
		cmocka_unit_test(switches_of_all_tasks_are_for_those_who_may_see_them),
		cmocka_unit_test(bts_is_of_threads),
		cmocka_unit_test(what_is_kept_must_have_a_place_to_begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
