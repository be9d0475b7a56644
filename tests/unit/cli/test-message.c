/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "captured.h"
#include "cli/command.h"
#include "cli/message.h"

static void assert_prints(const struct diag *d, int error, const char *expected)
{
	_cleanup_(captured_done) struct captured c;

	captured_init(&c);
	message_print(c.file, "perf x: ", error, d);
	assert_string_equal(captured_text(&c), expected);
}

static void a_message_is_one_line(void **state)
{
	(void)state;
	assert_prints(&(struct diag){ .message = "cannot read 'f'" }, 0,
		      "perf x: cannot read 'f'\n");
}

static void without_a_message_the_error_speaks(void **state)
{
	(void)state;
	assert_prints(&(struct diag){ 0 }, -ENOENT, "perf x: No such file or directory\n");
}

static void the_mistake_is_marked_below_the_text(void **state)
{
	(void)state;
	assert_prints(&(struct diag){ .message = "no event 'cycls'",
				      .excerpt = "cpu-clock,cycls,x",
				      .offset = 10,
				      .length = 5,
				      .hint = "Did you mean 'cycles'?" },
		      0,
		      "perf x: no event 'cycls'\n"
		      "  cpu-clock,cycls,x\n"
		      "            ^~~~~\n"
		      "Did you mean 'cycles'?\n");
}

static void a_point_is_one_caret(void **state)
{
	(void)state;
	assert_prints(&(struct diag){ .message = "m", .excerpt = "abc", .offset = 3 }, 0,
		      "perf x: m\n  abc\n     ^\n");
}

static void the_mark_stays_within_the_text(void **state)
{
	(void)state;
	assert_prints(&(struct diag){ .message = "m", .excerpt = "abc", .offset = 2, .length = 99 },
		      0, "perf x: m\n  abc\n    ^\n");
	assert_prints(&(struct diag){ .message = "m", .excerpt = "abc", .offset = 99, .length = 1 },
		      0, "perf x: m\n  abc\n     ^\n");
}

static void what_is_quoted_is_escaped_and_the_mark_follows(void **state)
{
	(void)state;
	assert_prints(&(struct diag){ .message = "bad '\033[2J'",
				      .excerpt = "a\tb\033c",
				      .offset = 3,
				      .length = 1 },
		      0,
		      "perf x: bad '\\x1b[2J'\n"
		      "  a\\tb\\x1bc\n"
		      "      ^~~~\n");
}

static void letters_beyond_ascii_take_one_column(void **state)
{
	(void)state;
	assert_prints(
		&(struct diag){ .message = "m", .excerpt = "\xc3\xbc,x", .offset = 3, .length = 1 },
		0, "perf x: m\n  \xc3\xbc,x\n    ^\n");
}

static void hints_have_lines_of_their_own(void **state)
{
	(void)state;
	assert_prints(&(struct diag){ .message = "m", .hint = "one\ntwo" }, 0,
		      "perf x: m\none\ntwo\n");
}

struct opts {
	uint64_t freq;
};

static const struct option options[] = {
	OPT_UINT('F', "freq", struct opts, freq, "n", "a frequency"),
	OPT_END,
};
static const char *const usage[] = { "[<options>] [<command>]", "[<options>] -- <command>", NULL };
static const struct command command = { .name = "x", .usage = usage, .options = options };

static void a_usage_error_shows_usage_and_the_option(void **state)
{
	_cleanup_(captured_done) struct captured c;

	(void)state;
	captured_init(&c);
	message_print_usage(c.file, &command, &options[0],
			    &(struct diag){ .message = "option `freq' requires a value" });
	assert_string_equal(captured_text(&c), " Error: option `freq' requires a value\n"
					       "\n"
					       " Usage: perf x [<options>] [<command>]\n"
					       "    or: perf x [<options>] -- <command>\n"
					       "\n"
					       "    -F, --freq <n>        a frequency\n"
					       "\n"
					       " Run 'perf x -h' for all options.\n");
}

static void a_usage_error_without_an_option_is_shorter(void **state)
{
	static const struct command bare = { .name = "bare" };
	_cleanup_(captured_done) struct captured c;

	(void)state;
	captured_init(&c);
	message_print_usage(c.file, &bare, NULL,
			    &(struct diag){ .message = "what?", .hint = "Try that." });
	assert_string_equal(captured_text(&c), " Error: what?\n"
					       " Try that.\n"
					       "\n"
					       " Usage: perf bare\n"
					       "\n"
					       " Run 'perf bare -h' for all options.\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_message_is_one_line),
		cmocka_unit_test(without_a_message_the_error_speaks),
		cmocka_unit_test(the_mistake_is_marked_below_the_text),
		cmocka_unit_test(a_point_is_one_caret),
		cmocka_unit_test(the_mark_stays_within_the_text),
		cmocka_unit_test(what_is_quoted_is_escaped_and_the_mark_follows),
		cmocka_unit_test(letters_beyond_ascii_take_one_column),
		cmocka_unit_test(hints_have_lines_of_their_own),
		cmocka_unit_test(a_usage_error_shows_usage_and_the_option),
		cmocka_unit_test(a_usage_error_without_an_option_is_shorter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
