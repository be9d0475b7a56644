/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tools/top/top-view.h"
#include "view/report/table.h"

/* Returns the page without rows. The caller frees it. */
static char *printed_with(struct top_head head, const char *code)
{
	const struct report_view rows = { .form.quiet = true };
	const struct top_page page = { .head = head, .rows = &rows, .code = code, .width = 10 };
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	assert_int_equal(top_page_print(out, &page), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

static char *printed(struct top_head head)
{
	return printed_with(head, NULL);
}

static void the_head_is_that_of_linux(void **state)
{
	_cleanup_(freep) char *text = printed((struct top_head){
		.rate = 8185,
		.kernel_percent = 38.6,
		.new_lost = 1,
		.lost = 2,
		.new_dropped = 3,
		.dropped = 4,
		.event = "cpu-clock:pppH",
		.frequency = 4000,
		.target = "all, 2 CPUs",
	});

	(void)state;
	assert_string_equal(text,
			    "   PerfTop:    8185 irqs/sec  kernel:38.6%  exact:  0.0% lost: 1/2 "
			    "drop: 3/4 [4000Hz cpu-clock:pppH],  (all, 2 CPUs)\n---------\n\n");
}

static void periods_have_no_unit_and_names_do_not_act_on_the_terminal(void **state)
{
	_cleanup_(freep) char *text = printed(
		(struct top_head){ .event = "a\033[31m", .period = 1, .target = "target_pid: 1" });

	(void)state;
	assert_non_null(strstr(text, "[1 a"));
	assert_null(strchr(text, '\033'));
}

static void code_takes_the_place_of_rows(void **state)
{
	_cleanup_(freep) char *text = printed_with(
		(struct top_head){ .event = "a", .target = "all" }, "Showing a for f\n1\n");

	(void)state;
	assert_non_null(strstr(text, "---------\nShowing a for f\n1\n"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_head_is_that_of_linux),
		cmocka_unit_test(periods_have_no_unit_and_names_do_not_act_on_the_terminal),
		cmocka_unit_test(code_takes_the_place_of_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
