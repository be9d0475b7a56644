/* SPDX-License-Identifier: MIT */
#include "example-table.h"

#include <errno.h>

static void numbers_are_plain_arrays(void **state)
{
	struct example_profile p;
	struct sample_table *t;
	const struct sample_column *c;

	(void)state;
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 5, 0x1100);
	EXAMPLE_STACK(&p, 20, 200, 7, 0x1200);
	t = EXAMPLE_TABLE(&p, NULL, false, "time", "pid", "period", "ip", "cpu");
	assert_int_equal(t->n_rows, 2);
	assert_int_equal(t->n_columns, 5);
	c = sample_table_find(t, "time");
	assert_int_equal(c->type, SAMPLE_COLUMN_U64);
	assert_int_equal(((uint64_t *)c->values)[0], 100);
	assert_int_equal(((uint64_t *)c->values)[1], 200);
	c = sample_table_find(t, "pid");
	assert_int_equal(c->type, SAMPLE_COLUMN_I32);
	assert_int_equal(((int32_t *)c->values)[1], 20);
	assert_int_equal(((uint64_t *)sample_table_find(t, "period")->values)[1], 7);
	assert_int_equal(((uint64_t *)sample_table_find(t, "ip")->values)[0], 0x1100);
	assert_int_equal(((int32_t *)sample_table_find(t, "cpu")->values)[1], 2);
	assert_null(sample_table_find(t, "comm"));
	sample_table_unref(t);
	example_profile_done(&p);
}

static void what_was_not_recorded_is_null(void **state)
{
	struct example_profile p;
	struct sample_table *t;
	const struct sample_column *c;

	(void)state;
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 5, 0x1100);
	EXAMPLE_STACK(&p, 10, 101, 5, 0x1100);
	t = EXAMPLE_TABLE(&p, NULL, false, "addr", "time");
	c = sample_table_find(t, "addr");
	assert_int_equal(c->n_null, 2);
	assert_int_equal(c->valid[0] & 3, 0);
	c = sample_table_find(t, "time");
	assert_int_equal(c->n_null, 0);
	assert_null(c->valid);
	sample_table_unref(t);
	example_profile_done(&p);
}

static void stacks_are_lists_innermost_first(void **state)
{
	struct example_profile p;
	struct sample_table *t;
	const struct sample_column *c, *dso;

	(void)state;
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 1, 0x1100, 0x5200);
	EXAMPLE_STACK(&p, 10, 101, 1, 0x5200);
	EXAMPLE_STACK(&p, 10, 102, 1, 0x1100, 0x1200, 0x9000);
	t = EXAMPLE_TABLE(&p, NULL, false, "callchain", "callchain_dso");
	c = sample_table_find(t, "callchain");
	assert_int_equal(c->n_values, 6);
	assert_int_equal(c->offsets[1], 2);
	assert_int_equal(c->offsets[2], 3);
	assert_int_equal(c->offsets[3], 6);
	assert_int_equal(((uint64_t *)c->values)[0], 0x1100);
	assert_int_equal(((uint64_t *)c->values)[1], 0x5200);
	assert_int_equal(((uint64_t *)c->values)[5], 0x9000);
	dso = sample_table_find(t, "callchain_dso");
	assert_string_equal(example_name(dso, 0), "/bin/app");
	assert_string_equal(example_name(dso, 1), "/lib/lib");
	assert_string_equal(example_name(dso, 5), "");
	assert_int_equal(dso->n_items_null, 1);
	sample_table_unref(t);
	example_profile_done(&p);
}

static void filters_leave_rows_out(void **state)
{
	struct example_profile p;
	struct sample_table *t;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(sample_filter_freep) struct sample_filter *f = NULL;

	(void)state;
	assert_int_equal(
		sample_filter_new(&(struct sample_filter_request){ .comms = "two", .dsos = "lib" },
				  &f, &diag),
		0);
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 1, 0x5200);
	EXAMPLE_STACK(&p, 20, 101, 1, 0x5200);
	EXAMPLE_STACK(&p, 20, 102, 1, 0x1200);
	t = EXAMPLE_TABLE(&p, f, false, "time", "callchain");
	assert_int_equal(t->n_rows, 1);
	assert_int_equal(((uint64_t *)t->columns[0].values)[0], 101);
	assert_int_equal(t->columns[1].n_values, 1);
	sample_table_unref(t);
	example_profile_done(&p);
}

static void an_unknown_field_is_refused_with_the_nearest(void **state)
{
	static const char *const fields[] = { "time", "perid" };
	struct example_profile p;
	struct sample_table_maker *m = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	example_profile_init(&p);
	p.session = opened(&p.recording, false);
	assert_int_equal(
		sample_table_maker_new(&(struct sample_table_options){ .session = p.session,
								       .fields = fields,
								       .n_fields = 2,
								       .n_workers = 1 },
				       &m, &diag),
		-EINVAL);
	assert_null(m);
	assert_non_null(strstr(diag.message, "'perid'"));
	assert_string_equal(diag.hint, "Did you mean 'period' or 'pid'?");
	example_profile_done(&p);
}

static void nothing_makes_an_empty_table(void **state)
{
	struct example_profile p;
	struct sample_table *t;

	(void)state;
	example_profile_init(&p);
	t = EXAMPLE_TABLE(&p, NULL, false, "time", "comm", "callchain", "callchain_symbol",
			  "symoff", "symbol");
	assert_int_equal(t->n_rows, 0);
	assert_int_equal(sample_table_find(t, "comm")->names.n, 0);
	assert_int_equal(sample_table_find(t, "callchain")->offsets[0], 0);
	sample_table_unref(t);
	example_profile_done(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_plain_arrays),
		cmocka_unit_test(what_was_not_recorded_is_null),
		cmocka_unit_test(stacks_are_lists_innermost_first),
		cmocka_unit_test(filters_leave_rows_out),
		cmocka_unit_test(an_unknown_field_is_refused_with_the_nearest),
		cmocka_unit_test(nothing_makes_an_empty_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
