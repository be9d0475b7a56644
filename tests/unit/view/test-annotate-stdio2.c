/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "example-listing.h"

static void jumps_calls_and_returns_have_arrows(void **state)
{
	struct example_listing m;

	(void)state;
	example_begin(&m);
	assert_added(&m, annotate_stdio2_add,
		     "Samples: 40  of event 'cycles', 4000 Hz, Event count (approx.): 2000, "
		     "[percent: local period]\n"
		     "hot() /tmp/made\n"
		     "Percent        \n"
		     "               \n"
		     "               \n"
		     "            Disassembly of section .text:\n"
		     "               \n"
		     "            00000000000007e0 <hot>:\n"
		     "            hot():    \n"
		     "              mov w3, w0   \n"
		     "            loop:     \n"
		     " 60.00      ↓ cbz w0, c    \n"
		     " 40.00      → bl  other    \n"
		     "         c: ← ret          \n");
}

/* Checks the lines from the first instruction on. */
static void assert_rows(struct example_listing *m, const char *wanted)
{
	struct text t = TEXT_EMPTY;
	const char *from;

	listing_find_jumps(&m->listing);
	annotate_stdio2_add(&t, &m->view, &m->listing);
	from = strstr(t.chars, "hot():");
	assert_non_null(from);
	assert_string_equal(strchr(from, '\n') + 1, wanted);
	text_done(&t);
	symbolizer_free(m->symbolizer);
}

static void a_jump_that_leaves_the_function_names_its_target(void **state)
{
	struct example_listing m;

	(void)state;
	example_begin(&m);
	m.lines[3].flow.target = 0x100;
	m.lines[3].target = "other";
	m.listing.n = 4;
	assert_rows(&m, "              mov w3, w0   \n"
			"            loop:     \n"
			" 60.00      → cbz w0, 100 <other>\n");
}

static void offsets_and_line_numbers_are_shown_on_request(void **state)
{
	struct example_listing m;

	(void)state;
	example_begin(&m);
	m.view.layout.offset_level = 3;
	m.view.layout.show_line_numbers = true;
	m.view.layout.show_jumps = true;
	assert_rows(&m, "           0:   mov w3, w0   \n"
			"          3     loop:     \n"
			" 60.00     4: ↓ cbz w0, c    \n"
			" 40.00     8: → bl  other    \n"
			"        1  c: ← ret          \n");
}

static void events_have_columns_of_their_own(void **state)
{
	struct example_listing m;

	(void)state;
	example_begin(&m);
	m.view.whole.n_events = m.all.n_events = 2;
	assert_rows(&m, "                     mov w3, w0          \n"
			"                   loop:            \n"
			" 60.00   0.00      ↓ cbz w0, c           \n"
			" 40.00 100.00      → bl  other           \n"
			"                c: ← ret                 \n");
}

static void what_lies_beside_the_code_has_its_name(void **state)
{
	struct example_listing m;

	(void)state;
	example_begin(&m);
	m.listing.n = 2;
	m.lines[1].text = "mov    0x1073(%rip),%rdx";
	m.lines[1].flow =
		(struct code_flow){ .kind = FLOW_ON, .has_target = true, .target = 0x4011d0 };
	m.lines[1].lead = "        # ";
	m.lines[1].target = "sink";
	assert_rows(&m, "              mov sink,%rdx\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jumps_calls_and_returns_have_arrows),
		cmocka_unit_test(a_jump_that_leaves_the_function_names_its_target),
		cmocka_unit_test(offsets_and_line_numbers_are_shown_on_request),
		cmocka_unit_test(events_have_columns_of_their_own),
		cmocka_unit_test(what_lies_beside_the_code_has_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
