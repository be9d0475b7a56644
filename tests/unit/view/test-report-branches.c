/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "profile/branch-blocks.h"
#include "profile/branch-stats.h"
#include "symbol/symbolizer.h"
#include "view/report/branches.h"

static const struct symbol loop = { .start = 0x1000, .end = 0x1100, .name = "loop" };

static char *stats_text(const struct branch_stats *s)
{
	char *chars = NULL;
	size_t n;
	FILE *out = open_memstream(&chars, &n);

	branch_stats_print(s, out);
	fclose(out);
	return chars;
}

static void shares_are_of_all_kinds_that_are_known(void **state)
{
	const struct branch_stats s = { .kinds = { [1] = 1, [4] = 2, [6] = 1 },
					.forward = 1,
					.cross_2m = 2 };
	_cleanup_(freep) char *text = stats_text(&s);

	(void)state;
	assert_string_equal(text, "\n#\n# Branch Statistics:\n#\n"
				  "COND_FWD:  25.0%\n"
				  "CROSS_2M:  50.0%\n"
				  "    COND:  25.0%\n"
				  "    CALL:  50.0%\n"
				  "     RET:  25.0%\n");
}

static void nothing_known_nothing_said(void **state)
{
	_cleanup_(freep) char *text = stats_text(&(struct branch_stats){ 0 });

	(void)state;
	assert_string_equal(text, "");
}

static char *blocks_text(struct branch_block *items, size_t n, double limit)
{
	const struct branch_blocks blocks = { .items = items, .n = n };
	char *chars = NULL;
	size_t length;
	FILE *out = open_memstream(&chars, &length);

	branch_blocks_print(&(struct branch_blocks_view){ .blocks = &blocks,
							  .percent_limit = limit,
							  .quiet = true },
			    out);
	fclose(out);
	return chars;
}

static void blocks_are_places_in_their_function(void **state)
{
	struct symbolizer *symbols = symbolizer_new(&(struct symbolizer_options){ 0 });
	struct image *im = symbolizer_image(
		symbols, &(struct image_key){ .kind = IMAGE_USER, .name = "/bin/prog" });
	struct branch_block blocks[] = {
		{ .image = im,
		  .sym = &loop,
		  .start = 0x1010,
		  .end = 0x1018,
		  .cycles = 1500,
		  .count = 2 },
		{ .image = im,
		  .sym = &loop,
		  .start = BLOCK_START_UNKNOWN,
		  .end = 0x1020,
		  .cycles = 500,
		  .count = 1 },
	};
	_cleanup_(freep) char *all = blocks_text(blocks, 2, 0);
	_cleanup_(freep) char *some = blocks_text(blocks, 2, 50);

	(void)state;
	assert_string_equal(
		all, "           75.00%            1.5K       60.00%         750"
		     "                                                    [     10 ->      18]"
		     "                  prog\n"
		     "           25.00%             500       40.00%         500"
		     "                                                    [      0 ->      20]"
		     "                  prog\n");
	assert_int_equal(strcspn(some, "\n") + 1, strlen(some));
	symbolizer_free(symbols);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_of_all_kinds_that_are_known),
		cmocka_unit_test(nothing_known_nothing_said),
		cmocka_unit_test(blocks_are_places_in_their_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
