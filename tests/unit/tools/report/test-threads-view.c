/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "session/session.h"
#include "tools/report/thread-counts-model.h"
#include "tools/report/threads-view.h"
#include "view/printed.h"

static const struct session_event faults = { .index = 1, .name = (char *)"page-faults" };
static const struct session_event clock = { .index = 0, .name = (char *)"clk" };

/* Fills in two threads; the second has no count of the second event. */
static void fill(struct thread_counts *t, uint64_t values[3])
{
	static const struct session_event *columns[] = { &faults, &clock };
	static struct thread_count rows[] = { { 10, 10 }, { 10, 12345 } };

	*t = (struct thread_counts){ .columns = { .items = columns, .n = 2 },
				     .rows = { .items = rows, .n = 2 } };
	u64_map_put(&t->cells, 0, &values[0]);
	u64_map_put(&t->cells, 1, &values[1]);
	u64_map_put(&t->cells, (uint64_t)1 << 32, &values[2]);
}

static void assert_table(bool raw, const char *wanted)
{
	uint64_t values[3] = { 85, 744846, 2 };
	struct thread_counts t;
	struct printed p;

	fill(&t, values);
	printed_open(&p);
	report_threads_print(&t, raw, p.out);
	assert_printed(&p, wanted);
	u64_map_done(&t.cells);
}

static void columns_are_as_wide_as_their_widest_cell(void **state)
{
	(void)state;
	assert_table(false, "# PID    TID  page-faults     clk\n"
			    "   10     10           85  744846\n"
			    "   10  12345            2       0\n");
}

static void raw_has_a_line_for_each_thread_and_event(void **state)
{
	(void)state;
	assert_table(true, "# PID    TID         Name  Raw   Count\n"
			   "   10     10  page-faults    1      85\n"
			   "   10     10          clk    0  744846\n"
			   "   10  12345  page-faults    1       2\n"
			   "   10  12345          clk    0       0\n");
}

static void without_counts_there_is_a_title(void **state)
{
	struct thread_counts none = { 0 };
	struct printed p;

	(void)state;
	printed_open(&p);
	report_threads_print(&none, false, p.out);
	report_threads_print(&none, true, p.out);
	assert_printed(&p, "# PID  TID\n# PID  TID  Name  Raw  Count\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_as_wide_as_their_widest_cell),
		cmocka_unit_test(raw_has_a_line_for_each_thread_and_event),
		cmocka_unit_test(without_counts_there_is_a_title),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
