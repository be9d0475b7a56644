/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tools/daemon/plan-work.h"

/* Checks that @line is split into the words between the bars of @expected. */
static void splits(const char *line, const char *expected)
{
	_cleanup_(daemon_words_done) struct daemon_words w = { 0 };
	_cleanup_(freep) char *joined = xstrdup("");
	size_t at;

	assert_int_equal(daemon_words_split(&w, line, &at), 0);
	for (size_t i = 0; i < w.n; i++) {
		char *more = xasprintf("%s|%s", joined, w.items[i]);

		free(joined);
		joined = more;
	}
	assert_string_equal(joined, expected);
}

static void blanks_divide_words(void **state)
{
	(void)state;
	splits("", "");
	splits("  \t ", "");
	splits(" -e  cycles\tsleep 1 ", "|-e|cycles|sleep|1");
}

static void quotes_and_backslashes_keep_blanks(void **state)
{
	(void)state;
	splits("sh -c 'a; b \"c\"'", "|sh|-c|a; b \"c\"");
	splits("\"a b\"c \"q\\\"q\" \"x\\y\"", "|a bc|q\"q|x\\y");
	splits("a\\ b \\'", "|a b|'");
	splits("'' x", "||x");
	splits("end\\", "|end\\");
}

static void a_quote_without_an_end_is_refused(void **state)
{
	_cleanup_(daemon_words_done) struct daemon_words w = { 0 };
	size_t at = 99;

	(void)state;
	assert_int_equal(daemon_words_split(&w, "ab 'cd", &at), -EINVAL);
	assert_int_equal(at, 3);
}

static void too_many_words_are_refused(void **state)
{
	_cleanup_(daemon_words_done) struct daemon_words w = { 0 };
	_cleanup_(freep) char *line = xcalloc(1, 2 * DAEMON_WORDS_MAX + 3);
	size_t at;

	(void)state;
	memset(line, ' ', 2 * DAEMON_WORDS_MAX + 2);
	for (size_t i = 0; i <= DAEMON_WORDS_MAX; i++)
		line[2 * i] = 'x';
	assert_int_equal(daemon_words_split(&w, line, &at), -E2BIG);
}

static void equal_lines_are_equal(void **state)
{
	_cleanup_(daemon_words_done) struct daemon_words a = { 0 }, b = { 0 }, c = { 0 };
	size_t at;

	(void)state;
	assert_int_equal(daemon_words_split(&a, "-e  'x'", &at), 0);
	assert_int_equal(daemon_words_split(&b, "-e x", &at), 0);
	assert_int_equal(daemon_words_split(&c, "-e y", &at), 0);
	assert_true(daemon_words_are_equal(&a, &b));
	assert_false(daemon_words_are_equal(&a, &c));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blanks_divide_words),
		cmocka_unit_test(quotes_and_backslashes_keep_blanks),
		cmocka_unit_test(a_quote_without_an_end_is_refused),
		cmocka_unit_test(too_many_words_are_refused),
		cmocka_unit_test(equal_lines_are_equal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
