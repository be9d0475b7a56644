/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "example-listing.h"
#include "view/annotate/line-text.h"

static void begin(struct example_listing *m, struct line_text *t)
{
	example_begin(m);
	listing_find_jumps(&m->listing);
	line_text_init(t, &m->view, &m->listing);
}

static void end(struct example_listing *m, struct line_text *t)
{
	line_text_done(t);
	symbolizer_free(m->symbolizer);
}

/* Checks the columns of line @i from the offset on. */
static void assert_line(struct line_text *t, size_t i, const char *wanted)
{
	const struct listing_line *line = &t->listing->items[i];
	struct text out = TEXT_EMPTY;

	line_text_add_offset(t, &out, line);
	if (listing_line_is_code(line))
		line_text_add_code(t, &out, line);
	else
		line_text_add_note(t, &out, line);
	assert_string_equal(out.chars, wanted);
	text_done(&out);
}

static void lines_come_in_parts(void **state)
{
	struct example_listing m;
	struct line_text t;

	(void)state;
	begin(&m, &t);
	assert_line(&t, 2, "    loop:");
	assert_line(&t, 3, "    cbz w0, c");
	assert_line(&t, 5, " c: ret");
	assert_int_equal(line_text_arrow(&t, &m.lines[2]), LINE_ARROW_NONE);
	assert_int_equal(line_text_arrow(&t, &m.lines[3]), LINE_ARROW_DOWN);
	assert_int_equal(line_text_arrow(&t, &m.lines[4]), LINE_ARROW_AWAY);
	assert_int_equal(line_text_arrow(&t, &m.lines[5]), LINE_ARROW_BACK);
	assert_true(line_text_has_figures(&t, &m.lines[3]));
	assert_false(line_text_has_figures(&t, &m.lines[5]));
	end(&m, &t);
}

static void addresses_are_those_of_the_file_or_at_run_time(void **state)
{
	struct example_listing m;
	struct line_text t;

	(void)state;
	begin(&m, &t);
	m.view.layout.use_offset = false;
	m.lines[3].comment = "  // zero";
	line_text_done(&t);
	line_text_init(&t, &m.view, &m.listing);
	assert_line(&t, 3, "7e4: cbz w0, 7ec <hot+0xc>  // zero");
	m.function.n = 1;
	m.function.moved = 0xaaaa0000;
	m.view.layout.full_addresses = true;
	line_text_done(&t);
	line_text_init(&t, &m.view, &m.listing);
	assert_line(&t, 5, "aaaa07ec: ret");
	end(&m, &t);
}

static void source_can_be_hidden(void **state)
{
	struct example_listing m;
	struct line_text t;

	(void)state;
	begin(&m, &t);
	assert_true(line_text_shows(&t, &m.lines[2]));
	m.lines[2] = (struct listing_line){ .kind = LISTING_PLACE, .text = "/a.c:3", .length = 6 };
	assert_false(line_text_shows(&t, &m.lines[2]));
	m.view.layout.show_places = true;
	assert_true(line_text_shows(&t, &m.lines[2]));
	m.view.layout.hide_source = true;
	assert_false(line_text_shows(&t, &m.lines[2]));
	assert_true(line_text_shows(&t, &m.lines[3]));
	end(&m, &t);
}

static void cycles_have_columns_where_they_are_known(void **state)
{
	const struct listing_cycles cycles = { .ipc = 0.25, .average = 29, .least = 1, .most = 58 };
	struct example_listing m;
	struct text out = TEXT_EMPTY;
	struct line_text t;

	(void)state;
	begin(&m, &t);
	line_text_add_cycles(&t, &out, &m.lines[3]);
	line_text_add_cycles_head(&t, &out);
	assert_int_equal(out.length, 0);
	m.lines[3].cycles = &cycles;
	m.listing.has_cycles = true;
	line_text_done(&t);
	line_text_init(&t, &m.view, &m.listing);
	line_text_add_cycles_head(&t, &out);
	text_add_char(&out, '|');
	line_text_add_cycles(&t, &out, &m.lines[3]);
	text_add_char(&out, '|');
	line_text_add_cycles(&t, &out, &m.lines[4]);
	assert_string_equal(out.chars, "  IPC Cycle | 0.25    29 |            ");
	assert_int_equal(t.cycles, 12);
	m.view.layout.extreme_cycles = true;
	line_text_done(&t);
	line_text_init(&t, &m.view, &m.listing);
	text_clear(&out);
	line_text_add_cycles(&t, &out, &m.lines[3]);
	assert_string_equal(out.chars, " 0.25           29(1/58) ");
	text_done(&out);
	end(&m, &t);
}

static void hostile_names_are_escaped(void **state)
{
	struct text out = TEXT_EMPTY;
	struct example_listing m;
	struct line_text t;

	(void)state;
	begin(&m, &t);
	m.view.event = "a\033[2Jb";
	line_text_add_title(&out, &m.view);
	assert_null(strchr(out.chars, 033));
	text_done(&out);
	end(&m, &t);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_come_in_parts),
		cmocka_unit_test(addresses_are_those_of_the_file_or_at_run_time),
		cmocka_unit_test(source_can_be_hidden),
		cmocka_unit_test(cycles_have_columns_where_they_are_known),
		cmocka_unit_test(hostile_names_are_escaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
