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

static void each_event_has_a_block_with_widths_of_its_own(void **state)
{
	struct report_sample s;

	(void)state;
	sample_apart(&s);
	assert_report(&s, "# Samples: 99  of event 'cycles'\n"
			  "# Event count (approx.): 1000\n"
			  "#\n"
			  "# Overhead       Samples  Who     What         \n"
			  "# ........  ............  ......  .............\n"
			  "#\n"
			  "    60.00%            60  sh      [k] copy_page\n"
			  "    39.60%            39  sh      [.] main\n"
			  "     0.40%             0  longer  [.] f,g\n"
			  "\n"
			  "\n"
			  "# Samples: 4  of event 'faults'\n"
			  "# Event count (approx.): 40\n"
			  "#\n"
			  "# Overhead       Samples  Who  What    \n"
			  "# ........  ............  ...  ........\n"
			  "#\n"
			  "    75.00%             3  wc   [.] main\n"
			  "    25.00%             1  sh   [.] main\n"
			  "\n"
			  "\n");
	sample_done(&s);
}

static void quiet_reports_are_rows_alone(void **state)
{
	struct report_sample s;

	(void)state;
	sample_apart(&s);
	s.view.form.quiet = true;
	example_options.rq.percent_limit = 30;
	assert_report(&s, "    60.00%            60  sh      [k] copy_page\n"
			  "    39.60%            39  sh      [.] main\n"
			  "\n"
			  "\n"
			  "    75.00%             3  wc   [.] main\n"
			  "\n"
			  "\n");
	sample_done(&s);
}

static void a_separator_joins_columns_and_is_no_part_of_names(void **state)
{
	struct report_sample s;

	(void)state;
	sample_apart(&s);
	s.view.n_blocks = 1;
	s.view.form.separator = ",";
	assert_report(&s, "# Samples: 99  of event 'cycles'\n"
			  "# Event count (approx.): 1000\n"
			  "#\n"
			  "# Overhead,     Samples,Who   ,What         \n"
			  " 60.00% , 60         ,sh    ,[k] copy_page\n"
			  " 39.60% , 39         ,sh    ,[.] main\n"
			  " 0.40%  , 0          ,longer,[.] f.g\n"
			  "\n"
			  "\n");
	sample_done(&s);
}

static void members_of_a_group_stand_side_by_side(void **state)
{
	struct report_sample s;

	(void)state;
	sample_together(&s);
	s.view.form.quiet = true;
	assert_report(&s, "    60.00%   0.00%            60           0  sh      [k] copy_page\n"
			  "    39.60%  25.00%            39           1  sh      [.] main\n"
			  "     0.40%   0.00%             0           0  longer  [.] f,g\n"
			  "     0.00%  75.00%             0           3  wc      [.] main\n"
			  "\n"
			  "\n");
	sample_done(&s);
}

static void shares_have_colours_by_their_size(void **state)
{
	struct report_sample s;

	(void)state;
	sample_apart(&s);
	s.view.n_blocks = 1;
	s.view.form.quiet = s.view.form.colour = true;
	s.plan.columns.n = 1;
	assert_report(&s, "  \033[31m  60.00%\033[m\n"
			  "  \033[31m  39.60%\033[m\n"
			  "     0.40%\n"
			  "\n"
			  "\n");
	sample_done(&s);
}

static void widths_that_were_asked_for_cut_keys(void **state)
{
	struct report_sample s;

	(void)state;
	sample_apart(&s);
	s.view.n_blocks = 1;
	s.view.form.widths = "3,20,1,6";
	assert_report(&s, "# Samples: 99  of event 'cycles'\n"
			  "# Event count (approx.): 1000\n"
			  "#\n"
			  "# Overhead               Samples  W  What  \n"
			  "# ........  ....................  .  ......\n"
			  "#\n"
			  "   60.00%                     60  s  [k] co\n"
			  "   39.60%                     39  s  [.] ma\n"
			  "   0.40%                       0  l  [.] f,\n"
			  "\n"
			  "\n");
	sample_done(&s);
}

static void names_do_not_act_on_a_terminal(void **state)
{
	struct report_sample s;

	(void)state;
	sample_apart(&s);
	s.view.n_blocks = 1;
	s.view.form.quiet = s.view.form.escape = true;
	example_options.rq.percent_limit = 50;
	s.rows[0].values[0][0] = (uintptr_t) "a\033[2Jb";
	assert_report(&s, "    60.00%            60  a\\x1b[2Jb  [k] copy_page\n"
			  "\n"
			  "\n");
	sample_done(&s);
}

static void shares_are_of_all_or_of_what_is_shown(void **state)
{
	struct report_sample s;

	(void)state;
	sample_apart(&s);
	s.view.n_blocks = 1;
	s.view.form.quiet = true;
	example_options.rq.percent_limit = 30;
	s.plan.columns.n = 1;
	s.rows[0].rows.all.period = 2000;
	assert_report(&s, "    60.00%\n    39.60%\n\n\n");
	example_options.rq.absolute = true;
	assert_report(&s, "    30.00%\n\n\n");
	sample_done(&s);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_event_has_a_block_with_widths_of_its_own),
		cmocka_unit_test(quiet_reports_are_rows_alone),
		cmocka_unit_test(a_separator_joins_columns_and_is_no_part_of_names),
		cmocka_unit_test(members_of_a_group_stand_side_by_side),
		cmocka_unit_test(shares_have_colours_by_their_size),
		cmocka_unit_test(widths_that_were_asked_for_cut_keys),
		cmocka_unit_test(names_do_not_act_on_a_terminal),
		cmocka_unit_test(shares_are_of_all_or_of_what_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
