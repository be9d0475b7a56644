/* SPDX-License-Identifier: MIT */
#include "example-profile.h"

struct fixture {
	struct example_profile profile;
	struct report_options options;
	struct report_rows *rows;
};

static void fixture_done(struct fixture *f)
{
	report_rows_free(f->rows);
	example_profile_done(&f->profile);
}

/* Collects the samples of the profile, and sums them up by the first @n of @keys. */
static const struct report_rows *rows_of(struct fixture *f, const struct key *keys, size_t n,
					 bool children, const struct sample_filter *filter)
{
	static const struct row_order order[] = { { ROW_BY_TOTAL, 0 }, { ROW_BY_SELF, 0 } };
	const struct tally *t = example_collect(
		&f->profile,
		(struct collector_options){
			.keys = keys, .n_keys = n, .filter = filter, .with_stacks = true });

	f->options = (struct report_options){
		.env = &f->profile.env,
		.keys = keys,
		.n_keys = n,
		.order = order,
		.n_order = 2,
		.filter = filter,
		.children = children,
		.rq.callers_first = children,
	};
	f->rows = report_rows_new(&f->options, session_event(f->profile.session, 0), t);
	return f->rows;
}

/* Returns the row whose key @i is @value. */
static const struct report_row *row_with(const struct report_rows *r, size_t i, uint64_t value)
{
	for (size_t n = 0; n < r->n; n++)
		if (r->rows[n].values[i] == value)
			return &r->rows[n];
	return NULL;
}

static void samples_add_up_by_key(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };
	const struct report_rows *r;

	(void)state;
	example_profile_init(&f.profile);
	EXAMPLE_STACK(&f.profile, 10, 100, 1, 0x5010, 0x1010);
	EXAMPLE_STACK(&f.profile, 20, 110, 20, 0x5010, 0x1010);
	EXAMPLE_STACK(&f.profile, 10, 120, 3, 0x5010, 0x1010);
	r = rows_of(&f, example_by_pid, 2, false, NULL);
	assert_int_equal(r->n, 2);
	assert_int_equal(r->rows[0].values[0], 20); /* the heaviest first */
	assert_int_equal(r->rows[0].self.period, 20);
	assert_int_equal(r->rows[1].self.period, 4);
	assert_int_equal(r->rows[1].self.samples, 2);
	assert_int_equal(r->rows[1].total.period, 4);
	assert_int_equal(r->all.period, 24);
	assert_int_equal(r->shown.period, 24);
	assert_int_equal(report_row_cell(&r->rows[1], 0).weight.period, 4);
}

static void callers_have_rows_with_children(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };
	const struct report_rows *r;

	(void)state;
	example_profile_init(&f.profile);
	EXAMPLE_STACK(&f.profile, 10, 100, 1, 0x5010, 0x1020, 0x1010);
	EXAMPLE_STACK(&f.profile, 10, 110, 10, 0x1020, 0x1010);
	r = rows_of(&f, example_by_ip, 1, true, NULL);
	assert_int_equal(r->n, 3);
	assert_int_equal(row_with(r, 0, 0x1010)->total.period, 11);
	assert_int_equal(row_with(r, 0, 0x1010)->self.samples, 0);
	assert_int_equal(row_with(r, 0, 0x1020)->total.period, 11);
	assert_int_equal(row_with(r, 0, 0x1020)->self.period, 10);
	assert_int_equal(row_with(r, 0, 0x5010)->total.period, 1);
}

static void recursion_counts_once(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };
	const struct report_rows *r;

	(void)state;
	example_profile_init(&f.profile);
	EXAMPLE_STACK(&f.profile, 10, 100, 7, 0x1020, 0x1020, 0x1020, 0x1010);
	EXAMPLE_STACK(&f.profile, 10, 110, 5, 0x1020, 0x1030, 0x1020, 0x1010);
	r = rows_of(&f, example_by_ip, 1, true, NULL);
	assert_int_equal(row_with(r, 0, 0x1020)->total.period, 12);
	assert_int_equal(row_with(r, 0, 0x1020)->self.period, 12);
	assert_int_equal(row_with(r, 0, 0x1030)->total.period, 5);
}

