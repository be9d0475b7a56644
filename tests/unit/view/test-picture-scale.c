/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "view/picture/scale.h"

static void places_and_values_are_the_two_ways(void **state)
{
	const struct scale linear = { .low = 10, .high = 20, .from = 100, .to = 0 };
	const struct scale log = { .low = 1, .high = 1000, .from = 0, .to = 300, .is_log = true };

	(void)state;
	assert_float_equal(scale_place(&linear, 15), 50, 1e-9);
	assert_float_equal(scale_value(&linear, 50), 15, 1e-9);
	assert_float_equal(scale_place(&log, 10), 100, 1e-9);
	assert_float_equal(scale_value(&log, 200), 100, 1e-6);
}

static void what_is_outside_lies_at_the_nearer_end(void **state)
{
	const struct scale s = { .low = 10, .high = 20, .from = 0, .to = 100 };
	const struct scale log = { .low = 1, .high = 10, .from = 0, .to = 100, .is_log = true };
	const struct scale point = { .low = 5, .high = 5, .from = 7, .to = 100 };

	(void)state;
	assert_float_equal(scale_place(&s, -1e300), 0, 1e-9);
	assert_float_equal(scale_place(&s, 1e300), 100, 1e-9);
	assert_float_equal(scale_place(&log, -3), 0, 1e-9);
	assert_float_equal(scale_place(&point, 5), 7, 1e-9);
}

static void assert_ticks(struct scale s, size_t wanted, const char *labels)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct scale_ticks ticks = scale_ticks(&s, wanted);

	for (size_t i = 0; i < ticks.n; i++) {
		if (i)
			text_add(&t, ", ");
		scale_label(&t, s.unit, ticks.values[i]);
	}
	assert_string_equal(t.chars, labels);
}

static void ticks_are_round(void **state)
{
	(void)state;
	assert_ticks((struct scale){ .low = 0, .high = 47 }, 5, "0, 10, 20, 30, 40");
	assert_ticks((struct scale){ .low = 0.31, .high = 1.2 }, 5, "0.4, 0.6, 0.8, 1, 1.2");
	assert_ticks((struct scale){ .low = 0, .high = 5e7, .unit = SCALE_TIME }, 5,
		     "0, 10 ms, 20 ms, 30 ms, 40 ms, 50 ms");
	assert_ticks((struct scale){ .low = 0, .high = 20000, .unit = SCALE_BYTES }, 5,
		     "0, 4 KiB, 8 KiB, 12 KiB, 16 KiB");
	assert_ticks((struct scale){ .low = 0, .high = 100, .unit = SCALE_PERCENT }, 4,
		     "0%, 50%, 100%");
	assert_ticks((struct scale){ .low = 1000, .high = 2e9, .unit = SCALE_TIME, .is_log = true },
		     8, "1 \xc2\xb5s, 10 \xc2\xb5s, 100 \xc2\xb5s, 1 ms, 10 ms, 100 ms, 1 s");
	assert_ticks((struct scale){ .low = 1, .high = 100, .is_log = true }, 8,
		     "1, 2, 5, 10, 20, 50, 100");
	assert_ticks(
		(struct scale){ .low = 512, .high = 65536, .unit = SCALE_BYTES, .is_log = true }, 4,
		"512 B, 2 KiB, 8 KiB, 32 KiB");
}

static void absurd_scales_have_no_ticks(void **state)
{
	(void)state;
	assert_ticks((struct scale){ .low = 5, .high = 5 }, 5, "");
	assert_ticks((struct scale){ .low = 5, .high = 0.0 / 0.0 }, 5, "");
	assert_ticks((struct scale){ .low = 0, .high = 10, .is_log = true }, 5, "");
	assert_ticks((struct scale){ .low = 0, .high = 10 }, 0, "");
	/* Steps that are too small for a double must end, too. */
	assert_true(scale_ticks(&(struct scale){ .low = 1e18, .high = 1e18 + 128 }, 5).n <=
		    SCALE_TICKS_MAX);
}

static void assert_label(enum scale_unit unit, double value, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	scale_label(&t, unit, value);
	assert_string_equal(t.chars, expected);
}

static void labels_have_few_digits(void **state)
{
	(void)state;
	assert_label(SCALE_NUMBER, 0, "0");
	assert_label(SCALE_NUMBER, 12500000, "12.5M");
	assert_label(SCALE_NUMBER, -1234, "-1.234K");
	assert_label(SCALE_NUMBER, 0.05, "0.05");
	assert_label(SCALE_TIME, 1.5e6, "1.5 ms");
	assert_label(SCALE_TIME, 86400e9, "86400 s");
	assert_label(SCALE_TIME, 0.1 + 0.2 + 999.7, "1 \xc2\xb5s");
	assert_label(SCALE_BYTES, 65536, "64 KiB");
	assert_label(SCALE_PERCENT, 12.345, "12.35%");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_and_values_are_the_two_ways),
		cmocka_unit_test(what_is_outside_lies_at_the_nearer_end),
		cmocka_unit_test(ticks_are_round),
		cmocka_unit_test(absurd_scales_have_no_ticks),
		cmocka_unit_test(labels_have_few_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
