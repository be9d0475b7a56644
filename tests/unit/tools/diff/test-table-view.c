/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "diff-sample.h"
#include "tools/diff/table-view.h"
#include "view/printed.h"

static void assert_table(struct diff_sample *s, const char *wanted)
{
	struct printed p;

	s->diff = diff_new(&s->options, s->sides, s->n);
	printed_open(&p);
	assert_int_equal(diff_print(p.out, &s->view, s->diff, "cycles", 0), 0);
	assert_printed(&p, wanted);
}

static void a_row_has_the_baseline_and_the_change(void **state)
{
	_cleanup_(diff_sample_done) struct diff_sample s;

	(void)state;
	diff_sample_init(&s, 2);
	assert_table(&s, "# Event 'cycles'\n"
			 "#\n"
			 "# Baseline  Delta Abs  Who   What    \n"
			 "# ........  .........  ....  ........\n"
			 "#\n"
			 "    60.00%    -20.00%  sh    [.] main\n"
			 "              +20.00%  new   [.] main\n"
			 "    30.00%    +10.00%  ls    [.] main\n"
			 "    10.00%             gone  [.] main\n");
}

static void periods_and_calculations_can_be_shown(void **state)
{
	_cleanup_(diff_sample_done) struct diff_sample s;

	(void)state;
	diff_sample_init(&s, 2);
	s.options.compute = DIFF_WDIFF;
	s.options.weight_base = 1;
	s.options.weight_other = 2;
	s.view.periods = s.view.formulas = true;
	s.view.form.quiet = true;
	assert_table(&s,
		     "    30.00%             300             500                                  "
		     "                 (400 * 2) - (300 * 1)             400  ls    [.] main\n"
		     "    60.00%             600             200                                  "
		     "                 (400 * 2) - (600 * 1)             400  sh    [.] main\n"
		     "                         0             N/A                                  "
		     "                   (200 * 2) - (0 * 1)             200  new   [.] main\n"
		     "    10.00%             100                                                  "
		     "                                                        gone  [.] main\n");
}

static void a_separator_leaves_no_blanks_before_figures(void **state)
{
	_cleanup_(diff_sample_done) struct diff_sample s;

	(void)state;
	diff_sample_init(&s, 2);
	s.options.compute = DIFF_RATIO;
	s.view.form.separator = ";";
	assert_table(&s, "# Event 'cycles'\n"
			 "#\n"
			 "# Baseline;         Ratio;Who ;What    \n"
			 "30.00   ;      1.333333;ls  ;[.] main\n"
			 "60.00   ;      0.666667;sh  ;[.] main\n"
			 "        ;N/A           ;new ;[.] main\n"
			 "10.00   ;              ;gone;[.] main\n");
}

static void more_sides_are_numbered(void **state)
{
	_cleanup_(diff_sample_done) struct diff_sample s;

	(void)state;
	diff_sample_init(&s, 3);
	assert_table(&s, "# Event 'cycles'\n"
			 "#\n"
			 "# Data files:\n"
			 "#  [0] a.data (Baseline)\n"
			 "#  [1] b.data \n"
			 "#  [2] c.data \n"
			 "#\n"
			 "# Baseline/0  Delta Abs/1  Delta Abs/2  Who   What    \n"
			 "# ..........  ...........  ...........  ....  ........\n"
			 "#\n"
			 "      60.00%      -20.00%      +40.00%  sh    [.] main\n"
			 "                  +20.00%               new   [.] main\n"
			 "      30.00%      +10.00%               ls    [.] main\n"
			 "      10.00%                            gone  [.] main\n");
}

static void names_do_not_act_on_the_terminal(void **state)
{
	_cleanup_(diff_sample_done) struct diff_sample s;
	struct printed p;

	(void)state;
	diff_sample_init(&s, 2);
	s.view.lists_files = true;
	s.files[1] = "b\033[31m.data";
	s.diff = diff_new(&s.options, s.sides, s.n);
	printed_open(&p);
	assert_int_equal(diff_print(p.out, &s.view, s.diff, "cy\ncles", 1), 0);
	assert_int_equal(fclose(p.out), 0);
	assert_null(strchr(p.text, '\033'));
	assert_non_null(strstr(p.text, "\n# Event 'cy\\ncles'\n"));
	free(p.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_has_the_baseline_and_the_change),
		cmocka_unit_test(periods_and_calculations_can_be_shown),
		cmocka_unit_test(a_separator_leaves_no_blanks_before_figures),
		cmocka_unit_test(more_sides_are_numbered),
		cmocka_unit_test(names_do_not_act_on_the_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
