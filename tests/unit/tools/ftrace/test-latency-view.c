/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/diag.h"
#include "tools/ftrace/latency-model.h"
#include "tools/ftrace/latency-view.h"

static char *print(struct latency_scale scale, const uint64_t *durations, size_t n,
		   struct latency_layout layout)
{
	struct diag diag = { 0 };
	struct latency l;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(latency_init(&l, &scale, &diag), 0);
	for (size_t i = 0; i < n; i++)
		latency_add(&l, durations[i]);
	latency_print(out, &l, &layout);
	fclose(out);
	latency_done(&l);
	return text;
}

static void powers_are_in_the_columns_of_6_1(void **state)
{
	char *text = print((struct latency_scale){ 0 }, (uint64_t[]){ 100571000, 500, 2000000000 },
			   3, (struct latency_layout){ .hides_empty = true });

	(void)state;
	assert_string_equal(text, "#   DURATION     |      COUNT | GRAPH                           "
				  "               |\n"
				  "     0 - 1    us |          1 | ###############                 "
				  "               |\n"
				  "    64 - 128  ms |          1 | ###############                 "
				  "               |\n"
				  "     1 - ...   s |          1 | ###############                 "
				  "               |\n");
	free(text);
}

static void new_columns_come_with_statistics(void **state)
{
	char *text = print((struct latency_scale){ 0 }, (uint64_t[]){ 100571000, 2000000000 }, 2,
			   (struct latency_layout){ true, true, true });

	(void)state;
	assert_string_equal(text, "#   DURATION     |      COUNT | GRAPH                           "
				  "               |\n"
				  "    64 -  128 ms |          1 | #######################         "
				  "               |\n"
				  "     1 - ...  s  |          1 | #######################         "
				  "               |\n"
				  "\n# statistics  (in usec)\n"
				  "  total time:              2100571\n"
				  "    avg time:              1050285\n"
				  "    max time:              2000000\n"
				  "    min time:               100571\n"
				  "       count:                    2\n");
	free(text);
}

static void ranges_are_in_the_larger_unit_from_1000_on(void **state)
{
	char *text = print((struct latency_scale){ .range = 500, .max = 1500 },
			   (uint64_t[]){ 1, 700000, 1200000, 9000000 }, 4,
			   (struct latency_layout){ .is_new = true });

	(void)state;
	assert_string_equal(text, "#   DURATION     |      COUNT | GRAPH                           "
				  "               |\n"
				  "     0 -  500 us |          1 | ###########                     "
				  "               |\n"
				  "   500 - 1000 us |          1 | ###########                     "
				  "               |\n"
				  "  1.00 - 1.50 ms |          1 | ###########                     "
				  "               |\n"
				  "  1.50 - ...  ms |          1 | ###########                     "
				  "               |\n");
	free(text);
}

static void a_small_last_row_keeps_its_unit(void **state)
{
	char *text = print((struct latency_scale){ .range = 10, .max = 20, .uses_nsec = true },
			   (uint64_t[]){ 25 }, 1,
			   (struct latency_layout){ .is_new = true, .hides_empty = true });

	(void)state;
	assert_string_equal(text, "#   DURATION     |      COUNT | GRAPH                           "
				  "               |\n"
				  "    20 -  ... ns |          1 | ################################"
				  "############## |\n");
	free(text);
}

static void nothing_is_a_sentence(void **state)
{
	char *text = print((struct latency_scale){ 0 }, NULL, 0, (struct latency_layout){ 0 });

	(void)state;
	assert_string_equal(text, "No data found\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(powers_are_in_the_columns_of_6_1),
		cmocka_unit_test(new_columns_come_with_statistics),
		cmocka_unit_test(ranges_are_in_the_larger_unit_from_1000_on),
		cmocka_unit_test(a_small_last_row_keeps_its_unit),
		cmocka_unit_test(nothing_is_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
