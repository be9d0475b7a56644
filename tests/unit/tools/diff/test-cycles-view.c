/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "diff-sample.h"
#include "symbol/symbolizer.h"
#include "tools/diff/cycles-model.h"
#include "tools/diff/cycles-view.h"
#include "view/printed.h"

static const struct symbol work = { .start = 0x1000, .end = 0x1100, .name = "work" };

/* Checks one block of both sides, put together by hand. */
static void assert_blocks(bool histograms, const char *wanted)
{
	_cleanup_(symbolizer_freep) struct symbolizer *names =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	struct branch_block then = { .sym = &work, .start = 0x1010, .end = 0x1018 }, now;
	_cleanup_(diff_sample_done) struct diff_sample s;
	const struct branch_block *blocks[] = { &then, &now };
	struct printed p;

	then.image = symbolizer_image(
		names, &(struct image_key){ .kind = IMAGE_USER, .name = "/nothere/prog" });
	then.cycles = 100;
	then.count = 10;
	now = then;
	now.cycles = 200;
	now.squares = 10 * 400 + 90;
	now.bins[3] = 1;
	now.bins[4] = 9;
	diff_sample_init(&s, 2);
	s.view.ascii = true;
	s.diff = diff_new(&s.options, s.sides, 2);
	printed_open(&p);
	assert_int_equal(diff_cycles_print(
				 p.out, &s.view,
				 &(struct diff_cycles){
					 .diff = s.diff,
					 .rows = &(struct diff_cycles_row){ .row = &s.diff->rows[0],
									    .blocks = blocks },
					 .n = 1,
				 },
				 histograms, "cycles", 0),
			 0);
	assert_printed(&p, wanted);
}

static void a_block_is_shown_with_the_change_of_its_cycles(void **state)
{
	(void)state;
	assert_blocks(false,
		      "# Event 'cycles'\n"
		      "#\n"
		      "# Baseline                                       [Program Block Range]"
		      " Cycles Diff  Who   What    \n"
		      "# ........  .........................................................."
		      "............  ....  ........\n"
		      "#\n"
		      "    60.00%                                               [     10 ->  "
		      "    18]   10  sh    [.] main\n");
}

static void how_much_cycles_vary_can_be_shown(void **state)
{
	(void)state;
	assert_blocks(true, "# Event 'cycles'\n"
			    "#\n"
			    "# Baseline                                       [Program Block Range]"
			    " Cycles Diff               stddev/Hist  Who   What    \n"
			    "# ........  .........................................................."
			    "............  ........................  ....  ........\n"
			    "#\n"
			    "    60.00%                                               [     10 ->  "
			    "    18]   10             +-15.8% ...18  sh    [.] main\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_block_is_shown_with_the_change_of_its_cycles),
		cmocka_unit_test(how_much_cycles_vary_can_be_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
