/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/name-list.h"
#include "kernel/fake-tree.h"
#include "tools/ftrace/explain-work.h"

static void names_are_the_first_words(void **state)
{
	struct name_list l = { 0 };

	(void)state;
	ftrace_functions_parse("schedule\nloop_probe [loop]\n\n \nvfs_read", NULL, &l);
	assert_int_equal(l.n, 3);
	assert_string_equal(l.items[1], "loop_probe");
	assert_string_equal(l.items[2], "vfs_read");
	name_list_done(&l);
}

static void a_name_of_any_length_does_no_harm(void **state)
{
	char text[2000];
	struct name_list l = { 0 };

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	ftrace_functions_parse(text, NULL, &l);
	assert_int_equal(l.n, 0);
}

static void a_filter_chooses(void **state)
{
	struct name_list l = { 0 };
	struct diag diag = { 0 };

	fake_file(*state, "available_filter_functions", "do_nanosleep\nvfs_read\nmsleep\n");
	assert_int_equal(ftrace_functions_list(*state, "*sleep & !do_*", &l, &diag), 0);
	assert_int_equal(l.n, 1);
	assert_string_equal(l.items[0], "msleep");
	name_list_done(&l);
}

static void a_kernel_without_the_list_is_named(void **state)
{
	struct name_list l = { 0 };
	struct diag diag = { 0 };

	assert_int_equal(ftrace_functions_list(*state, NULL, &l, &diag), -EOPNOTSUPP);
	assert_non_null(strstr(diag.message, "CONFIG_DYNAMIC_FTRACE"));
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_the_first_words),
		cmocka_unit_test(a_name_of_any_length_does_no_harm),
		cmocka_unit_test_setup_teardown(a_filter_chooses, fake_tree_open, fake_tree_close),
		cmocka_unit_test_setup_teardown(a_kernel_without_the_list_is_named, fake_tree_open,
						fake_tree_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
