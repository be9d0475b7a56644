/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/lock/report-view.h"
#include "view/printed.h"

static const struct lock_columns acquired = { .items = { LOCK_FIELD_ACQUIRED }, .n = 1 };

static void names_that_do_not_fit_are_cut(void **state)
{
	const struct lock_row rows[] = {
		{ .acquired = 3, .name = "1234567890123456789" },
		{ .acquired = 0, .name = "never" },
		{ .acquired = 2, .name = "12345678901234567890" },
		{ .acquired = 1, .name = "\x1b[31m" },
	};
	const struct lock_report_view v = { .columns = acquired, .entries = 9 };
	struct printed p;

	(void)state;
	printed_open(&p);
	lock_report_print(p.out, &v, rows, 4, &(struct lock_failures){ 0 });
	assert_printed(&p, "                Name   acquired \n\n"
			   " 1234567890123456789          3 \n"
			   " 1234567890123456...          2 \n"
			   "            \\x1b[31m          1 \n");
}

static void the_trailer_is_about_what_is_shown(void **state)
{
	const struct lock_row rows[] = { { .acquired = 2, .name = "a" },
					 { .acquired = 1, .name = "b", .is_broken = true } };
	const struct lock_report_view v = { .columns = acquired, .entries = 1 };
	struct printed p;

	(void)state;
	printed_open(&p);
	lock_report_print(p.out, &v, rows, 2, &(struct lock_failures){ .acquire = 1 });
	assert_printed(&p, "                Name   acquired \n\n"
			   "                   a          2 \n\n"
			   "=== output for debug===\n\n"
			   "bad: 0, total: 1\n"
			   "bad rate: 0.00 %\n"
			   "histogram of events caused bad sequence\n"
			   "    acquire: 1\n"
			   "   acquired: 0\n"
			   "  contended: 0\n"
			   "    release: 0\n");
}

static const char *comm(void *arg, uint32_t tid)
{
	(void)arg;
	return tid == 1 ? "one" : NULL;
}

static void lists_have_a_line_for_each(void **state)
{
	const struct lock_names names = { .comm = comm };
	const struct lock_row rows[] = { { .addr = 0, .name = "" },
					 { .addr = 0xabc, .name = "lock\n" } };
	struct printed p;

	(void)state;
	printed_open(&p);
	lock_info_print_threads(p.out, (const uint32_t[]){ 1, 22 }, 2, &names);
	lock_info_print_map(p.out, rows, 2);
	assert_printed(&p, " Thread ID: comm\n"
			   "         1: one\n"
			   "        22: \n"
			   "Address of instance: name of class\n"
			   " 0: \n"
			   " 0xabc: lock\\n\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_that_do_not_fit_are_cut),
		cmocka_unit_test(the_trailer_is_about_what_is_shown),
		cmocka_unit_test(lists_have_a_line_for_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
