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
#include "base/text.h"
#include "probe/name-filter.h"

/* Checks which of bar, foo, glob and main @text selects, by their first letters. */
static void selects(const char *text, const char *letters)
{
	static const char *const names[] = { "bar", "foo", "glob", "main" };
	_cleanup_(name_filter_freep) struct name_filter *f = NULL;
	struct diag diag = { 0 };
	struct text selected = TEXT_EMPTY;

	if (name_filter_parse(text, &f, &diag) < 0)
		fail_msg("%s: %s", text, diag.message);
	for (size_t i = 0; i < 4; i++)
		if (name_filter_has(f, names[i]))
			text_add_char(&selected, names[i][0]);
	assert_string_equal(selected.chars, letters);
	text_done(&selected);
}

static void refuses(const char *text, size_t at, size_t length, const char *why)
{
	struct name_filter *f = NULL;
	struct diag diag = { 0 };

	if (name_filter_parse(text, &f, &diag) != -EINVAL)
		fail_msg("%s: was taken", text);
	assert_null(f);
	if (diag.offset != at || diag.length != length || !strstr(diag.message, why))
		fail_msg("%s: marks %zu+%zu: %s", text, diag.offset, diag.length, diag.message);
	diag_done(&diag);
}

static void globs_select_names(void **state)
{
	(void)state;
	selects("foo", "f");
	selects("*", "bfgm");
	selects("[fm]*", "fm");
	selects("[!f]*", "bgm");
	selects("*o*", "fg");
	selects("f\\oo", "f");
	selects("\\!foo", "");
}

/* Linux's perf 6.1 selects the same. */
static void and_binds_tighter_than_or(void **state)
{
	(void)state;
	selects("foo | bar", "bf");
	selects("foo|bar&main", "f");
	selects("main&bar|foo", "f");
	selects("bar|foo&main|glob", "bg");
	selects("b*|f*&bar", "b");
	selects("(foo|bar)&b*", "b");
	selects("a&b|foo|c&d", "f");
}

static void a_negation_is_of_the_next_name_alone(void **state)
{
	(void)state;
	selects("!foo", "bgm");
	selects("! foo", "bgm");
	selects("!!foo", "f");
	selects("!foo&!bar", "gm");
	selects("!foo|bar", "bgm");
	selects("!foo|main&!bar", "bgm");
	selects("!(foo|bar)", "gm");
	selects("!k???tab_* & !crc_*", "bfgm");
}

static void wrong_filters_are_pointed_at(void **state)
{
	(void)state;
	refuses("", 0, 0, "missing");
	refuses(" ", 1, 0, "missing");
	refuses("foo&", 4, 0, "missing");
	refuses("&foo", 0, 1, "expected");
	refuses("foo||bar", 4, 1, "expected");
	refuses("foo bar", 4, 1, "& or |");
	refuses("foo!bar", 3, 1, "& or |");
	refuses("(foo)bar", 5, 1, "& or |");
	refuses("(foo", 0, 1, "never closed");
	refuses("foo)", 3, 1, "no (");
	refuses("()", 1, 1, "expected");
	refuses("!", 1, 0, "missing");
}

static void what_would_exhaust_the_stack_is_refused(void **state)
{
	struct text t = TEXT_EMPTY;

	(void)state;
	for (int i = 0; i < 100000; i++)
		text_add_char(&t, i & 1 ? '!' : '(');
	refuses(t.chars, 100, 1, "nested");
	text_clear(&t);
	for (int i = 0; i < 100000; i++)
		text_add(&t, "a|");
	refuses(t.chars, 2000, 1, "too many");
	text_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(globs_select_names),
		cmocka_unit_test(and_binds_tighter_than_or),
		cmocka_unit_test(a_negation_is_of_the_next_name_alone),
		cmocka_unit_test(wrong_filters_are_pointed_at),
		cmocka_unit_test(what_would_exhaust_the_stack_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
