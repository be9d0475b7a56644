/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "arch/arch.h"
#include "example-listing.h"

#define TITLE                                                                                      \
	"|\tSource code & Disassembly of made for cycles (10 samples, percent: local period)\n"

static void every_instruction_has_a_number(void **state)
{
	struct example_listing m;

	(void)state;
	example_begin(&m);
	assert_added(&m, annotate_stdio_add,
		     " Percent " TITLE "-----------------------------------------------------"
		     "-------------------------------------------\n"
		     "         :\n"
		     "         :\n"
		     "         :\n"
		     "         : 3   Disassembly of section .text:\n"
		     "         :\n"
		     "         : 5   00000000000007e0 <hot>:\n"
		     "         : 6   hot():\n"
		     "    0.00 :   7e0:    mov     w3, w0\n"
		     "         : 3   loop:\n"
		     "   60.00 :   7e4:    cbz     w0, 7ec <hot+0xc>\n"
		     "   40.00 :   7e8:    bl      100 <other>\n"
		     "    0.00 :   7ec:    ret\n");
}

/* Checks the lines from the first instruction on. */
static void assert_rows(struct example_listing *m, const char *wanted)
{
	struct text t = TEXT_EMPTY;
	const char *from;

	annotate_stdio_add(&t, &m->view, &m->listing);
	from = strstr(t.chars, "hot():\n");
	assert_non_null(from);
	assert_string_equal(from + strlen("hot():\n"), wanted);
	text_done(&t);
	symbolizer_free(m->symbolizer);
}

static void samples_and_periods_take_the_place_of_shares(void **state)
{
	struct example_listing m;

	(void)state;
	example_begin(&m);
	m.view.figure = ANNOTATE_SAMPLES;
	m.listing.n = 4;
	assert_rows(&m, "       0 :   7e0:    mov     w3, w0\n"
			"         : 3   loop:\n"
			"       7 :   7e4:    cbz     w0, 7ec <hot+0xc>\n");
	example_begin(&m);
	m.view.figure = ANNOTATE_PERIOD;
	m.listing.n = 4;
	assert_rows(&m, "           0 :   7e0:    mov     w3, w0\n"
			"             : 3   loop:\n"
			"         600 :   7e4:    cbz     w0, 7ec <hot+0xc>\n");
}

static void events_have_columns_of_their_own(void **state)
{
	struct example_listing m;

	(void)state;
	example_begin(&m);
	m.view.whole.n_events = m.all.n_events = 2;
	m.view.event = "anon group { a, b }";
	assert_rows(&m, "    0.00    0.00 :   7e0:    mov     w3, w0\n"
			"                 : 3   loop:\n"
			"   60.00    0.00 :   7e4:    cbz     w0, 7ec <hot+0xc>\n"
			"   40.00  100.00 :   7e8:    bl      100 <other>\n"
			"    0.00    0.00 :   7ec:    ret\n");
}

static void bytes_stand_before_the_instruction(void **state)
{
	struct example_listing m;

	(void)state;
	example_begin(&m);
	m.view.raw = true;
	m.listing.n = 2;
	assert_rows(&m, "    0.00 :   7e0:    2a0003e3        mov     w3, w0\n");
	example_begin(&m);
	m.view.raw = true;
	m.listing.n = 2;
	m.listing.arch = &arch_x86_64;
	assert_rows(&m, "    0.00 :   7e0:    e3 03 00 2a             mov     w3, w0\n");
}

static void light_instructions_can_be_left_out(void **state)
{
	struct example_listing m;

	(void)state;
	example_begin(&m);
	m.view.min_percent = 50;
	assert_added(&m, annotate_stdio_add,
		     " Percent " TITLE "-----------------------------------------------------"
		     "-------------------------------------------\n"
		     "    0.00 :   7e0:    mov     w3, w0\n"
		     "   60.00 :   7e4:    cbz     w0, 7ec <hot+0xc>\n");
}

static void heavy_lines_tell_where_they_are_from_once(void **state)
{
	struct example_listing m;

	(void)state;
	example_begin(&m);
	m.view.lines = true;
	m.lines[4].at = m.lines[3].at;
	assert_rows(&m, "    0.00 :   7e0:    mov     w3, w0\n"
			"         : 3   loop:\n"
			"   60.00 :   7e4:    cbz     w0, 7ec <hot+0xc> // a.c:3\n"
			"   40.00 :   7e8:    bl      100 <other>\n"
			"    0.00 :   7ec:    ret\n");
}

static void sequences_do_not_move_columns(void **state)
{
	struct example_listing m;

	(void)state;
	example_begin(&m);
	m.view.colour = true;
	m.listing.n = 4;
	assert_rows(&m, "    0.00 : \033[35m  7e0:\033[m\033[34m    mov     w3, w0\033[m\n"
			"         : 3   loop:\n"
			"\033[31m   60.00\033[m : \033[35m  7e4:\033[m\033[34m    cbz     w0, "
			"7ec <hot+0xc>\033[m\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_instruction_has_a_number),
		cmocka_unit_test(samples_and_periods_take_the_place_of_shares),
		cmocka_unit_test(events_have_columns_of_their_own),
		cmocka_unit_test(bytes_stand_before_the_instruction),
		cmocka_unit_test(light_instructions_can_be_left_out),
		cmocka_unit_test(heavy_lines_tell_where_they_are_from_once),
		cmocka_unit_test(sequences_do_not_move_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
