/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/text.h"
#include "profile/report-plan.h"

static const struct key_env env;

static void add_columns(struct text *t, const struct report_columns *columns)
{
	for (size_t i = 0; i < columns->n; i++) {
		text_add(t, i ? "|" : "");
		text_add(t, columns->items[i].title);
	}
}

static void add_order(struct text *t, const struct report_plan *p)
{
	static const char *const words[] = {
		[ROW_BY_TOTAL] = "total",    [ROW_BY_SELF] = "self",
		[ROW_BY_SELF_MODE] = "mode", [ROW_BY_SAMPLES] = "samples",
		[ROW_BY_PERIOD] = "period",
	};

	for (size_t i = 0; i < p->n_order; i++) {
		const struct row_order *o = &p->order[i];

		text_add(t, i ? " " : "");
		text_add(t,
			 o->by == ROW_BY_KEY ? p->keys.items[o->index].type->name : words[o->by]);
	}
}

/* Checks the plan, as "titles; order". */
static void assert_plan(const struct report_request *r, const char *wanted)
{
	struct text t = TEXT_EMPTY;
	struct diag diag = { 0 };
	struct report_plan p;

	assert_int_equal(report_plan_make(r, &env, &p, &diag), 0);
	add_columns(&t, &p.columns);
	for (size_t i = 0; i < p.n_levels; i++) {
		text_add(&t, " / ");
		add_columns(&t, &p.levels[i]);
	}
	text_add(&t, "; ");
	add_order(&t, &p);
	assert_string_equal(t.chars, wanted);
	text_done(&t);
	report_plan_done(&p);
	diag_done(&diag);
}

static void without_a_word_it_is_the_usual(void **state)
{
	struct report_request r = { 0 };

	(void)state;
	assert_plan(&r, "Overhead|Command|Shared Object|Symbol; self comm dso symbol");
	r.children = true;
	assert_plan(&r, "Children|Self|Command|Shared Object|Symbol; total self comm dso symbol");
}

static void usual_figures_stand_in_front_of_keys(void **state)
{
	struct report_request r = {
		.sort = "comm", .nr_samples = true, .total_period = true, .cpu_utilization = true
	};

	(void)state;
	assert_plan(&r,
		    "Overhead|sys|usr|Samples|Period|Command; self comm mode mode samples period");
	r.guests = true;
	assert_plan(&r, "Overhead|sys|usr|guest sys|guest usr|Samples|Period|Command; self comm "
			"mode mode mode mode samples period");
}

static void fields_alone_decide_on_columns_and_order(void **state)
{
	struct report_request r = { .fields = "comm,overhead", .nr_samples = true };

	(void)state;
	assert_plan(&r, "Command|Overhead; comm self");
	r.sort = "dso";
	assert_plan(&r, "Command|Overhead|Shared Object; dso comm self");
	r.sort = "comm,dso";
	assert_plan(&r, "Command|Overhead|Shared Object; comm dso self");
	r.fields = "overhead,sample";
	r.sort = NULL;
	assert_plan(&r, "Overhead|Samples; self samples");
}

static void fields_with_a_plus_are_added(void **state)
{
	struct report_request r = { .fields = "+period,dso", .sort = "comm" };

	(void)state;
	assert_plan(&r, "Overhead|Period|Shared Object|Command; self comm period dso");
}

static void keys_with_a_plus_are_added(void **state)
{
	struct report_request r = { .sort = "+cpu" };

	(void)state;
	assert_plan(&r, "Overhead|Command|Shared Object|Symbol|CPU; self comm dso symbol cpu");
	r.fields = "overhead";
	assert_plan(&r, "Overhead|Command|Shared Object|Symbol|CPU; comm dso symbol cpu self");
}

