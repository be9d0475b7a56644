/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/kwork/items-model.h"
#include "tools/kwork/table-view.h"
#include "view/printed.h"

#define RULE                                                                                       \
	" ----------------------------------------------------------------"                        \
	"----------------------------------------------------------------\n"

static const struct kwork_item item = { .class = KWORK_SOFTIRQ,
					.cpu = 1,
					.id = 4,
					.name = (char *)"BLOCK",
					.count = 3,
					.sum_ns = 2991400,
					.max_ns = 19000,
					.max_begin = UINT64_C(37053754897999),
					.max_end = UINT64_C(37053754916000) };
static const struct kwork_item *const rows[] = { &item };

static void run_times_stand_above_their_totals(void **state)
{
	struct printed p;

	(void)state;
	printed_open(&p);
	kwork_runtimes_print(p.out, rows, 1,
			     &(struct kwork_table_end){ .with_totals = true,
							.count = 3,
							.sum_ns = 2991400,
							.time_ns = 100000000,
							.records = 1000,
							.lost_events = 12,
							.lost_records = 2,
							.skipped_begins = 3,
							.skipped_ends = 1 });
	assert_printed(&p,
		       "\n  Kwork Name                     | Cpu  | Total Runtime | Count     |"
		       " Max runtime   | Max runtime start   | Max runtime end     |\n" RULE
		       "  (s)BLOCK:4                     | 0001 |      2.991 ms |         3 |"
		       "      0.019 ms |      37053.754897 s |      37053.754916 s |\n" RULE
		       "  Total count            :         3\n"
		       "  Total runtime   (msec) :     2.991 (0.030% load average)\n"
		       "  Total time span (msec) :   100.000\n" RULE
		       "  INFO: 1.200% lost events (12 out of 1000, in 2 chunks)\n"
		       "  INFO: 0.400% skipped events (4 including 0 raise, 3 entry, 1 exit)\n\n");
}

static void delays_are_averages(void **state)
{
	struct printed p;

	(void)state;
	printed_open(&p);
	kwork_delays_print(p.out, rows, 1, &(struct kwork_table_end){ .records = 5 });
	assert_printed(&p,
		       "\n  Kwork Name                     | Cpu  | Avg delay     | Count     |"
		       " Max delay     | Max delay start     | Max delay end       |\n" RULE
		       "  (s)BLOCK:4                     | 0001 |      0.997 ms |         3 |"
		       "      0.019 ms |      37053.754897 s |      37053.754916 s |\n" RULE "\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(run_times_stand_above_their_totals),
		cmocka_unit_test(delays_are_averages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
