/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "profile/annotation.h"
#include "profile/type-weights.h"
#include "symbol/symbol.h"

static void an_instruction_counts_once_for_each_event(void **state)
{
	static const struct symbol sym = { .start = 0x10, .end = 0x20, .name = "f" };
	_cleanup_(access_types_freep) struct access_types *types = access_types_new();
	const struct weight weights[] = {
		{ .samples = 5 }, { .samples = 0 }, { .samples = 1 }, { .samples = 1 }
	};
	const uint64_t addrs[] = { 0x10, 0x14 };
	struct annotated_function f = { .sym = &sym, .n = 2, .addrs = addrs, .weights = weights };
	struct annotated_functions all = { .items = &f, .n = 1, .n_events = 2 };
	struct type_stats s = { .followed = 0 };

	(void)state;
	type_stats_add(&s, &all, types, NULL);
	type_stats_settle(&s);
	assert_int_equal(type_stats_total(&s), 3);
	assert_int_equal(type_stats_good(&s), 0);
	assert_int_equal(s.by_status[ACCESS_NO_SYMBOL], 3);
	type_stats_done(&s);
}

static void the_most_frequent_stand_first_in_the_order_of_the_code(void **state)
{
	struct type_stats s = { .followed = 0 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct type_stat_instruction *in = ARRAY_ADD(&s.instructions);

		in->name = xasprintf("%c", (char)('a' + i));
		in->good = i == 2 ? 7 : 3;
	}
	type_stats_settle(&s);
	assert_string_equal(s.instructions.items[0].name, "c");
	assert_string_equal(s.instructions.items[1].name, "a");
	assert_string_equal(s.instructions.items[2].name, "b");
	type_stats_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_instruction_counts_once_for_each_event),
		cmocka_unit_test(the_most_frequent_stand_first_in_the_order_of_the_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
