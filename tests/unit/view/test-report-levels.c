/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "printed.h"
#include "report-sample.h"

static void assert_report(const struct report_sample *s, const char *wanted)
{
	struct printed p;

	printed_open(&p);
	assert_int_equal(report_print(p.out, &s->view), 0);
	assert_printed(&p, wanted);
}

static void sample_levels(struct report_sample *s)
{
	sample_apart(s);
	s->plan = example_hierarchy_plan();
	s->view.n_blocks = 1;
}

static void rows_stand_below_those_they_are_part_of(void **state)
{
	struct report_sample s;

	(void)state;
	sample_levels(&s);
	assert_report(&s, "# Samples: 99  of event 'cycles'\n"
			  "# Event count (approx.): 1000\n"
			  "#\n"
			  "#    Overhead       Samples  Who / What\n"
			  "# .........................  ................\n"
			  "#\n"
			  "    99.60%            99     sh\n"
			  "       60.00%            60     [k] copy_page\n"
			  "       39.60%            39     [.] main\n"
			  "     0.40%             0     longer\n"
			  "        0.40%             0     [.] f,g\n"
			  "\n"
			  "\n");
	sample_done(&s);
}

static void a_level_without_a_row_says_so(void **state)
{
	struct report_sample s;

	(void)state;
	sample_levels(&s);
	s.view.form.quiet = true;
	example_options.rq.percent_limit = 70;
	assert_report(&s, "    99.60%            99     sh\n"
			  "                                no entry >= 70.00%\n"
			  "\n"
			  "\n");
	sample_done(&s);
}

static void a_separator_leaves_but_the_indentation(void **state)
{
	struct report_sample s;

	(void)state;
	sample_levels(&s);
	s.view.form.separator = ";";
	example_options.rq.percent_limit = 50;
	assert_report(&s, "# Samples: 99  of event 'cycles'\n"
			  "# Event count (approx.): 1000\n"
			  "#\n"
			  "# Overhead;     Samples;Who / What\n"
			  "# ........;............;................\n"
			  "#\n"
			  " 99.60% ; 99         ;sh\n"
			  "    60.00% ; 60         ;[k] copy_page\n"
			  "\n"
			  "\n");
	sample_done(&s);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_stand_below_those_they_are_part_of),
		cmocka_unit_test(a_level_without_a_row_says_so),
		cmocka_unit_test(a_separator_leaves_but_the_indentation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
