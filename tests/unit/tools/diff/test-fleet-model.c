/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "profile/example-rows.h"
#include "profile/shared-values.h"
#include "tools/diff/fleet-model.h"
#include "tools/diff/repeats-model.h"

#define HOSTS 12 /* six on each side */

static const struct diff_options shares = { .compute = DIFF_DELTA_ABS,
					    .order = 1,
					    .absolute = true };
static const size_t side_of[HOSTS] = { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1 };
static const char *const hosts[HOSTS] = {
	"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "b", "a"
};
static const char *const labels[] = { "old", "new" };
static const struct diff_fleet_options options = {
	.labels = labels, .n_sides = 2, .hosts = hosts, .side_of = side_of
};

struct fleet {
	struct example_rows rows[HOSTS];
	const struct report_rows *sides[HOSTS];
	struct diff *diff;
};

/* Host 7 spins, and has a row that no other host has; host 2 has no samples. */
static int set_up(void **state)
{
	static struct fleet f;

	f = (struct fleet){ 0 };
	example_env.values = shared_values_new();
	for (size_t i = 0; i < HOSTS; i++) {
		example_rows_init(&f.rows[i]);
		if (i != 2) {
			example_add(&f.rows[i], "hot", "f", 20000 + 100 * (i % 3));
			example_add(&f.rows[i], "rest", "f", 80000);
		}
		if (i == 7)
			example_add(&f.rows[i], "spin", "f", 50000);
		f.sides[i] = &f.rows[i].rows;
	}
	f.diff = diff_new(&shares, f.sides, HOSTS);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fleet *f = *state;

	diff_free(f->diff);
	shared_values_free(example_env.values);
	example_env.values = NULL;
	return 0;
}

static void a_host_that_differs_is_left_out(void **state)
{
	struct fleet *f = *state;
	_cleanup_(diff_fleet_freep) struct diff_fleet *d = diff_fleet_new(f->diff, &options);
	char *name;

	assert_int_equal(d->n_outliers, 1);
	assert_int_equal(d->outliers[0].recording, 7);
	assert_int_equal(d->outliers[0].side, 1);
	name = diff_row_name(d->outliers[0].row);
	assert_string_equal(name, "spin f");
	free(name);
	assert_true(d->outliers[0].share > 33 && d->outliers[0].share < 34);
	assert_true(d->outliers[0].usual == 0);
	assert_int_equal(d->outliers[0].n_rows, 3); /* the others shrink */
	for (size_t i = 0; i < HOSTS; i++)
		assert_int_equal(d->left_out[i], i == 7);
	assert_int_equal(d->n_hosts[0], 5);
	assert_int_equal(d->n_hosts[1], 6);
	assert_int_equal(d->n_out[0], 0);
	assert_int_equal(d->n_out[1], 1);
}

static void it_can_be_kept(void **state)
{
	struct fleet *f = *state;
	struct diff_fleet_options keeps = options;
	_cleanup_(diff_fleet_freep) struct diff_fleet *d = NULL;

	keeps.keeps_outliers = true;
	d = diff_fleet_new(f->diff, &keeps);
	assert_int_equal(d->n_outliers, 1);
	assert_false(d->left_out[7]);
	assert_int_equal(d->n_out[1], 0);
}

static void hosts_of_several_sides_are_told(void **state)
{
	struct fleet *f = *state;
	_cleanup_(diff_fleet_freep) struct diff_fleet *d = diff_fleet_new(f->diff, &options);

	assert_int_equal(d->n_both, 2);
	assert_string_equal(d->both[0], "a");
	assert_string_equal(d->both[1], "b");
}

static void what_is_left_out_does_not_count(void **state)
{
	static const char *const names[] = { "old", "new" };
	struct fleet *f = *state;
	_cleanup_(diff_fleet_freep) struct diff_fleet *d = diff_fleet_new(f->diff, &options);
	const struct diff_repeats_options o = { .names = names,
						.n_sides = 2,
						.side_of = side_of,
						.unit = "",
						.order = 1,
						.left_out = d->left_out };
	_cleanup_(diff_repeats_freep) struct diff_repeats *r = diff_repeats_new(f->diff, &o);

	diff_repeats_correct(r, &o);
	assert_int_equal(r->n, 2); /* no other host has spin */
	assert_int_equal(r->compare->commands[0].runs, 6);
	assert_int_equal(r->compare->commands[1].runs, 5);
	for (size_t i = 0; i < r->n; i++) {
		assert_int_equal(r->rows[i].figures->sides[1].n, 5);
		assert_false(compare_is_shown(&r->rows[i].figures->differences[1]));
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_host_that_differs_is_left_out),
		TEST(it_can_be_kept),
		TEST(hosts_of_several_sides_are_told),
		TEST(what_is_left_out_does_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
