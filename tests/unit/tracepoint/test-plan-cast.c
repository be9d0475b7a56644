/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "plan-text.h"

static void casts_cut_and_extend(void **state)
{
	(void)state;
	assert_text("`%d %d %d %lx %lx`, (unsigned char)REC->i, (u8)REC->i, (short)REC->u, "
		    "(int)REC->ul, (unsigned int)REC->ul",
		    "251 251 -16 ffffffffbeefcafe beefcafe");
	assert_text(
		"`%lx %lx %lx %ld`, (unsigned long)REC->i, (u16)REC->ul, (s32)REC->u, (s64)REC->i",
		"fffffffffffffffb cafe fffffffffffffff0 -5");
	assert_text("`%lx`, (long unsigned int const)REC->u", "fffffff0");
}

static void types_that_are_not_known_change_nothing(void **state)
{
	(void)state;
	assert_text("`%lx %lx %lx`, (foo_t)REC->ul, (enum foo)REC->ul, (struct x *)REC->ul",
		    "deadbeefcafe deadbeefcafe deadbeefcafe");
}

static void a_bracketed_name_is_not_always_a_type(void **state)
{
	(void)state;
	assert_text("`%d %d`, (FOO) + 3, (FOO) - 3", "3 -3");
}

static void a_bool_is_one_or_nothing(void **state)
{
	(void)state;
	assert_text("`%d %d`, (bool)REC->b, (bool)0", "1 0");
}

static void pointers_say_what_an_array_is_made_of(void **state)
{
	(void)state;
	assert_text("`%d %d`, ((u16 *)REC->mac)[0], ((u8 *)REC->shorts)[2]", "21586 2");
	assert_text("`%lx`, ((void **)REC->ip6)[0]", "b80d0120");
}

static void sizes_are_those_of_types_and_fields(void **state)
{
	(void)state;
	assert_text("`%d %d %d %d %d`, sizeof(int), sizeof(u64), sizeof(unsigned long), "
		    "sizeof(void *), sizeof(struct page)",
		    "4 8 8 8 64");
	assert_text("`%d %d %d %d`, sizeof(REC->s), sizeof(REC->s) / sizeof(REC->s[0]), "
		    "sizeof(REC->h), (int)sizeof(int) * 2",
		    "8 8 2 8");
	assert_text("`%d`, __get_dynamic_array_len(words) / sizeof(u32)", "3");
}

static void sizes_that_are_not_known_are_refused(void **state)
{
	(void)state;
	assert_refused("`%d`, sizeof(struct foo)", "size of a type");
	assert_refused("`%d`, sizeof(__get_str(name))", "size of an expression");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(casts_cut_and_extend),
		cmocka_unit_test(types_that_are_not_known_change_nothing),
		cmocka_unit_test(a_bracketed_name_is_not_always_a_type),
		cmocka_unit_test(a_bool_is_one_or_nothing),
		cmocka_unit_test(pointers_say_what_an_array_is_made_of),
		cmocka_unit_test(sizes_are_those_of_types_and_fields),
		cmocka_unit_test(sizes_that_are_not_known_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
