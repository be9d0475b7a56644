/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <regex.h>
#include <string.h>

#include "base/glob.h"
#include "base/text.h"
#include "store/select.h"
#include "store/url.h"

static void patterns_become_expressions(void **state)
{
	static const char *const globs[] = {
		"*",     "a*",  "w?b",   "[a-c]x", "[!a-c]x", "a.b",
		"a\\*b", "a[b", "(a|b)", "^$",     "a[]]",    "x+{2}"
	};
	static const char *const texts[] = { "",    "a",   "ab",  "web",   "bx", "dx", "a.b",
					     "axb", "a*b", "a[b", "(a|b)", "^$", "a]", "x+{2}" };

	(void)state;
	for (size_t i = 0; i < sizeof(globs) / sizeof(*globs); i++) {
		struct text t = TEXT_EMPTY;
		regex_t regex;

		/* POSIX has no escapes within brackets, but the databases do. */
		if (!strcmp(globs[i], "a[]]"))
			continue;
		fleet_glob_regex(&t, globs[i]);
		assert_int_equal(regcomp(&regex, t.chars, REG_EXTENDED | REG_NOSUB), 0);
		for (size_t k = 0; k < sizeof(texts) / sizeof(*texts); k++)
			assert_int_equal(!regexec(&regex, texts[k], 0, NULL, 0),
					 glob_matches(globs[i], texts[k]));
		regfree(&regex);
		text_done(&t);
	}
}

static void quotes_end_nothing(void **state)
{
	struct text t = TEXT_EMPTY;

	(void)state;
	fleet_quote(&t, "it's \\", FLEET_POSTGRESQL);
	fleet_quote(&t, "it's \\", FLEET_CLICKHOUSE);
	assert_string_equal(t.chars, "'it''s \\''it''s \\\\'");
	text_done(&t);
}

static bool reads(const struct fleet_filter *f, int64_t rolled, const char *what)
{
	struct text t = TEXT_EMPTY;
	bool found;

	fleet_select_weights(&t, f, rolled, FLEET_CLICKHOUSE);
	found = strstr(t.chars, what);
	text_done(&t);
	return found;
}

static void sums_of_hours_are_read_where_they_do(void **state)
{
	struct fleet_filter f = { .since = 3600, .until = 7200 };

	(void)state;
	assert_true(reads(&f, INT64_MAX, "FROM perf_hour WHERE hour >= 3600 AND hour < 7200"));
	assert_false(reads(&f, INT64_MAX, "FROM perf_sample"));
	assert_false(reads(&f, 0, "FROM perf_hour"));
	f = (struct fleet_filter){ .since = 3601, .until = 10801 };
	assert_true(reads(&f, INT64_MAX, "FROM perf_hour WHERE hour >= 7200 AND hour < 10800"));
	assert_true(reads(&f, INT64_MAX, "perf_sample WHERE minute >= 3601 AND minute < 7200"));
	assert_true(reads(&f, INT64_MAX, "perf_sample WHERE minute >= 10800 AND minute < 10801"));
	/* From here on hours are not summed up yet. */
	assert_true(reads(&f, 8000, "perf_sample WHERE minute >= 3601 AND minute < 10801"));
	f = (struct fleet_filter){ .until = INT64_MAX };
	assert_true(reads(&f, INT64_MAX, "FROM perf_hour"));
	f.by_minute = true;
	assert_false(reads(&f, INT64_MAX, "FROM perf_hour"));
	f.by_minute = false;
	f.host = (char *)"a";
	assert_false(reads(&f, INT64_MAX, "FROM perf_hour"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_become_expressions),
		cmocka_unit_test(quotes_end_nothing),
		cmocka_unit_test(sums_of_hours_are_read_where_they_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
