/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "printed.h"
#include "view/report/title.h"

static void assert_title(struct report_title t, const char *wanted)
{
	struct printed p;

	printed_open(&p);
	report_title_print(&t, p.out);
	assert_printed(&p, wanted);
}

static void assert_head(struct report_head h, const char *wanted)
{
	struct printed p;

	printed_open(&p);
	report_head_print(&h, p.out);
	assert_printed(&p, wanted);
}

static void assert_short(uint64_t n, uint64_t wanted, char unit)
{
	char u;

	assert_int_equal(report_number_shorten(n, &u), wanted);
	assert_int_equal(u, unit);
}

static void numbers_are_shortened_beyond_a_thousand(void **state)
{
	(void)state;
	assert_short(0, 0, ' ');
	assert_short(1000, 1000, ' ');
	assert_short(1001, 1, 'K');
	assert_short(22999, 22, 'K');
	assert_short(1000000, 1000, 'K');
	assert_short(1048576, 1, 'M');
	assert_short(UINT64_MAX, 18, 'E');
}

static void an_event_has_its_samples_and_their_period(void **state)
{
	static const char *const name[] = { "cpu-clock\n" };

	(void)state;
	assert_title((struct report_title){ .events = name,
					    .n_events = 1,
					    .samples = 88,
					    .period = 22000000,
					    .socket = -1 },
		     "# Samples: 88  of event 'cpu-clock\\n'\n"
		     "# Event count (approx.): 22000000\n"
		     "#\n");
}

static void groups_name_their_members(void **state)
{
	static const char *const names[] = { "cycles", "cache-misses" };
	struct report_title t = { .events = names, .n_events = 2, .samples = 9876, .socket = -1 };

	(void)state;
	assert_title(t, "# Samples: 9K of events 'cycles, cache-misses'\n"
			"# Event count (approx.): 0\n"
			"#\n");
	t.is_group = true;
	assert_title(t, "# Samples: 9K of events 'anon group { cycles, cache-misses }'\n"
			"# Event count (approx.): 0\n"
			"#\n");
	t.group_name = "{anon_group}";
	assert_title(t, "# Samples: 9K of events 'anon group { cycles, cache-misses }'\n"
			"# Event count (approx.): 0\n"
			"#\n");
	t.n_events = 1;
	assert_title(t, "# Samples: 9K of events 'cycles'\n"
			"# Event count (approx.): 0\n"
			"#\n");
	t.n_events = 2;
	t.group_name = "mine";
	assert_title(t, "# Samples: 9K of events 'mine { cycles, cache-misses }'\n"
			"# Event count (approx.): 0\n"
			"#\n");
}

static void what_limits_the_samples_is_told(void **state)
{
	static const char *const name[] = { "x" };

	(void)state;
	assert_title((struct report_title){ .events = name,
					    .n_events = 1,
					    .time_slices = "0%-10%",
					    .borrows_stacks = true,
					    .socket = 0 },
		     "# Samples: 0  of event 'x' (time slices: 0%-10%), show reference callgraph\n"
		     "# Event count (approx.): 0\n"
		     "# Processor Socket: 0\n"
		     "#\n");
}

static void memory_accesses_weigh(void **state)
{
	static const char *const name[] = { "mem-loads" };

	(void)state;
	assert_title((struct report_title){ .events = name,
					    .n_events = 1,
					    .samples = 5,
					    .period = 50,
					    .sort_order = "local_weight,mem",
					    .socket = -1 },
		     "# Samples: 5  of event 'mem-loads'\n"
		     "# Total weight : 50\n"
		     "# Sort order   : local_weight,mem\n"
		     "#\n");
}

static void superfluous_columns_become_lines(void **state)
{
	(void)state;
	assert_head((struct report_head){ .comm = "sh", .symbol = "main", .lost_samples = 16 },
		    "# comm: sh\n# symbol: main\n#\n# Total Lost Samples: 16\n#\n");
	assert_head((struct report_head){ .dso = "libc.so.6", .quiet = true },
		    "# dso: libc.so.6\n");
	assert_head((struct report_head){ .quiet = true }, "");
}

static void a_report_ends_with_a_tip(void **state)
{
	struct printed p;

	(void)state;
	printed_open(&p);
	report_tip_print(7, 0, p.out);
	assert_int_equal(fclose(p.out), 0);
	assert_int_equal(strncmp(p.text, "#\n# (Tip: ", 10), 0);
	assert_string_equal(p.text + strlen(p.text) - 4, ")\n#\n");
	free(p.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_shortened_beyond_a_thousand),
		cmocka_unit_test(an_event_has_its_samples_and_their_period),
		cmocka_unit_test(groups_name_their_members),
		cmocka_unit_test(what_limits_the_samples_is_told),
		cmocka_unit_test(memory_accesses_weigh),
		cmocka_unit_test(superfluous_columns_become_lines),
		cmocka_unit_test(a_report_ends_with_a_tip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
