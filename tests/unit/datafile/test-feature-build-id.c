/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "feature-round.h"

static const struct build_id_entry vdso = {
	.misc = 0x8002,
	.pid = -1,
	.build_id = { .bytes = { 1, 2, 3 }, .size = 20 },
	.filename = "[vdso]",
};

static void entries_have_the_size_that_perf_gives_them(void **state)
{
	(void)state;
	struct build_id_entry e = vdso;
	struct features f = { .build_ids = { &e, 1, 0 } }, g = { 0 };
	struct bytes b = { 0 };

	features_encode(&f, FEATURE_BUILD_ID, &b);
	assert_int_equal(b.n, 100);
	bytes_done(&b);
	feature_round_trip(&f, FEATURE_BUILD_ID, &g);
	assert_string_equal(g.build_ids.items[0].filename, "[vdso]");
	assert_int_equal(g.build_ids.items[0].pid, -1);
	features_done(&g);
}

static void an_entry_may_say_which_file_of_that_name_it_is_of(void **state)
{
	(void)state;
	struct build_id_entry two[] = { vdso, vdso };
	struct features f = { .build_ids = { two, 2, 0 } }, g = { 0 };

	two[1].file = (struct file_id){ 8, 1, 6, 7 };
	feature_round_trip(&f, FEATURE_BUILD_ID, &g);
	assert_int_equal(g.build_ids.n, 2);
	assert_int_equal(g.build_ids.items[0].file.ino, 0);
	assert_string_equal(g.build_ids.items[1].filename, "[vdso]");
	assert_memory_equal(&g.build_ids.items[1].file, &two[1].file, sizeof(two[1].file));
	features_done(&g);
}

static void entries_before_damage_are_kept(void **state)
{
	(void)state;
	struct build_id_entry two[] = { vdso, vdso };
	struct features f = { .build_ids = { two, 2, 0 } }, g = { 0 };
	struct bytes b = { 0 };

	features_encode(&f, FEATURE_BUILD_ID, &b);
	assert_int_equal(features_decode(&g, FEATURE_BUILD_ID, cursor_over(b.data, b.n - 1, false)),
			 0);
	assert_int_equal(g.build_ids.n, 1);
	features_done(&g);
	assert_int_not_equal(features_decode(&g, FEATURE_BUILD_ID, cursor_over(b.data, 99, false)),
			     0);
	bytes_done(&b);
}

static void without_the_flag_an_id_has_twenty_bytes(void **state)
{
	(void)state;
	struct build_id_entry e = vdso;
	struct features f = { .build_ids = { &e, 1, 0 } }, g = { 0 };
	struct bytes b = { 0 };

	e.misc = 2;
	e.build_id.size = 0;
	features_encode(&f, FEATURE_BUILD_ID, &b);
	assert_int_equal(features_decode(&g, FEATURE_BUILD_ID, cursor_over(b.data, b.n, false)), 0);
	assert_int_equal(g.build_ids.items[0].build_id.size, 20);
	features_done(&g);
	bytes_done(&b);
}

static void very_old_entries_have_no_pid(void **state)
{
	(void)state;
	struct features g = { 0 };
	struct bytes b = { 0 };

	bytes_u32(&b, 0);
	bytes_u16(&b, 1);
	bytes_u16(&b, 8 + 24 + 24);
	bytes_zero(&b, 24);
	bytes_string(&b, "[kernel.kallsyms]", 24);
	assert_int_equal(features_decode(&g, FEATURE_BUILD_ID, cursor_over(b.data, b.n, false)), 0);
	assert_string_equal(g.build_ids.items[0].filename, "[kernel.kallsyms]");
	features_done(&g);
	bytes_done(&b);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_have_the_size_that_perf_gives_them),
		cmocka_unit_test(an_entry_may_say_which_file_of_that_name_it_is_of),
		cmocka_unit_test(entries_before_damage_are_kept),
		cmocka_unit_test(without_the_flag_an_id_has_twenty_bytes),
		cmocka_unit_test(very_old_entries_have_no_pid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
