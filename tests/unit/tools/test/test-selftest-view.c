/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tools/test/plan-work.h"
#include "tools/test/selftest-view.h"

static const struct selftest_case cases[] = { { "red", NULL },
					      { "gr\033een", NULL },
					      { NULL, NULL } };
static const struct selftest first = { .name = "Parse", .why = "nothing <works>" };
static const struct selftest second = { .name = "Colours & \"more\"", .cases = cases };
static const struct selftest *const both[] = { &first, &second, NULL };

static void make(struct selftest_plan *p)
{
	selftest_plan_add(p, both);
	for (size_t i = 0; i < p->rows.n; i++)
		p->rows.items[i].selected = true;
	selftest_plan_set_runs(p, 1);
	for (size_t i = 0; i < p->rows.n; i++) {
		struct selftest_result *r = p->rows.items[i].results;

		r->finished = true;
		r->outcome = i == 0 ? SELFTEST_FAILED : i == 1 ? SELFTEST_OK : SELFTEST_SKIP;
		r->reason = xstrdup(i == 1 ? "" : "a\033b <c>");
		r->seconds = 0.25;
		text_add(&r->output, "one\ntwo\033\nthree & four\n");
	}
}

static char *printed(struct selftest_plan *p, unsigned verbose)
{
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);
	struct selftest_text v = { .out = out, .plan = p, .verbose = verbose, .snippet_lines = 1 };

	selftest_text_init(&v);
	for (size_t i = 0; i < p->rows.n; i++)
		selftest_result_print(&v, &p->rows.items[i], p->rows.items[i].results);
	selftest_summary_print(&v);
	fclose(out);
	return text;
}

static void lines_are_aligned_and_failures_explained(void **state)
{
	_cleanup_(selftest_plan_done) struct selftest_plan p = { 0 };
	_cleanup_(freep) char *text = NULL;

	(void)state;
	make(&p);
	text = printed(&p, 0);
	assert_non_null(strstr(
		text,
		"  1: Parse                                                          : FAILED!\n"
		"     Why: a\\x1bb <c>\n     It means: nothing <works>\n"));
	assert_non_null(strstr(
		text,
		"  2: Colours & \"more\"                                               :\n"
		"  2.1: red                                                          : Ok\n"));
	assert_non_null(strstr(text,
			       "Passed subtests   : 1\nSkipped tests     : 1\n"
			       "Failed tests      : 1\nList of failed tests:\n    1: Parse\n"));
	assert_null(strchr(text, '\033'));
	assert_null(strstr(text, "three"));
}

static void verbose_shows_the_end_of_what_failed_and_very_verbose_all(void **state)
{
	_cleanup_(selftest_plan_done) struct selftest_plan p = { 0 };
	_cleanup_(freep) char *some = NULL;
	_cleanup_(freep) char *all = NULL;

	(void)state;
	make(&p);
	some = printed(&p, 1);
	assert_non_null(strstr(some, "---- start ----\n...\nthree & four\n---- end(-1) ----\n"));
	assert_null(strstr(some, "two"));
	all = printed(&p, 2);
	assert_non_null(strstr(all, "  2.1: red:\n---- start ----\none\ntwo\\x1b\nthree & four\n"
				    "---- end(0) ----\n"));
}

static void junit_survives_hostile_names_and_outputs(void **state)
{
	_cleanup_(selftest_plan_done) struct selftest_plan p = { 0 };
	_cleanup_(freep) char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	(void)state;
	make(&p);
	selftest_junit_print(&p, out);
	fclose(out);
	assert_non_null(strstr(text, "<testsuite name=\"perf-tests\" tests=\"3\" failures=\"1\" "
				     "skipped=\"1\" time=\"0.75\">"));
	assert_non_null(strstr(text, "<failure message=\"a\\x1bb &lt;c&gt;\">\n"
				     "It means: nothing &lt;works&gt;\none\ntwo\\x1b\n"
				     "three &amp; four\n"));
	assert_non_null(strstr(text, "classname=\"Colours &amp; &quot;more&quot;\" "
				     "name=\"gr\\x1been\" time=\"0.25\">"));
	assert_null(strchr(text, '\033'));
}

static void the_list_has_numbers_of_cases(void **state)
{
	_cleanup_(selftest_plan_done) struct selftest_plan p = { 0 };
	_cleanup_(freep) char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	(void)state;
	make(&p);
	p.rows.items[1].selected = false;
	selftest_list_print(&p, true, out);
	fclose(out);
	assert_string_equal(text, "  1: Parse\n     A failure means: nothing <works>\n  2: Colours "
				  "& \"more\"\n  2.2: gr\\x1been\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_aligned_and_failures_explained),
		cmocka_unit_test(verbose_shows_the_end_of_what_failed_and_very_verbose_all),
		cmocka_unit_test(junit_survives_hostile_names_and_outputs),
		cmocka_unit_test(the_list_has_numbers_of_cases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
