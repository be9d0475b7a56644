/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "heat-sample.h"
#include "tools/heatmap/blocks-view.h"
#include "view/printed.h"

static void prints(const struct heat_blocks *b, const char *wanted)
{
	struct heat_picture p;
	struct heat_map m;
	struct printed out;

	heat_sample(&m, &p);
	p.title = "T\033[1m";
	printed_open(&out);
	heat_blocks_print(&p, b, out.out);
	assert_printed(&out, wanted);
	heat_map_done(&m);
}

static void without_colours_cells_are_characters(void **state)
{
	(void)state;
	prints(&(struct heat_blocks){ .ink = HEAT_SHADES, .ascii = true },
	       "T\\x1b[1m\n"
	       "10 pairs, 500 us to 3 ms, in columns of 1 s; 1 above 2 ms not shown\n"
	       "\n"
	       "          |. .\n"
	       "        0 |@\n"
	       "          +---\n"
	       "           0\n"
	       "1 .=*%#@ 7 pairs in a cell; time since 5.000250 s\n");
}

static void half_blocks_hold_two_rows(void **state)
{
	(void)state;
	prints(&(struct heat_blocks){ .ink = HEAT_256 },
	       "T\\x1b[1m\n"
	       "10 pairs, 500 \xc2\xb5s to 3 ms, in columns of 1 s; 1 above 2 ms not shown\n"
	       "\n"
	       "        0 \xe2\x94\x82\033[38;5;125m\033[48;5;230m\xe2\x96\x80\033[0m "
	       "\033[38;5;125m\xe2\x96\x80\033[0m\n"
	       "          \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\n"
	       "           0\n"
	       "1 \033[48;5;125m \033[0m\033[48;5;208m \033[0m\033[48;5;215m \033[0m"
	       "\033[48;5;222m \033[0m\033[48;5;223m \033[0m"
	       "\033[48;5;230m \033[0m 7 pairs in a cell; time since 5.000250 s\n");
}

static void coloured_blanks_stand_for_blocks_where_only_ascii_is(void **state)
{
	struct heat_picture p;
	struct heat_map m;
	struct printed out;

	(void)state;
	heat_sample(&m, &p);
	printed_open(&out);
	heat_blocks_print(
		&p,
		&(struct heat_blocks){ .ink = HEAT_TRUE_COLOUR, .ascii = true, .is_light = true },
		out.out);
	fclose(out.out);
	assert_non_null(strstr(out.text, "|\033[48;2;246;212;146m \033[0m \033[48;2;"));
	for (const char *c = out.text; *c; c++)
		assert_true((unsigned char)*c < 0x80);
	free(out.text);
	heat_map_done(&m);
}

static void labels_take_eleven_columns(void **state)
{
	(void)state;
	assert_int_equal(heat_blocks_columns(80), 69);
	assert_int_equal(heat_blocks_columns(5), 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_colours_cells_are_characters),
		cmocka_unit_test(half_blocks_hold_two_rows),
		cmocka_unit_test(coloured_blanks_stand_for_blocks_where_only_ascii_is),
		cmocka_unit_test(labels_take_eleven_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