static void commands_that_are_only_fields_do_not_sort(void **state)
{
	static const struct {
		struct report_request request;
		bool sorts_comms;
	} rows[] = {
		{ { .sort = NULL }, true },
		{ { .sort = "sym,comm" }, true },
		{ { .sort = "sym" }, false },
		{ { .fields = "comm,sym" }, false },
		{ { .fields = "comm,sym", .sort = "comm" }, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct diag diag = { 0 };
		struct report_plan p;

		assert_int_equal(report_plan_make(&rows[i].request, &env, &p, &diag), 0);
		assert_int_equal(p.sorts_comms, rows[i].sorts_comms);
		report_plan_done(&p);
		diag_done(&diag);
	}
}

static void callers_that_are_looked_for_stand_last(void **state)
{
	struct report_request r = { .sort = "comm", .parent = true };

	(void)state;
	assert_plan(&r, "Overhead|Command|Parent symbol; self comm parent");
	r.sort = "parent,comm";
	assert_plan(&r, "Overhead|Parent symbol|Command; self parent comm");
	r.sort = "symbol";
	assert_plan(&r, "Overhead|Symbol|IPC   [IPC Coverage]|Parent symbol; "
			"self symbol ipc_null parent");
	r.sort = NULL;
	assert_plan(&r, "Overhead|Command|Shared Object|Symbol|Parent symbol; "
			"self comm dso symbol parent");
	r.fields = "overhead,comm";
	assert_plan(&r, "Overhead|Command|Parent symbol; parent self comm");
}

static void an_overhead_in_the_order_keeps_its_place(void **state)
{
	struct report_request r = { .sort = "comm,overhead" };

	(void)state;
	assert_plan(&r, "Overhead|Command; comm self");
	r.sort = "overhead_sys,comm";
	assert_plan(&r, "Overhead|sys|Command; mode comm self");
	r.sort = "comm,sample";
	assert_plan(&r, "Overhead|Command|Samples; self comm samples");
	r.children = true;
	r.sort = "comm,overhead";
	assert_plan(&r, "Children|Self|Command; total comm self");
}

static void what_callers_weigh_is_nothing_without_them(void **state)
{
	struct report_request r = { .sort = "overhead_children,comm" };

	(void)state;
	assert_plan(&r, "Overhead|Command; comm self");
	r.sort = NULL;
	r.fields = "overhead_children,comm";
	assert_plan(&r, "Children|Command; comm");
	r.children = true;
	assert_plan(&r, "Children|Command; total comm");
}

static void repetitions_are_dropped(void **state)
{
	struct report_request r = { .sort = "comm,comm,,dso com", .fields = "overhead,overhead" };

	(void)state;
	assert_plan(&r, "Overhead|Command|Shared Object; comm dso self");
}

static void a_column_of_one_value_is_not_shown(void **state)
{
	struct report_request r = { .one_comm = true };

	(void)state;
	assert_plan(&r, "Overhead|Shared Object|Symbol; self dso symbol");
	r.sort = "comm";
	assert_plan(&r, "Overhead|Command; self comm");
	r.sort = "comm,dso";
	r.one_dso = true;
	assert_plan(&r, "Overhead|Command|Shared Object; self comm dso");
}

static void a_hierarchy_has_a_level_for_each_key(void **state)
{
	struct report_request r = { .hierarchy = true, .children = true };

	(void)state;
	assert_plan(&r, "Overhead / Command / Shared Object / Symbol; self comm dso symbol");
	r.sort = "{comm,dso},sym";
	assert_plan(&r, "Overhead / Command|Shared Object / Symbol; self comm dso symbol");
	r.sort = "comm{dso,sym";
	assert_plan(&r, "Overhead / Command / Shared Object|Symbol; self comm dso symbol");
	r.sort = "dso,sample";
	assert_plan(&r, "Overhead / Shared Object / Samples; self dso samples");
}

static void functions_by_their_full_name_have_a_column_beside_them(void **state)
{
	struct report_request r = { .sort = "symbol" };

	(void)state;
	assert_plan(&r, "Overhead|Symbol|IPC   [IPC Coverage]; self symbol ipc_null");
	r.sort = "sym";
	assert_plan(&r, "Overhead|Symbol; self symbol");
}

static void fields_of_a_hierarchy_are_figures_and_levels(void **state)
{
	const struct report_request r = { .fields = "comm,sample,symbol,period",
					  .sort = "dso,comm",
					  .hierarchy = true };
	struct diag diag = { 0 };
	struct report_plan p;

	(void)state;
	assert_int_equal(report_plan_make(&r, &env, &p, &diag), 0);
	assert_int_equal(p.columns.n, 2);
	assert_string_equal(p.columns.items[0].title, "Samples");
	assert_string_equal(p.columns.items[1].title, "Period");
	assert_int_equal(p.n_levels, 3);
	assert_string_equal(p.levels[0].items[0].title, "Command");
	assert_string_equal(p.levels[1].items[0].title, "Symbol");
	assert_string_equal(p.levels[2].items[0].title, "Shared Object");
	report_plan_done(&p);
}

static void some_keys_are_means_beside_means(void **state)
{
	struct diag diag = { 0 };
	struct report_plan keys, means;

	(void)state;
	assert_int_equal(report_plan_make(&(struct report_request){ .fields = "ins_lat" }, &env,
					  &keys, &diag),
			 0);
	assert_null(keys.columns.items[0].figure);
	assert_int_equal(
		report_plan_make(
			&(struct report_request){ .fields = "ins_lat,p_stage_cyc,retire_lat" },
			&env, &means, &diag),
		0);
	assert_string_equal(means.columns.items[0].title, "Weight2");
	assert_string_equal(means.columns.items[1].title, "Weight3");
	report_plan_done(&keys);
	report_plan_done(&means);
}

static void assert_mistake(const struct report_request *r, const char *message, size_t offset)
{
	struct diag diag = { 0 };
	struct report_plan p;

	assert_int_equal(report_plan_make(r, &env, &p, &diag), -EINVAL);
	assert_non_null(strstr(diag.message, message));
	assert_int_equal(diag.offset, offset);
	diag_done(&diag);
}

static void mistakes_are_told_and_marked(void **state)
{
	(void)state;
	assert_mistake(&(struct report_request){ .sort = "+" }, "names no key", 0);
	assert_mistake(&(struct report_request){ .fields = "" }, "names no column", 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_word_it_is_the_usual),
		cmocka_unit_test(usual_figures_stand_in_front_of_keys),
		cmocka_unit_test(fields_alone_decide_on_columns_and_order),
		cmocka_unit_test(fields_with_a_plus_are_added),
		cmocka_unit_test(keys_with_a_plus_are_added),
		cmocka_unit_test(commands_that_are_only_fields_do_not_sort),
		cmocka_unit_test(callers_that_are_looked_for_stand_last),
		cmocka_unit_test(an_overhead_in_the_order_keeps_its_place),
		cmocka_unit_test(what_callers_weigh_is_nothing_without_them),
		cmocka_unit_test(repetitions_are_dropped),
		cmocka_unit_test(a_column_of_one_value_is_not_shown),
		cmocka_unit_test(a_hierarchy_has_a_level_for_each_key),
		cmocka_unit_test(functions_by_their_full_name_have_a_column_beside_them),
		cmocka_unit_test(fields_of_a_hierarchy_are_figures_and_levels),
		cmocka_unit_test(some_keys_are_means_beside_means),
		cmocka_unit_test(mistakes_are_told_and_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
