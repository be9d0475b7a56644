/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "diff-sample.h"
#include "tools/diff/repeats-model.h"
#include "tools/diff/repeats-view.h"
#include "view/printed.h"

#define N 6

/* Three recordings of each side. */
struct repeated {
	struct diff_sample base;
	struct example_rows rows[N];
	const struct report_rows *sides[N];
	struct diff_repeats *repeats;
};

static const size_t side_of[] = { 0, 0, 0, 1, 1, 1 };
static const char *const names[] = { "a1.data,a2.data,a3.data", "b?.data" };

static void repeated_init(struct repeated *s, enum diff_compute compute)
{
	static const uint64_t hot[] = { 2000, 2010, 1990, 3000, 3030, 2970 };
	static const uint64_t noise[] = { 900, 1100, 1000, 1050, 950, 990 };
	static const double seconds[] = { 1, 1.1, 0.9, 1.05, 0.95, 1 };
	const struct diff_repeats_options o = { .names = names,
						.n_sides = 2,
						.side_of = side_of,
						.seconds = seconds,
						.unit = "",
						.order = 1 };

	*s = (struct repeated){ 0 };
	diff_sample_init(&s->base, 2);
	s->base.options.compute = compute;
	for (size_t i = 0; i < N; i++) {
		example_rows_init(&s->rows[i]);
		example_add(&s->rows[i], "hot", "f", hot[i]);
		example_add(&s->rows[i], "noise", "g", noise[i]);
		example_add(&s->rows[i], "rest", "h", 8000);
		s->sides[i] = &s->rows[i].rows;
	}
	s->base.diff = diff_new(&s->base.options, s->sides, N);
	s->repeats = diff_repeats_new(s->base.diff, &o);
	diff_repeats_correct(s->repeats, &o);
}

static void repeated_done(struct repeated *s)
{
	diff_repeats_free(s->repeats);
	diff_sample_done(&s->base);
}

static void assert_repeats(struct repeated *s, const char *wanted)
{
	struct printed p;

	s->base.view.ascii = true;
	printed_open(&p);
	assert_int_equal(diff_repeats_print(p.out, &s->base.view, s->repeats, NULL, "cycles", 0),
			 0);
	assert_printed(&p, wanted);
}

static void what_changed_is_marked_and_explained(void **state)
{
	_cleanup_(repeated_done) struct repeated s;

	(void)state;
	repeated_init(&s, DIFF_DELTA_ABS);
	assert_repeats(
		&s,
		"# Event 'cycles'\n"
		"#\n"
		"#  [A] a1.data,a2.data,a3.data: 3 recordings (Baseline)\n"
		"#  [B] b?.data: 3 recordings\n"
		"#\n"
		"#              A                B           B - A\n"
		"# time   1.000 s +-24.8%  1.000 s +-12.4%      0% +-20.8%     no difference "
		"shown\n"
		"# total  11.00 k +-2.38%  12.00 k +-0.98%  +9.06% +-2.02% *** more\n"
		"#\n"
		"#        A      B - A     +-95%       Who    What\n"
		"# ........  .........  ........  ...  .....  ....\n"
		"#\n"
		"    18.18%     +6.82%   +-0.51%  **   hot    f\n"
		"    72.73%     -6.05%   +-1.51%       rest   h\n"
		"     9.09%     -0.78%   +-1.72%       noise  g\n"
		"#\n"
		"# +-: 95% confidence interval of the difference of means (Welch's t-test).\n"
		"# * q < 0.05, ** q < 0.01, *** q < 0.001, where q is p corrected for 3 rows\n"
		"# (Benjamini-Hochberg): of the rows with a *, 1 in 20 is expected to be chance.\n"
		"# Shares are of the total of each recording: where one grows, others shrink. So a "
		"row is marked\n# only if its share of what did not change differs, too, and its "
		"period; -c ratio compares periods alone.\n"
		"# [A] has few recordings: 5 or more give narrower intervals.\n"
		"# [B] has few recordings: 5 or more give narrower intervals.\n");
}

static void rows_alone_can_be_had(void **state)
{
	_cleanup_(repeated_done) struct repeated s;

	(void)state;
	repeated_init(&s, DIFF_RATIO);
	s.base.view.form.quiet = true;
	s.base.view.form.separator = ";";
	assert_repeats(&s, "18.18%;1.5000;+-0.0332;***;hot  ;f\n"
			   "9.09%;0.9967;+-0.2076;;noise;g\n"
			   "72.73%;1.0000;+-0.0012;;rest ;h\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_changed_is_marked_and_explained),
		cmocka_unit_test(rows_alone_can_be_had),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
