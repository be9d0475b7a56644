/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <string.h>

#include "captured.h"
#include "cli/redraw.h"

#define BEGIN "\033[?2026h"
#define END   "\033[?2026l"

/* The size of the terminal that is drawn on. */
static struct redraw_size size;

static struct redraw_size size_now(FILE *out)
{
	(void)out;
	return size;
}

struct screen {
	struct captured c;
	struct redraw r;
	size_t seen;
};

static void screen_open(struct screen *s, enum redraw_place place)
{
	size = (struct redraw_size){ .rows = 10, .columns = 20 };
	captured_init(&s->c);
	redraw_init(&s->r, s->c.file, place);
	s->r.size = size_now;
	s->seen = 0;
}

static void screen_close(struct screen *s)
{
	redraw_done(&s->r);
	captured_done(&s->c);
}

/* Checks the text that was written since the last check. */
static void assert_written(struct screen *s, const char *wanted)
{
	assert_string_equal(captured_text(&s->c) + s->seen, wanted);
	s->seen = s->c.length;
}

static void assert_shown(struct screen *s, const char *block, const char *wanted)
{
	redraw_show(&s->r, block, strlen(block));
	assert_written(s, wanted);
}

static void the_next_block_replaces_the_one_before(void **state)
{
	struct screen s;

	(void)state;
	screen_open(&s, REDRAW_HERE);
	assert_shown(&s, "one\ntwo\n", BEGIN "\rone\033[K\ntwo\033[K\n\033[J" END);
	assert_shown(&s, "three\n", BEGIN "\r\033[2Athree\033[K\n\033[J" END);
	assert_shown(&s, "four", BEGIN "\r\033[1Afour\033[K\n\033[J" END);
	redraw_end(&s.r, true);
	assert_written(&s, "\r\033[1A\033[Jfour");
	screen_close(&s);
}

static void what_does_not_fit_is_cut_but_in_the_last_block(void **state)
{
	static const char all[] = "1\n2\n3\n4\n5\n6\n7\n8\n9 a line of thirty-two columns..\n10\n";
	struct screen s;

	(void)state;
	screen_open(&s, REDRAW_HERE);
	size.rows = 4;
	assert_int_equal(redraw_room(&s.r).rows, 3);
	assert_int_equal(redraw_room(&s.r).columns, 19);
	assert_shown(&s, all, BEGIN "\r1\033[K\n2\033[K\n ... 8 more lines, \033[K\n\033[J" END);
	redraw_end(&s.r, true);
	assert_written(&s, "\r\033[3A\033[J1\n2\n3\n4\n5\n6\n7\n8\n"
			   "9 a line of thirty-two columns..\n10\n");
	screen_close(&s);
}

static void lines_that_a_narrower_terminal_broke_are_erased(void **state)
{
	struct screen s;

	(void)state;
	screen_open(&s, REDRAW_HERE);
	assert_shown(&s, "0123456789abcdef\nb\n",
		     BEGIN "\r0123456789abcdef\033[K\nb\033[K\n\033[J" END);
	size.columns = 8;
	assert_shown(&s, "a\nb\n", BEGIN "\r\033[3Aa\033[K\nb\033[K\n\033[J" END);
	screen_close(&s);
}

static void others_may_write_in_between(void **state)
{
	struct screen s;

	(void)state;
	screen_open(&s, REDRAW_HERE);
	redraw_interrupt(&s.r);
	redraw_interrupt(NULL);
	assert_shown(&s, "a\nb\n", BEGIN "\ra\033[K\nb\033[K\n\033[J" END);
	redraw_interrupt(&s.r);
	assert_written(&s, "\r\033[2A\033[J");
	fputs("a warning\n", s.c.file);
	assert_written(&s, "a warning\n");
	assert_shown(&s, "c\n", BEGIN "\rc\033[K\n\033[J" END);
	screen_close(&s);
}

static void after_a_stop_a_new_block_begins(void **state)
{
	struct screen s;

	(void)state;
	screen_open(&s, REDRAW_HERE);
	assert_shown(&s, "a\n", BEGIN "\ra\033[K\n\033[J" END);
	raise(SIGCONT);
	assert_shown(&s, "b\n", BEGIN "\rb\033[K\n\033[J" END);
	screen_close(&s);
}

#define ROOM  "\n\n\033[2A\0337\033[1;8r\0338"
#define CLEAR "\0337\033[r\033[9;1H\033[J\0338"

static void beside_a_command_the_last_lines_are_taken(void **state)
{
	struct screen s;

	(void)state;
	screen_open(&s, REDRAW_BOTTOM);
	assert_shown(&s, "a\nb\n", BEGIN ROOM "\0337\033[9;1Ha\033[K\033[10;1Hb\033[K\0338" END);
	assert_shown(&s, "c\n", BEGIN "\0337\033[9;1Hc\033[K\033[10;1H\033[K\0338" END);
	/* No lines of other programs were overwritten, so nothing has to be erased. */
	redraw_interrupt(&s.r);
	assert_written(&s, "");
	redraw_end(&s.r, true);
	assert_written(&s, CLEAR "\nc\n");
	screen_close(&s);
}

static void the_lower_half_is_the_most(void **state)
{
	struct screen s;

	(void)state;
	screen_open(&s, REDRAW_BOTTOM);
	size.rows = 4;
	assert_shown(&s, "a\nb\nc\n",
		     BEGIN "\n\n\033[2A\0337\033[1;2r\0338"
			   "\0337\033[3;1Ha\033[K\033[4;1H ... 2 more lines, \033[K\0338" END);
	redraw_end(&s.r, false);
	assert_written(&s, "\0337\033[r\033[3;1H\033[J\0338");
	screen_close(&s);
}

static void a_block_that_grows_is_given_more_lines(void **state)
{
	struct screen s;

	(void)state;
	screen_open(&s, REDRAW_BOTTOM);
	assert_shown(&s, "a\n",
		     BEGIN "\n\033[1A\0337\033[1;9r\0338\0337\033[10;1Ha\033[K\0338" END);
	assert_shown(&s, "a\nb\n",
		     BEGIN "\0337\033[r\033[10;1H\033[J\0338" ROOM
			   "\0337\033[9;1Ha\033[K\033[10;1Hb\033[K\0338" END);
	screen_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_next_block_replaces_the_one_before),
		cmocka_unit_test(what_does_not_fit_is_cut_but_in_the_last_block),
		cmocka_unit_test(lines_that_a_narrower_terminal_broke_are_erased),
		cmocka_unit_test(others_may_write_in_between),
		cmocka_unit_test(after_a_stop_a_new_block_begins),
		cmocka_unit_test(beside_a_command_the_last_lines_are_taken),
		cmocka_unit_test(the_lower_half_is_the_most),
		cmocka_unit_test(a_block_that_grows_is_given_more_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
