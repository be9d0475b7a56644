/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "tools/iostat/iostat-view.h"

static const struct iostat_line line = { .port = "0000:17",
					 .is_counted = { true, true, false, true },
					 .mb = { 352552.4, 43, 0, 21 } };

static void a_table_has_titles_and_a_time(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	iostat_add_table(&t, &(struct iostat_head){ .elapsed_s = 197.081983474 }, &line, 1);
	assert_string_equal(t.chars, "\n Performance counter stats for 'system wide':\n\n"
				     "   port             Inbound Read(MB)    Inbound Write(MB)"
				     "    Outbound Read(MB)   Outbound Write(MB)\n"
				     "0000:17               352552                   43"
				     "        <not counted>                   21\n"
				     "\n     197.081983474 seconds time elapsed\n\n");
}

static void tables_of_intervals_begin_with_their_time(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	iostat_add_table(&t, &(struct iostat_head){ .interval = true, .time_ns = 2000000000 },
			 &line, 1);
	assert_string_equal(t.chars, "    2.000000000 0000:17               352552"
				     "                   43        <not counted>"
				     "                   21\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_has_titles_and_a_time),
		cmocka_unit_test(tables_of_intervals_begin_with_their_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
