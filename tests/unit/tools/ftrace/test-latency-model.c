/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/diag.h"
#include "tools/ftrace/latency-model.h"

static struct latency make(struct latency_scale scale)
{
	struct diag diag = { 0 };
	struct latency l;

	assert_int_equal(latency_init(&l, &scale, &diag), 0);
	return l;
}

static void assert_refused(struct latency_scale scale, const char *why)
{
	struct diag diag = { 0 };
	struct latency l;

	assert_int_equal(latency_init(&l, &scale, &diag), -EINVAL);
	assert_string_equal(diag.message, why);
	diag_done(&diag);
}

static void powers_of_two_hold_what_they_say(void **state)
{
	struct latency l = make((struct latency_scale){ 0 });

	(void)state;
	assert_int_equal(histogram_rows(&l.rows), 22);
	latency_add(&l, 999);
	latency_add(&l, 1000);
	latency_add(&l, 100571000); /* row 17 begins at 65536 us */
	latency_add(&l, 3600000000000);
	assert_int_equal(l.rows.counts[0], 1);
	assert_int_equal(l.rows.counts[1], 1);
	assert_int_equal(l.rows.counts[17], 1);
	assert_int_equal(l.rows.counts[21], 1);
	assert_int_equal(l.rows.bounds[16], 65536);
	latency_done(&l);
}

static void a_range_begins_at_the_minimum_and_ends_at_the_maximum(void **state)
{
	struct latency l = make((struct latency_scale){ .range = 10, .min = 10, .max = 45 });

	(void)state;
	assert_int_equal(histogram_rows(&l.rows), 5);
	assert_int_equal(l.rows.bounds[0], 10);
	assert_int_equal(l.rows.bounds[3], 40);
	latency_done(&l);
	l = make((struct latency_scale){ .range = 10, .max = 30, .uses_nsec = true });
	assert_int_equal(histogram_rows(&l.rows), 4);
	latency_add(&l, 29);
	latency_add(&l, 30);
	latency_add(&l, UINT64_MAX);
	assert_int_equal(l.rows.counts[2], 1);
	assert_int_equal(l.rows.counts[3], 2);
	latency_done(&l);
	l = make((struct latency_scale){ .range = 10, .max = 10000 });
	assert_int_equal(histogram_rows(&l.rows), 1001);
	latency_done(&l);
}

static void sums_are_those_of_all(void **state)
{
	struct latency l = make((struct latency_scale){ 0 });

	(void)state;
	latency_add(&l, 3000);
	latency_add(&l, 1000);
	latency_add(&l, 8000);
	assert_int_equal(l.sums.count, 3);
	assert_int_equal(l.sums.total_ns, 12000);
	assert_int_equal(l.sums.min_ns, 1000);
	assert_int_equal(l.sums.max_ns, 8000);
	latency_done(&l);
}

static void rows_that_make_no_sense_are_refused(void **state)
{
	(void)state;
	assert_refused((struct latency_scale){ .min = 1 },
		       "--min-latency works only with --bucket-range");
	assert_refused((struct latency_scale){ .max = 1 },
		       "--max-latency works only with --bucket-range");
	assert_refused((struct latency_scale){ .range = 10, .max = 10 },
		       "--max-latency must be larger than --min-latency + --bucket-range");
	assert_refused((struct latency_scale){ .range = UINT64_MAX },
		       "a row would begin in a century: choose less");
	assert_refused((struct latency_scale){ .range = 1, .max = 10000000 },
		       "--max-latency makes more than 100000 rows: choose a larger --bucket-range");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(powers_of_two_hold_what_they_say),
		cmocka_unit_test(a_range_begins_at_the_minimum_and_ends_at_the_maximum),
		cmocka_unit_test(sums_are_those_of_all),
		cmocka_unit_test(rows_that_make_no_sense_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
