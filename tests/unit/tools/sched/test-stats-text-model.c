/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "tools/sched/stats-text-model.h"

#define NINE       " 1 2 3 4 5 6 7 8 9"
#define THIRTY_SIX NINE NINE NINE NINE

/* The lines that were delivered, as a text. */
struct told {
	char text[256];
	size_t n;
};

static void take(void *arg, const struct schedstat_line *l, const char *name, const char *mask)
{
	struct told *t = arg;

	t->n += (size_t)snprintf(t->text + t->n, sizeof(t->text) - t->n, "%u.%u%s@%d %s %s %d;",
				 l->cpu, l->domain, l->is_domain ? "d" : "", (int)l->time, name,
				 mask, (int)l->values[8]);
}

static int parse(const char *text, struct told *told, struct diag *diag)
{
	*told = (struct told){ .n = 0 };
	return schedstat_parse(text, take, told, diag);
}

static void lines_of_cpus_and_their_domains_are_read(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct told told;

	(void)state;
	assert_int_equal(parse("version 15\ntimestamp 77\ncpu0" NINE "\ndomain0 3" THIRTY_SIX
			       "\ncpu1" NINE "\n",
			       &told, &diag),
			 0);
	assert_string_equal(told.text, "0.0@77   9;0.0d@77  3 9;1.0@77   9;");
}

static void domains_have_names_since_version_17(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct told told;

	(void)state;
	assert_int_equal(parse("version 17\ntimestamp 1\ncpu2" NINE
			       "\ndomain1 MC 00000000,00000003" THIRTY_SIX NINE " 10 11\n",
			       &told, &diag),
			 0);
	assert_string_equal(told.text, "2.0@1   9;2.1d@1 MC 00000000,00000003 9;");
}

static void what_is_malformed_is_refused(void **state)
{
	static const char *const texts[] = {
		"cpu0" NINE "\n",
		"version 15\ncpu0 1 2 3\n",
		"version 15\ncpux" NINE "\n",
		"version 15\ncpu0 1 2 3 4 x 6 7 8 9\n",
		"version 15\ncpu99999999999" NINE "\n",
		"version 15\ncpu0" NINE "\ndomain0\n",
		"version 15\ncpu0" NINE "\ndomain0 3 1 2\n",
		"version 15\ncpu0" NINE "\ndomain70000 3" THIRTY_SIX "\n",
		"version 15\ncpu0 1 2 3 4 5 6 7 8 99999999999999999999999\n",
		"nonsense\n",
		"version -15\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		_cleanup_(diag_done) struct diag diag = { 0 };
		struct told told;

		assert_int_equal(parse(texts[i], &told, &diag), -EBADMSG);
		assert_non_null(diag.message);
	}
}

static void a_version_that_is_not_known_is_named(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct told told;

	(void)state;
	assert_int_equal(parse("version 99\n", &told, &diag), -EPROTO);
	assert_non_null(strstr(diag.message, "version 99"));
}

static void an_empty_text_has_no_lines(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct told told;

	(void)state;
	assert_int_equal(parse("", &told, &diag), 0);
	assert_int_equal(told.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_cpus_and_their_domains_are_read),
		cmocka_unit_test(domains_have_names_since_version_17),
		cmocka_unit_test(what_is_malformed_is_refused),
		cmocka_unit_test(a_version_that_is_not_known_is_named),
		cmocka_unit_test(an_empty_text_has_no_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