static void an_image_is_a_row_however_deep_its_functions_call(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };
	const struct report_rows *r;

	(void)state;
	example_profile_init(&f.profile);
	EXAMPLE_STACK(&f.profile, 10, 100, 1, 0x5010, 0x5020, 0x1010);
	EXAMPLE_STACK(&f.profile, 20, 110, 1, 0x1030, 0x5020, 0x1010);
	r = rows_of(&f, example_by_image, 1, true, NULL);
	assert_int_equal(r->n, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(r->rows[i].total.period, 2);
		assert_int_equal(r->rows[i].self.period, 1);
	}
}

static void a_row_leads_to_the_stacks_it_came_from(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };
	const struct report_rows *r;
	const struct stack_weight *weights;
	uint64_t period = 0;
	unsigned n = 0;

	(void)state;
	example_profile_init(&f.profile);
	EXAMPLE_STACK(&f.profile, 10, 100, 1, 0x5010, 0x1010);
	EXAMPLE_STACK(&f.profile, 10, 110, 10, 0x5010, 0x1020);
	r = rows_of(&f, example_by_ip, 1, false, NULL);
	weights = r->tally->stacks.weights;
	assert_int_equal(r->n, 1);
	for (uint32_t i = r->rows[0].first_self; i != STACK_NONE; i = r->next_self[i], n++)
		period += weights[i].self.period;
	assert_int_equal(n, 2);
	assert_int_equal(period, 11);
	assert_int_equal(r->rows[0].first_node, STACK_NONE); /* without children */
}

static void filtered_samples_have_no_rows_but_are_part_of_all(void **state)
{
	static const struct sample_filter_request wanted = { .comms = "two", .dsos = "lib" };
	_cleanup_(sample_filter_freep) struct sample_filter *filter = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(fixture_done) struct fixture f = { 0 };
	const struct report_rows *r;

	(void)state;
	assert_int_equal(sample_filter_new(&wanted, &filter, &diag), 0);
	example_profile_init(&f.profile);
	EXAMPLE_STACK(&f.profile, 10, 100, 1, 0x5010);
	EXAMPLE_STACK(&f.profile, 20, 110, 10, 0x5010);
	EXAMPLE_STACK(&f.profile, 20, 110, 100, 0x1010);
	r = rows_of(&f, example_by_pid, 2, false, filter);
	assert_int_equal(r->n, 1);
	assert_int_equal(r->shown.period, 10);
	assert_int_equal(r->all.period, 111);
}

static void no_samples_no_rows(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };

	(void)state;
	example_profile_init(&f.profile);
	assert_int_equal(rows_of(&f, example_by_pid, 2, true, NULL)->n, 0);
}

static void without_keys_there_is_one_row(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };
	const struct report_rows *r;

	(void)state;
	example_profile_init(&f.profile);
	EXAMPLE_STACK(&f.profile, 10, 100, 1, 0x5010);
	EXAMPLE_STACK(&f.profile, 20, 110, 10, 0x1010);
	r = rows_of(&f, NULL, 0, false, NULL);
	assert_int_equal(r->n, 1);
	assert_int_equal(r->rows[0].self.period, 11);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_add_up_by_key),
		cmocka_unit_test(callers_have_rows_with_children),
		cmocka_unit_test(recursion_counts_once),
		cmocka_unit_test(an_image_is_a_row_however_deep_its_functions_call),
		cmocka_unit_test(a_row_leads_to_the_stacks_it_came_from),
		cmocka_unit_test(filtered_samples_have_no_rows_but_are_part_of_all),
		cmocka_unit_test(no_samples_no_rows),
		cmocka_unit_test(without_keys_there_is_one_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
