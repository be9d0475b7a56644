/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "pairs/pair-presets.h"

static void presets_are_found_by_name(void **state)
{
	(void)state;
	assert_string_equal(pair_preset_find("block")->name, "block");
	assert_string_equal(pair_preset_find("runq")->name, "sched");
	assert_null(pair_preset_find("nothing"));
	assert_null(pair_preset_find(""));
}

static size_t count(const char *text, char c)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == c;
	return n;
}

static void every_preset_begins_and_ends_with_the_same_number_of_keys(void **state)
{
	size_t n;
	const struct pair_preset *all = pair_presets(&n);

	(void)state;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < all[i].n_specs; j++) {
			const struct pair_spec *spec = &all[i].specs[j];
			unsigned roles = 0;

			for (size_t k = 0; k < spec->n_rules; k++) {
				roles |= 1u << spec->rules[k].role;
				assert_int_equal(count(spec->rules[k].keys, ','),
						 count(spec->rules[0].keys, ','));
			}
			assert_true(roles & (1u << PAIR_BEGIN));
			assert_true(roles & (1u << PAIR_END));
			assert_true(spec->n_compared <= count(spec->rules[0].keys, ','));
		}
}

static void the_command_line_to_record_names_the_events(void **state)
{
	size_t n;
	const struct pair_preset *all = pair_presets(&n);

	(void)state;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < all[i].specs[0].n_rules; k++)
			assert_non_null(strstr(all[i].record, all[i].specs[0].rules[k].event));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(presets_are_found_by_name),
		cmocka_unit_test(every_preset_begins_and_ends_with_the_same_number_of_keys),
		cmocka_unit_test(the_command_line_to_record_names_the_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
