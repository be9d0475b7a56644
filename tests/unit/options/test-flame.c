/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include "options/flame.h"

static void events_weights_and_roots_are_chosen(void **state)
{
	(void)state;
	struct flame_choice c = { 0 };

	assert_int_equal(PARSE(flame_options, &c, "-e", "kmem:kmalloc", "--weight=bytes_req",
			       "--root", "cgroup,thread"),
			 0);
	assert_string_equal(c.event, "kmem:kmalloc");
	assert_string_equal(c.weight, "bytes_req");
	assert_true(c.has_roots);
	assert_int_equal(c.roots.n, 2);
	assert_int_equal(c.roots.items[1], FLAME_ROOT_THREAD);
}

static void the_default_can_be_had_again(void **state)
{
	(void)state;
	struct flame_choice c = { 0 };

	assert_int_equal(PARSE(flame_options, &c, "--root", "cpu", "--no-root"), 0);
	assert_false(c.has_roots);
}

static void unknown_roots_are_refused(void **state)
{
	(void)state;
	struct flame_choice c = { 0 };

	assert_true(PARSE(flame_options, &c, "--root", "node") < 0);
	assert_false(c.has_roots);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_weights_and_roots_are_chosen),
		cmocka_unit_test(the_default_can_be_had_again),
		cmocka_unit_test(unknown_roots_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
